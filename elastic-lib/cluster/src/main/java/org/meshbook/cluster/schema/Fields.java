package org.meshbook.cluster.schema;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Takes unknown fields out, and puts defaults in.
final class Fields {
    private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

    private Fields() {}

    static void prune(ObjectNode object, Schema schema, Schema meta, List<String> dropped) {
        if (object.get("metadata") instanceof ObjectNode metadata) {
            fields(metadata, meta, Set.of(), "metadata", dropped);
        }
        fields(object, schema, OF_EVERY_OBJECT, "", dropped);
    }

    private static void fields(
            ObjectNode object,
            Schema schema,
            Set<String> known,
            String path,
            List<String> dropped) {
        var unknown =
                object.propertyNames().stream()
                        .filter(name -> !known.contains(name) && schema.field(name).isEmpty())
                        .toList();
        if (!schema.open()) {
            unknown.forEach(name -> dropped.add(below(path, name)));
            object.remove(unknown);
        }
        for (var field : object.properties()) {
            if (!known.contains(field.getKey())) {
                schema.field(field.getKey())
                        .ifPresent(
                                part ->
                                        part(
                                                field.getValue(),
                                                part,
                                                below(path, field.getKey()),
                                                dropped));
            }
        }
    }

    private static void part(JsonNode value, Schema schema, String path, List<String> dropped) {
        if (value instanceof ObjectNode object) {
            fields(object, schema, Set.of(), path, dropped);
        } else if (value.isArray()) {
            var items = schema.items().orElse(null);
            for (int i = 0; items != null && i < value.size(); i++) {
                part(value.get(i), items, path + "[" + i + "]", dropped);
            }
        }
    }

    static void fill(JsonNode value, Schema schema) {
        if (value instanceof ObjectNode object) {
            for (var field : schema.properties().entrySet()) {
                field.getValue().byDefault().ifPresent(d -> put(object, field.getKey(), d));
            }
            for (var field : object.properties()) {
                schema.field(field.getKey()).ifPresent(part -> fill(field.getValue(), part));
            }
        } else if (value.isArray()) {
            schema.items().ifPresent(items -> value.values().forEach(item -> fill(item, items)));
        }
    }

    /// A field that is there stays; one that is null gives way to the default.
    private static void put(ObjectNode object, String name, JsonNode byDefault) {
        var present = object.get(name);
        if (present == null || present.isNull()) {
            object.set(name, byDefault.deepCopy());
        }
    }

    static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
