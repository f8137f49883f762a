package org.meshbook.cluster.lint.manifests;

import java.util.regex.Pattern;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.manifest.Value;

/// Reads quantities that may be anything.
final class Amount {
    /// Sums of what is longer could take any memory.
    private static final Pattern READABLE =
            Pattern.compile("[-+]?[\\d.]{1,30}([eE][-+]?\\d{1,2}|[A-Za-z]{0,2})");

    private Amount() {}

    /// @return the quantity; zero if it is none
    static Quantity of(Value value) {
        var text = value.exists() ? value.json().asString("") : "";
        return READABLE.matcher(text).matches() ? parse(text) : Quantity.ZERO;
    }

    private static Quantity parse(String text) {
        try {
            return Quantity.parse(text);
        } catch (NumberFormatException e) {
            return Quantity.ZERO;
        }
    }
}
