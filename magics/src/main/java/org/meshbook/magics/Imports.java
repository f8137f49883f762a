package org.meshbook.magics;

import java.util.List;

/// What every cell sees without an import of its own.
final class Imports {
    private static final String TEXT =
            """
            import org.meshbook.elastic.*;
            import org.meshbook.elastic.array.*;
            import org.meshbook.elastic.mesh.*;
            import org.meshbook.elastic.slices.*;
            import org.meshbook.magics.render.*;
            import static org.meshbook.elastic.mesh.Axis.axis;
            """;

    private Imports() {}

    static List<String> snippets() {
        return TEXT.lines().toList();
    }
}
