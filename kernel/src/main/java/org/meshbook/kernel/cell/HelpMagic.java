package org.meshbook.kernel.cell;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// `%help`, and `%magics`, which is the same without the introduction.
///
/// @param name `help`, `magics` or `lsmagic`
/// @param magics every magic, this one too
record HelpMagic(String name, Supplier<Magics> magics) implements Magic {
    /// Groups in the order in which somebody new needs them; others stand before the last.
    private static final List<String> GROUPS =
            List.of("Java", "display", "session", "files", "libraries", "slices", "jobs", "help");

    private static final String LAST = "more";

    private static final String INTRODUCTION =
            """
            A cell is Java: statements, declarations and expressions. The value of the last
            expression is shown. display(x) shows more, updateDisplay(id, x) replaces it,
            clearOutput() clears. out(5) and $5 are the value of cell 5, out() is the last one,
            lastException() is what was thrown last. %name at the start of a line is a magic,
            %%name in the first line takes the whole cell. %help name or %name? explains one,
            name? tells about a class, a method or a variable.
            """;

    @Override
    public String group() {
        return "help";
    }

    @Override
    public String help() {
        return """
        Lists the magics, or explains one.

        %NAME [MAGIC]
        %MAGIC?

          %NAME time
        """
                .replace("NAME", name);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var wanted = call.arguments().replaceFirst("^%+", "").replaceFirst("\\?$", "");
        if (wanted.isEmpty()) {
            cell.display(DisplayData.text(text()).and("text/html", html()));
        } else {
            cell.out().println(explain(wanted));
        }
        return null;
    }

    private String explain(String wanted) {
        var magic =
                magics.get()
                        .find(wanted)
                        .orElseThrow(() -> new MagicException(magics.get().unknown("%", wanted)));
        return "%s: %s".formatted(typed(magic), magic.help().stripTrailing());
    }

    private String text() {
        var width = magics.get().all().stream().mapToInt(m -> typed(m).length()).max().orElse(0);
        var row = "  %-" + width + "s  %s";
        var lists =
                groups().entrySet().stream()
                        .map(
                                group ->
                                        group.getKey()
                                                + "\n"
                                                + group.getValue().stream()
                                                        .map(m -> row.formatted(typed(m), about(m)))
                                                        .collect(Collectors.joining("\n")))
                        .collect(Collectors.joining("\n\n"));
        return name.equals("help") ? INTRODUCTION + "\n" + lists : lists;
    }

    private String html() {
        var rows =
                groups().entrySet().stream()
                        .map(
                                group ->
                                        "<tr><th colspan=\"2\" style=\"text-align:left\">%s</th></tr>"
                                                        .formatted(escaped(group.getKey()))
                                                + group.getValue().stream()
                                                        .map(HelpMagic::row)
                                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining());
        var introduction =
                name.equals("help") ? "<p>" + escaped(INTRODUCTION.strip()) + "</p>" : "";
        return introduction + "<table><tbody>" + rows + "</tbody></table>";
    }

    private static String row(Magic magic) {
        var cell = "<td style=\"text-align:left\">";
        return "<tr>%s<code>%s</code></td>%s%s</td></tr>"
                .formatted(cell, escaped(typed(magic)), cell, escaped(about(magic)));
    }

    private Map<String, List<Magic>> groups() {
        return magics.get().all().stream()
                .collect(
                        Collectors.groupingBy(
                                Magic::group,
                                () ->
                                        new TreeMap<>(
                                                Comparator.comparingInt(HelpMagic::place)
                                                        .thenComparing(group -> group)),
                                Collectors.toList()));
    }

    private static int place(String group) {
        var known = GROUPS.indexOf(group);
        return known >= 0 ? known : group.equals(LAST) ? GROUPS.size() + 1 : GROUPS.size();
    }

    private static String typed(Magic magic) {
        return switch (magic.form()) {
            case LINE -> "%" + magic.name();
            case CELL -> "%%" + magic.name();
            case LINE_AND_CELL -> "%" + magic.name() + " %%" + magic.name();
        };
    }

    private static String about(Magic magic) {
        return magic.help().lines().findFirst().orElse("");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var typed = arguments.substring(0, Math.min(cursor, arguments.length())).strip();
        return magics.get().all().stream()
                .map(Magic::name)
                .filter(known -> known.startsWith(typed))
                .toList();
    }
}
