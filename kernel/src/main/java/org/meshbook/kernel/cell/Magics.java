package org.meshbook.kernel.cell;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.meshbook.kernel.spi.Magic;

/// Every magic by its name.
final class Magics {
    private final Map<String, Magic> byName = new TreeMap<>();

    Magics(List<Magic> magics) {
        magics.forEach(magic -> byName.putIfAbsent(magic.name(), magic));
    }

    Optional<Magic> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    List<Magic> all() {
        return List.copyOf(byName.values());
    }

    /// @return one line for a name that nobody knows
    String unknown(String percents, String name) {
        var near =
                byName.keySet().stream()
                        .filter(known -> isNear(name, known))
                        .map(known -> percents(byName.get(known), percents) + known)
                        .collect(Collectors.joining(" or "));
        return near.isEmpty()
                ? "no magic named %s%s; %%magics lists all".formatted(percents, name)
                : "no magic named %s%s; did you mean %s?".formatted(percents, name, near);
    }

    private static String percents(@org.jspecify.annotations.Nullable Magic magic, String typed) {
        if (magic == null) {
            return typed;
        }
        return switch (magic.form()) {
            case LINE -> "%";
            case CELL -> "%%";
            case LINE_AND_CELL -> typed;
        };
    }

    private static boolean isNear(String typed, String known) {
        var a = typed.toLowerCase(Locale.ROOT);
        var b = known.toLowerCase(Locale.ROOT);
        return distance(a, b) <= Math.max(1, Math.min(a.length(), b.length()) / 3)
                || (a.length() >= 3 && (b.startsWith(a) || a.startsWith(b)));
    }

    /// Optimal string alignment: insertions, deletions, changes, and swaps of neighbours.
    static int distance(String a, String b) {
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
