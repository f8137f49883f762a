package org.meshbook.cluster.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Which fields someone wrote, in the form `FieldsV1`: `f:` a field, `k:` an item of a list that is
/// a map, `v:` an item of a set, nothing below a value that belongs to one as a whole.
public final class FieldSets {
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> IDENTITY =
            List.of("name", "namespace", "managedFields", "resourceVersion", "uid");

    private final ObjectSchema schema;

    /// @param schema of the objects
    public FieldSets(ObjectSchema schema) {
        this.schema = schema;
    }

    /// @param object what someone wrote
    /// @return its fields, without its identity
    public ObjectNode of(ObjectNode object) {
        var out = object.objectNode();
        for (var field : object.properties()) {
            switch (field.getKey()) {
                case "apiVersion", "kind", "status" -> {}
                case "metadata" -> {
                    var meta = fields(field.getValue(), schema.meta());
                    IDENTITY.forEach(name -> meta.remove("f:" + name));
                    if (!meta.isEmpty()) {
                        out.set("f:metadata", meta);
                    }
                }
                default -> out.set("f:" + field.getKey(), below(field, schema.whole()));
            }
        }
        return out;
    }

    private static ObjectNode below(Map.Entry<String, JsonNode> field, Schema schema) {
        return schema.field(field.getKey())
                .map(part -> fields(field.getValue(), part))
                .orElseGet(() -> JSON.createObjectNode());
    }

    private static ObjectNode fields(JsonNode value, Schema schema) {
        var out = JSON.createObjectNode();
        if (value.isObject()) {
            value.properties()
                    .forEach(field -> out.set("f:" + field.getKey(), below(field, schema)));
        } else if (value.isArray() && keyed(schema)) {
            for (var item : value.values()) {
                var below = schema.items().map(s -> fields(item, s)).orElseThrow();
                if (item.isObject()) {
                    below.putObject(".");
                }
                out.set(key(item, schema), below);
            }
        }
        return out;
    }

    private static boolean keyed(Schema schema) {
        return schema.isSet() || !schema.listKeys().isEmpty();
    }

    private static String key(JsonNode item, Schema list) {
        return list.isSet() ? "v:" + item : "k:" + Structure.keyOf(item, list.listKeys());
    }

    /// @param there an object, changed: what was written is put into it, items of lists that are
    ///   maps each by their key
    /// @param written what someone wrote
    public void merge(ObjectNode there, ObjectNode written) {
        merge(there, written, schema.whole(), Optional.of(schema.meta()));
    }

    private static void merge(
            ObjectNode there, ObjectNode written, Schema schema, Optional<Schema> meta) {
        for (var field : written.properties()) {
            var name = field.getKey();
            var part = meta.isPresent() && name.equals("metadata") ? meta : schema.field(name);
            var present = there.get(name);
            if (field.getValue() instanceof ObjectNode below
                    && present instanceof ObjectNode object) {
                part.ifPresent(s -> merge(object, below, s, Optional.empty()));
            } else if (present instanceof ArrayNode list
                    && field.getValue().isArray()
                    && part.filter(FieldSets::keyed).isPresent()) {
                items(list, field.getValue(), part.get());
            } else {
                there.set(name, field.getValue().deepCopy());
            }
        }
    }

    private static void items(ArrayNode there, JsonNode written, Schema list) {
        for (var item : written.values()) {
            var same =
                    there.values().stream()
                            .filter(other -> key(other, list).equals(key(item, list)))
                            .findFirst();
            if (same.isEmpty()) {
                there.add(item.deepCopy());
            } else if (same.get() instanceof ObjectNode object
                    && item instanceof ObjectNode below) {
                list.items().ifPresent(s -> merge(object, below, s, Optional.empty()));
            }
        }
    }

    /// Takes fields out.
    ///
    /// @param there an object, changed
    /// @param fields which
    /// @param kept fields that stay nevertheless
    public void remove(ObjectNode there, JsonNode fields, List<? extends JsonNode> kept) {
        take(there, fields, kept);
    }

    private static void take(JsonNode there, JsonNode fields, List<? extends JsonNode> kept) {
        for (var field : fields.properties()) {
            var step = field.getKey();
            if (step.equals(".")) {
                continue;
            }
            var keptBelow = kept.stream().filter(k -> k.has(step)).map(k -> k.get(step)).toList();
            var at = find(there, step);
            if (at.isEmpty()) {
                continue;
            }
            if (keptBelow.isEmpty() && (field.getValue().isEmpty() || !step.startsWith("f:"))) {
                takeOut(there, step, at.get());
            } else {
                take(at.get(), field.getValue(), keptBelow);
            }
        }
    }

    private static void takeOut(JsonNode there, String step, JsonNode value) {
        if (there instanceof ObjectNode object) {
            object.remove(step.substring(2));
        } else if (there instanceof ArrayNode list) {
            list.removeIf(item -> item == value);
        }
    }

    /// Finds the fields that someone else wrote and that would change.
    ///
    /// @param fields what is written
    /// @param others what someone else wrote
    /// @param written the object that is written
    /// @param there the object that is there
    /// @return paths, such as `.spec.suspend`
    public List<String> changed(
            JsonNode fields, JsonNode others, JsonNode written, JsonNode there) {
        var paths = new ArrayList<String>();
        changed(fields, others, written, there, "", paths);
        return paths;
    }

    private static void changed(
            JsonNode fields,
            JsonNode others,
            JsonNode written,
            JsonNode there,
            String path,
            List<String> paths) {
        for (var field : fields.properties()) {
            var step = field.getKey();
            var theirs = others.get(step);
            var now = find(written, step);
            var was = find(there, step);
            if (theirs == null || now.isEmpty() || was.isEmpty()) {
                continue;
            }
            if (field.getValue().isEmpty()) {
                if (!now.equals(was)) {
                    paths.add(path + shown(step));
                }
            } else {
                changed(field.getValue(), theirs, now.get(), was.get(), path + shown(step), paths);
            }
        }
    }

    private static Optional<JsonNode> find(JsonNode there, String step) {
        if (step.startsWith("f:")) {
            return Optional.ofNullable(there.get(step.substring(2)));
        }
        if (step.equals(".") || !there.isArray()) {
            return Optional.empty();
        }
        var wanted = JSON.readTree(step.substring(2));
        boolean set = step.startsWith("v:");
        return there.values().stream()
                .filter(item -> set ? item.equals(wanted) : has(item, wanted))
                .findFirst();
    }

    private static boolean has(JsonNode item, JsonNode key) {
        return key.properties().stream()
                .allMatch(part -> part.getValue().equals(item.get(part.getKey())));
    }

    private static String shown(String step) {
        if (step.startsWith("f:")) {
            return "." + step.substring(2);
        }
        var key = JSON.readTree(step.substring(2));
        if (!key.isObject()) {
            return "[=" + key + "]";
        }
        var parts = key.properties().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
        return "[" + String.join(",", parts) + "]";
    }
}
