package org.meshbook.magics.daily.session;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.kernel.spi.Workspace.Variable;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.render.Table;

/// `%who` and `%vars`.
final class WhoMagic {
    private WhoMagic() {}

    static Magic of(String name) {
        var grammar =
                new Grammar(
                        "%" + name,
                        List.of("NAME"),
                        List.of(new Flag("--type", "TYPE", "only those of this type")));
        return GrammarMagic.line(
                        grammar,
                        "session",
                        """
                        Lists the variables with their types and values.

                          %NAME                 all
                          %NAME train*          those whose names match; ? is one character
                          %NAME --type List*    those whose types match, without type arguments
                        """
                                .replace("NAME", name),
                        (given, _, cell) -> show(given, cell))
                .completing(WhoMagic::names);
    }

    private static List<String> names(String start, Workspace workspace) {
        return workspace.variables().stream()
                .map(Variable::name)
                .filter(n -> n.startsWith(start))
                .toList();
    }

    private static @Nullable Object show(Given given, Cell cell) {
        var names = given.word(0).orElse("*");
        var types = given.text("--type").orElse("*");
        var all = cell.workspace().variables();
        var found =
                all.stream()
                        .filter(v -> matches(names, v.name()))
                        .filter(v -> isOf(types, v.type()))
                        .toList();
        if (found.isEmpty()) {
            cell.out()
                    .println(
                            all.isEmpty()
                                    ? "no variables yet"
                                    : "none of the %d variables match".formatted(all.size()));
            return null;
        }
        var table = Table.of("name", "type", "value", "size");
        for (var variable : found) {
            table =
                    table.row(
                            variable.name(),
                            simple(variable.type()),
                            Values.brief(variable.value()),
                            Values.size(variable.value()));
        }
        cell.display(table.display());
        return null;
    }

    /// Packages say little here: `java.util.List<p.T>` is `List<T>`. Whether a type fits as it is,
    /// without packages, or without its type arguments.
    private static boolean isOf(String wanted, String type) {
        return Stream.of(type, simple(type))
                .flatMap(t -> Stream.of(t, t.replaceAll("<.*>", "")))
                .anyMatch(t -> matches(wanted, t));
    }

    static String simple(String type) {
        return type.replaceAll("\\b(?:[a-z_]\\w*\\.)+(?=[A-Z])", "");
    }

    private static boolean matches(String glob, String text) {
        var pattern =
                glob.chars()
                        .mapToObj(
                                c ->
                                        switch (c) {
                                            case '*' -> ".*";
                                            case '?' -> ".";
                                            default -> Pattern.quote(Character.toString(c));
                                        })
                        .collect(Collectors.joining());
        return text.matches(pattern);
    }
}
