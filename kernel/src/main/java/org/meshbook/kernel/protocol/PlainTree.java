package org.meshbook.kernel.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// JSON as maps, lists, texts, numbers, truth values and nulls: what the rest of the kernel, which
/// knows no JSON library, works with.
final class PlainTree {
    private PlainTree() {}

    /// @param node any JSON
    /// @return its fields; none if it is no object
    static Map<String, Object> of(JsonNode node) {
        return node.isObject() ? map(node) : new LinkedHashMap<>();
    }

    @SuppressWarnings("NullAway") // JSON's null is a value in such a tree, as everywhere in Java
    private static Map<String, Object> map(JsonNode node) {
        var map = new LinkedHashMap<String, Object>();
        for (var entry : node.properties()) {
            map.put(entry.getKey(), value(entry.getValue()));
        }
        return map;
    }

    private static @Nullable Object value(JsonNode node) {
        if (node.isObject()) {
            return map(node);
        }
        if (node.isArray()) {
            var list = new ArrayList<@Nullable Object>();
            node.forEach(element -> list.add(value(element)));
            return list;
        }
        if (node.isString()) {
            return node.stringValue();
        }
        if (node.isNumber()) {
            return node.numberValue();
        }
        return node.isBoolean() ? node.booleanValue() : null;
    }
}
