package org.meshbook.kernel.cell;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// `%help`, and `%magics`, which is the same without a name.
///
/// @param name `help` or `magics`
/// @param magics every magic, this one too
record HelpMagic(String name, Supplier<Magics> magics) implements Magic {
    private static final String INTRODUCTION =
            """
            A cell is Java: statements, declarations and expressions. The value of the last
            expression is shown. display(x) shows more, updateDisplay(id, x) replaces it,
            clearOutput() clears. out(5) and $5 are the value of cell 5, out() is the last one,
            lastException() is what was thrown last. %name at the start of a line is a magic, %%name in the first
            line takes the whole cell. %help name or %name? explains one.

            """;

    @Override
    public String help() {
        return """
        Lists the magics, or explains one.

        %help [NAME]
        %NAME?
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var wanted = call.arguments().replaceFirst("^%+", "");
        cell.out().print(wanted.isEmpty() ? list() : explain(wanted));
        return null;
    }

    private String list() {
        var lines =
                magics.get().all().stream()
                        .map(m -> "  %-16s %s%n".formatted(typed(m), firstLine(m)))
                        .collect(Collectors.joining());
        return (name.equals("help") ? INTRODUCTION : "") + lines;
    }

    private String explain(String wanted) {
        var magic =
                magics.get()
                        .find(wanted)
                        .orElseThrow(() -> new MagicException(magics.get().unknown("%", wanted)));
        return "%s: %s%n".formatted(typed(magic), magic.help().stripTrailing());
    }

    private static String typed(Magic magic) {
        return switch (magic.form()) {
            case LINE -> "%" + magic.name();
            case CELL -> "%%" + magic.name();
            case LINE_AND_CELL -> "%[%]" + magic.name();
        };
    }

    private static String firstLine(Magic magic) {
        return magic.help().lines().findFirst().orElse("");
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
