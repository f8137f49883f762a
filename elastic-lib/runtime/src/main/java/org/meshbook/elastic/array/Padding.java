package org.meshbook.elastic.array;

import java.util.Locale;
import org.meshbook.elastic.UsageError;

/// What is added around a dimension that windows move along.
///
/// @param low before
/// @param high after
record Padding(int low, int high) {
    /// @param asked the method, for errors
    /// @param name `"SAME"`: as many windows as steps begin inside; `"VALID"`: none reaches out
    static Padding of(String asked, String name, int size, int window, int stride) {
        UsageError.require(stride >= 1, "%s: stride %d is below 1", asked, stride);
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "VALID" -> new Padding(0, 0);
            case "SAME" -> {
                int count = Math.ceilDiv(size, stride);
                int room = Math.max((count - 1) * stride + window - size, 0);
                yield new Padding(room / 2, room - room / 2);
            }
            default ->
                    throw new UsageError(
                            "%s: padding '%s' is unknown; use \"SAME\" or \"VALID\"", asked, name);
        };
    }
}
