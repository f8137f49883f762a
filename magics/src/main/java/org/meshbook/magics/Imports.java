package org.meshbook.magics;

import java.util.List;
import java.util.stream.Stream;

/// What every cell sees without an import of its own.
final class Imports {
    private static final String TEXT =
            """
            import org.meshbook.elastic.array.*;
            import org.meshbook.elastic.chaos.Chaos;
            import org.meshbook.elastic.chaos.FaultKind;
            import org.meshbook.elastic.checkpoint.*;
            import org.meshbook.elastic.checkpoint.tier.*;
            import org.meshbook.elastic.checkpoint.tier.format.Retention;
            import org.meshbook.elastic.train.*;
            import org.meshbook.elastic.data.*;
            import org.meshbook.elastic.data.source.ImageFolder;
            import org.meshbook.elastic.data.stream.Streams;
            import org.meshbook.elastic.formats.*;
            import org.meshbook.elastic.jit.*;
            import org.meshbook.elastic.manager.*;
            import org.meshbook.elastic.mesh.*;
            import org.meshbook.elastic.nn.*;
            import org.meshbook.elastic.optim.*;
            import org.meshbook.elastic.random.*;
            import org.meshbook.elastic.slices.SliceLost;
            import org.meshbook.elastic.slices.hosts.*;
            import org.meshbook.kernel.embed.*;
            import org.meshbook.magics.render.*;
            import static org.meshbook.elastic.array.Pair.pair;
            import static org.meshbook.elastic.collective.Collective.*;
            import static org.meshbook.elastic.jit.Flow.*;
            import static org.meshbook.elastic.jit.Jit.*;
            import static org.meshbook.elastic.jit.Spmd.*;
            import static org.meshbook.elastic.jit.Transform.*;
            import static org.meshbook.elastic.mesh.Axis.axis;
            import static org.meshbook.elastic.mesh.PartitionSpec.spec;
            import static org.meshbook.elastic.names.Named.*;
            import static org.meshbook.elastic.slices.Placement.*;
            import static org.meshbook.magics.render.Chart.chart;
            """;

    private Imports() {}

    static List<String> snippets() {
        return TEXT.lines().toList();
    }

    /// @return all imports of a cell, the kernel's own among them
    static List<String> ofEveryCell() {
        return Stream.concat(
                        Stream.of(
                                "import module java.base;",
                                "import static org.meshbook.kernel.display.Display.*;"),
                        TEXT.lines())
                .toList();
    }
}
