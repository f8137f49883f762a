package org.meshbook.cluster.schema;

import dev.cel.common.values.NullValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// JSON as the values that CEL knows. Each part is turned once, however many rules read it; CEL
/// takes maps and lists of such values as they are, and would copy anything else at each rule.
final class CelValues {
    private final Map<JsonNode, Object> turned = new IdentityHashMap<>();

    Object of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT, POJO, ARRAY -> container(node);
            case STRING, BINARY -> node.asString();
            case BOOLEAN -> node.booleanValue();
            case NUMBER ->
                    node.isIntegralNumber()
                            ? (Object) node.longValue()
                            : (Object) node.doubleValue();
            case NULL, MISSING -> NullValue.NULL_VALUE;
        };
    }

    /// @param mentioned what a rule reads of it
    /// @return that, and nothing else of it
    Object of(JsonNode node, Mentioned mentioned) {
        if (mentioned.fields().isEmpty() || !node.isObject()) {
            return of(node);
        }
        var map = LinkedHashMap.<String, Object>newLinkedHashMap(mentioned.fields().size());
        mentioned
                .fields()
                .forEach(
                        (name, below) -> {
                            var value = node.get(name);
                            if (value != null) {
                                map.put(name, of(value, below));
                            }
                        });
        return Collections.unmodifiableMap(map);
    }

    private Object container(JsonNode node) {
        var known = turned.get(node);
        if (known != null) {
            return known;
        }
        Object made = node.isObject() ? map(node) : list(node);
        turned.put(node, made);
        return made;
    }

    private Object map(JsonNode node) {
        var map = LinkedHashMap.<String, Object>newLinkedHashMap(node.size());
        node.properties().forEach(e -> map.put(e.getKey(), of(e.getValue())));
        return Collections.unmodifiableMap(map);
    }

    private Object list(JsonNode node) {
        var list = new ArrayList<>(node.size());
        node.values().forEach(item -> list.add(of(item)));
        return Collections.unmodifiableList(list);
    }
}
