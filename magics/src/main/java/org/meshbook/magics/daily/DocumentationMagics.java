package org.meshbook.magics.daily;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.kernel.spi.Workspace.Declaration.Kind;
import org.meshbook.magics.daily.session.SessionMagics;

/// `%javadoc` and `%pinfo`, which is also `NAME?`.
///
/// @param name which of the two
record DocumentationMagics(String name) implements Magic {
    private static final String JAVADOC = "javadoc";

    static List<Magic> all() {
        return List.of(new DocumentationMagics(JAVADOC), new DocumentationMagics("pinfo"));
    }

    @Override
    public String group() {
        return "Java";
    }

    @Override
    public String help() {
        return name.equals(JAVADOC)
                ? """
                Shows the documentation of a class, a method or a variable's type.

                %javadoc NAME

                  %javadoc List
                  %javadoc Math.max
                  %javadoc text.strip
                """
                : """
                Tells what a name is: value and type, source, and documentation.

                %pinfo NAME
                NAME?

                  list?
                  Math.max?
                """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var typed = call.arguments().strip().replaceFirst("\\?+$", "").replaceFirst("\\(\\)$", "");
        if (typed.isEmpty()) {
            throw new MagicException(
                    "%%%s needs a name, as in %%%s Math.max".formatted(name, name));
        }
        var workspace = cell.workspace();
        var parts = new ArrayList<String>();
        if (!name.equals(JAVADOC)) {
            value(typed, workspace).ifPresent(parts::add);
            source(typed, workspace).ifPresent(parts::add);
        }
        workspace.document(typed).ifPresent(parts::add);
        if (parts.isEmpty()) {
            throw new MagicException(unknown(typed, workspace));
        }
        cell.out().println(String.join("\n\n", parts));
        return null;
    }

    private static Optional<String> value(String typed, Workspace workspace) {
        return workspace.variables().stream()
                .filter(v -> v.name().equals(typed))
                .findFirst()
                .map(SessionMagics::described);
    }

    private static Optional<String> source(String typed, Workspace workspace) {
        return workspace.declarations().stream()
                .filter(d -> d.kind() == Kind.METHOD || d.kind() == Kind.TYPE)
                .filter(d -> d.name().equals(typed))
                .map(Declaration::source)
                .reduce((a, b) -> a + "\n\n" + b);
    }

    private String unknown(String typed, Workspace workspace) {
        var known =
                workspace.declarations().stream()
                        .map(Declaration::name)
                        .filter(n -> !n.isEmpty())
                        .toList();
        return "%%%s: nothing is known of '%s'%s"
                .formatted(name, typed, Nearest.hint(typed, known));
    }

    @Override
    public List<String> complete(String arguments, int cursor, Workspace workspace) {
        return workspace
                .complete(arguments.substring(0, Math.min(cursor, arguments.length())))
                .stream()
                .map(word -> word.replaceFirst("\\(.*", ""))
                .distinct()
                .toList();
    }
}
