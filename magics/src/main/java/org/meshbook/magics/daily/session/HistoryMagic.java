package org.meshbook.magics.daily.session;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace.Entry;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;
import org.meshbook.magics.render.Amounts;

/// `%history` and `%rerun`.
final class HistoryMagic {
    private static final int MOST = 5_000;

    private static final Grammar GRAMMAR =
            new Grammar(
                    "%history",
                    List.of("CELLS"),
                    List.of(
                            new Flag("-n", "N", "only the last N"),
                            new Flag("-g", "PATTERN", "only those that contain it"),
                            Flag.plain("-l", "with how long each took, and which failed"),
                            Flag.plain("-t", "text alone, to copy")));

    private HistoryMagic() {}

    static Magic history() {
        return GrammarMagic.line(
                GRAMMAR,
                "session",
                """
                Shows the cells that were run in this session.

                  %history              all
                  %history 3-5          cells 3 to 5
                  %history -g println   those that contain the text, or match it as a pattern
                  %history -l -n 5      the last five, with times
                """,
                (given, _, cell) -> show(given, cell));
    }

    private static @Nullable Object show(Given given, Cell cell) {
        // The running cell is this one.
        var all = cell.workspace().history().stream().filter(e -> e.took().isPresent()).toList();
        var some = given.word(0).map(w -> Ranges.of("%history", w, all)).orElse(all);
        var pattern = given.text("-g").map(HistoryMagic::pattern);
        var found =
                some.stream()
                        .filter(e -> pattern.isEmpty() || pattern.get().matcher(e.code()).find())
                        .toList();
        var last = given.count("-n", 1, MOST).orElse(MOST);
        var shown = found.subList(Math.max(0, found.size() - last), found.size());
        if (shown.isEmpty()) {
            cell.out()
                    .println(
                            all.isEmpty()
                                    ? "no cell was run before this one"
                                    : "none of the %d cells match".formatted(all.size()));
        }
        shown.forEach(entry -> cell.out().println(text(entry, given)));
        return null;
    }

    private static Pattern pattern(String typed) {
        try {
            return Pattern.compile(typed, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            return Pattern.compile(typed, Pattern.LITERAL | Pattern.CASE_INSENSITIVE);
        }
    }

    private static String text(Entry entry, Given given) {
        if (given.has("-t")) {
            return entry.code().stripTrailing() + "\n";
        }
        var margin = "%4d  ".formatted(entry.number());
        var code = entry.code().stripTrailing().replace("\n", "\n      ");
        var how =
                entry.took().map(HistoryMagic::time).orElse("")
                        + (entry.failed() ? ", failed" : "");
        return given.has("-l") ? margin + "# " + how + "\n      " + code : margin + code;
    }

    private static String time(Duration took) {
        return Amounts.time(took.toNanos());
    }

    static Magic rerun(String name) {
        var grammar = new Grammar("%" + name, List.of("CELLS"), List.of());
        return GrammarMagic.line(
                grammar,
                "session",
                """
                Runs earlier cells again, as they were.

                  %NAME 4       cell 4
                  %NAME 2-4,7   cells 2, 3, 4 and 7, to the first that fails
                  %NAME         the last cell before this one
                """
                        .replace("NAME", name),
                (given, _, cell) -> again("%" + name, given.word(0), cell));
    }

    private static @Nullable Object again(String command, Optional<String> typed, Cell cell)
            throws Exception {
        var past = cell.workspace().history().stream().filter(e -> e.took().isPresent()).toList();
        var chosen =
                typed.map(range -> Ranges.of(command, range, past))
                        .orElseGet(() -> past.isEmpty() ? List.of() : List.of(past.getLast()));
        if (chosen.isEmpty()) {
            throw new MagicException(command + ": no cell was run before this one");
        }
        @Nullable Object last = null;
        for (var entry : chosen) {
            if (Pattern.compile("(?m)^\\s*%%?(rerun|recall)\\b").matcher(entry.code()).find()) {
                throw new MagicException(
                        "%s: cell %d runs others again itself; name those"
                                .formatted(command, entry.number()));
            }
            last = cell.run(entry.code());
        }
        return last;
    }
}
