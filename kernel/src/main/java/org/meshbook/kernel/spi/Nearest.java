package org.meshbook.kernel.spi;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds the known words that a mistyped one may have been meant to be.
public final class Nearest {
    private Nearest() {}

    /// @param typed what was typed
    /// @param known what could have been meant
    /// @return the nearest ones if they are near; at most three
    public static List<String> to(String typed, Collection<String> known) {
        var limit = Math.max(1, typed.length() / 3);
        var near = new TreeMap<Integer, TreeSet<String>>();
        for (var word : known) {
            if (!word.equals(typed) && Math.abs(word.length() - typed.length()) <= limit) {
                near.computeIfAbsent(distance(typed, word), _ -> new TreeSet<>()).add(word);
            }
        }
        return near.isEmpty() || near.firstKey() > limit
                ? List.of()
                : near.firstEntry().getValue().stream().limit(3).toList();
    }

    /// @param typed what was typed
    /// @param known what could have been meant
    /// @return the end of a message, as `; did you mean X or Y?`; empty if none is near
    public static String hint(String typed, Collection<String> known) {
        var near = to(typed, known);
        return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }

    /// Optimal string alignment (insertions, deletions, changes, and swaps of neighbours), whatever
    /// the case.
    ///
    /// @param left a word
    /// @param right another one
    /// @return how many edits make one of the other
    public static int distance(String left, String right) {
        var a = left.toLowerCase(Locale.ROOT);
        var b = right.toLowerCase(Locale.ROOT);
        var rows = new int[a.length() + 1][b.length() + 1];
        for (var i = 0; i <= a.length(); i++) {
            for (var j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : step(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int step(int[][] rows, String a, String b, int i, int j) {
        var change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        var best =
                Math.min(rows[i - 1][j - 1] + change, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        var swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, rows[i - 2][j - 2] + 1) : best;
    }
}
