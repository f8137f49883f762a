package org.meshbook.magics;

import java.util.List;

/// What every cell sees without an import of its own.
final class Imports {
    private static final String TEXT =
            """
            import org.meshbook.elastic.array.*;
            import org.meshbook.elastic.checkpoint.*;
            import org.meshbook.elastic.data.*;
            import org.meshbook.elastic.jit.*;
            import org.meshbook.elastic.manager.*;
            import org.meshbook.elastic.mesh.*;
            import org.meshbook.elastic.slices.SliceLost;
            import org.meshbook.kernel.embed.*;
            import org.meshbook.magics.render.*;
            import static org.meshbook.elastic.array.Pair.pair;
            import static org.meshbook.elastic.jit.Jit.*;
            import static org.meshbook.elastic.mesh.Axis.axis;
            import static org.meshbook.elastic.slices.Placement.put;
            import static org.meshbook.magics.render.Chart.chart;
            """;

    private Imports() {}

    static List<String> snippets() {
        return TEXT.lines().toList();
    }
}
