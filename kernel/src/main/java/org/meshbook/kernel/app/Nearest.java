package org.meshbook.kernel.app;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// The known word that a mistyped one was meant to be.
final class Nearest {
    private Nearest() {}

    static Optional<String> to(String word, Collection<String> known) {
        return known.stream()
                .filter(k -> distance(word, k) <= Math.max(1, word.length() / 3))
                .min(Comparator.comparingInt(k -> distance(word, k)));
    }

    private static int distance(String left, String right) {
        var row = new int[right.length() + 1];
        for (var j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (var i = 1; i <= left.length(); i++) {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= right.length(); j++) {
                var change = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[right.length()];
    }
}
