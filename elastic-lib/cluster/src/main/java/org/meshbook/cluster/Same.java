package org.meshbook.cluster;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Whether two pieces of JSON say the same; `1` is the same number however wide it is kept.
///
/// Objects share what did not change, so that what is one and the same is not looked into.
public final class Same {
    private Same() {}

    /// @param a JSON, or null for nothing
    /// @param b JSON, or null for nothing
    /// @return whether they say the same
    public static boolean both(@Nullable JsonNode a, @Nullable JsonNode b) {
        if (a == b) {
            return true;
        }
        if (a == null || b == null) {
            return false;
        }
        if (a.isObject() && b.isObject()) {
            return a.size() == b.size()
                    && a.properties().stream()
                            .allMatch(field -> both(field.getValue(), b.get(field.getKey())));
        }
        if (a.isArray() && b.isArray()) {
            return items(a, b);
        }
        return a.equals(b) || sameNumber(a, b);
    }

    private static boolean items(JsonNode a, JsonNode b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!both(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameNumber(JsonNode a, JsonNode b) {
        return a.isNumber() && b.isNumber() && a.decimalValue().compareTo(b.decimalValue()) == 0;
    }
}
