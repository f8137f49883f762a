package org.meshbook.magics.args;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Finds what somebody may have meant.
public final class Nearest {
    private Nearest() {}

    /// @param word what was typed
    /// @param known what exists
    /// @return the known word that a few slips away; empty if none is near
    public static Optional<String> of(String word, Collection<String> known) {
        int near = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(k -> distance(word, k) <= near)
                .min(Comparator.comparingInt(k -> distance(word, k)));
    }

    /// @param word what was typed
    /// @param known what exists
    /// @return `; did you mean X?` or nothing
    public static String hint(String word, Collection<String> known) {
        return of(word, known).map(k -> "; did you mean " + k + "?").orElse("");
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
    static int distance(String a, String b) {
        var rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : step(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int step(int[][] rows, String a, String b, int i, int j) {
        int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
    }
}
