package org.meshbook.magics.daily.session;

import java.util.List;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace.Entry;

/// Cells by their numbers: `4`, `2-5`, `7-`, `1,3`.
final class Ranges {
    private Ranges() {}

    /// @param command names the magic in an error
    /// @param typed numbers and ranges, parted by commas
    /// @param history cells that were run
    /// @return those that were named, in the order they were run; of a number that was run twice,
    ///   the last
    /// @throws MagicException if it is no range, or no cell has such a number
    static List<Entry> of(String command, String typed, List<Entry> history) {
        var ranges = List.of(typed.split(","));
        for (var range : ranges) {
            if (!range.matches("\\d{1,9}(-(\\d{1,9})?)?")) {
                throw new MagicException(
                        "%s does not understand '%s'; give numbers of cells, as 4, 2-5, 7- or 1,3"
                                .formatted(command, typed));
            }
        }
        var found =
                history.stream()
                        .filter(entry -> ranges.stream().anyMatch(r -> within(r, entry.number())))
                        .toList();
        if (found.isEmpty()) {
            throw new MagicException(
                    "%s: no cell %s was run; %s"
                            .formatted(
                                    command,
                                    typed,
                                    history.isEmpty()
                                            ? "none was"
                                            : "%%history lists cells %d to %d"
                                                    .formatted(
                                                            history.getFirst().number(),
                                                            history.getLast().number())));
        }
        return found.stream()
                .filter(
                        entry ->
                                found.stream()
                                                .filter(e -> e.number() == entry.number())
                                                .reduce((_, last) -> last)
                                                .orElse(entry)
                                        == entry)
                .toList();
    }

    private static boolean within(String range, int number) {
        var dash = range.indexOf('-');
        if (dash < 0) {
            return number == Integer.parseInt(range);
        }
        var from = Integer.parseInt(range.substring(0, dash));
        var to = range.substring(dash + 1);
        return number >= from && (to.isEmpty() || number <= Integer.parseInt(to));
    }
}
