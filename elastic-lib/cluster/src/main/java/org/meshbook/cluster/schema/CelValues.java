package org.meshbook.cluster.schema;

import dev.cel.common.values.NullValue;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// JSON as the values that CEL knows: views, so that a rule pays for what it reads only.
final class CelValues {
    private CelValues() {}

    static Object of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT, POJO -> new Fields(node);
            case ARRAY -> new Items(node);
            case STRING, BINARY -> node.asString();
            case BOOLEAN -> node.booleanValue();
            case NUMBER ->
                    node.isIntegralNumber()
                            ? (Object) node.longValue()
                            : (Object) node.doubleValue();
            case NULL, MISSING -> NullValue.NULL_VALUE;
        };
    }

    private static final class Fields extends AbstractMap<String, Object> {
        private final JsonNode node;

        Fields(JsonNode node) {
            this.node = node;
        }

        @Override
        public @Nullable Object get(Object key) {
            var value = key instanceof String name ? node.get(name) : null;
            return value == null ? null : of(value);
        }

        @Override
        public boolean containsKey(Object key) {
            return key instanceof String name && node.has(name);
        }

        @Override
        public int size() {
            return node.size();
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            var entries = new LinkedHashSet<Entry<String, Object>>();
            node.properties()
                    .forEach(e -> entries.add(new SimpleEntry<>(e.getKey(), of(e.getValue()))));
            return entries;
        }
    }

    private static final class Items extends AbstractList<Object> {
        private final JsonNode node;

        Items(JsonNode node) {
            this.node = node;
        }

        @Override
        public Object get(int index) {
            return of(node.get(index));
        }

        @Override
        public int size() {
            return node.size();
        }
    }
}
