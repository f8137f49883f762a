package org.meshbook.cluster.embedded;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Whether two pieces of JSON say the same; `1` is the same number however wide it is kept.
final class Same {
    private static final Comparator<JsonNode> BY_VALUE =
            (a, b) -> a.equals(b) || sameNumber(a, b) ? 0 : 1;

    private Same() {}

    static boolean both(@Nullable JsonNode a, @Nullable JsonNode b) {
        return a == b || (a != null && b != null && a.equals(BY_VALUE, b));
    }

    private static boolean sameNumber(JsonNode a, JsonNode b) {
        return a.isNumber() && b.isNumber() && a.decimalValue().compareTo(b.decimalValue()) == 0;
    }
}
