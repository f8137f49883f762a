package org.meshbook.cluster;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// One object: a view of its JSON that is never changed. Who wants another object edits a copy.
///
/// Names, labels and annotations are read from the JSON each time. A field that is not there reads
/// as `""`, `0`, an empty map or a missing node; nothing here throws for want of a field.
///
/// @param json the whole object; owned by this resource, not to be changed
public record Resource(ObjectNode json) {
    /// @return its kind, in the version that it names
    /// @throws IllegalStateException if it is of a kind that nobody knows
    public ResourceKind kind() {
        return Kinds.find(text("apiVersion"), text("kind"))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "no kind \"%s\" in \"%s\""
                                                .formatted(text("kind"), text("apiVersion"))));
    }

    /// @return its key, whatever version it names
    public ResourceKey key() {
        return Kinds.kept(kind()).key(namespace(), name());
    }

    public String namespace() {
        return text("metadata", "namespace");
    }

    public String name() {
        return text("metadata", "name");
    }

    public String uid() {
        return text("metadata", "uid");
    }

    /// @return the store's counter at its last change; 0 for an object that was not stored
    public long resourceVersion() {
        return Long.parseLong("0" + text("metadata", "resourceVersion"));
    }

    public long generation() {
        return at("metadata", "generation").asLong(0);
    }

    public Map<String, String> labels() {
        return texts("metadata", "labels");
    }

    public Map<String, String> annotations() {
        return texts("metadata", "annotations");
    }

    public Optional<Instant> created() {
        return time("metadata", "creationTimestamp");
    }

    /// @return the uids of its owners
    public List<String> owners() {
        return list("metadata", "ownerReferences").stream()
                .map(owner -> owner.path("uid").asString(""))
                .toList();
    }

    /// @return whether someone asked to delete it and finalizers hold it
    public boolean deleting() {
        return !at("metadata", "deletionTimestamp").isMissingNode();
    }

    /// @param path names of fields, from the outside in
    /// @return what lies there; a missing node if nothing does
    public JsonNode at(String... path) {
        JsonNode node = json;
        for (var step : path) {
            node = node.path(step);
        }
        return node.isNull() ? MissingNode.getInstance() : node;
    }

    /// @param path names of fields
    /// @return the text there, `""` if there is none
    public String text(String... path) {
        return at(path).asString("");
    }

    /// @param path names of fields
    /// @return the time there
    public Optional<Instant> time(String... path) {
        return Optional.of(text(path)).filter(t -> !t.isEmpty()).map(Instant::parse);
    }

    /// @param path names of fields
    /// @return the elements of the list there
    public List<JsonNode> list(String... path) {
        return List.copyOf(at(path).values());
    }

    /// @param path names of fields
    /// @return the map of texts there, in its order
    public Map<String, String> texts(String... path) {
        var map = new LinkedHashMap<String, String>();
        at(path).properties().forEach(e -> map.put(e.getKey(), e.getValue().asString("")));
        return map;
    }

    /// @param type a condition's type
    /// @return the condition in the status
    public Optional<JsonNode> condition(String type) {
        return list("status", "conditions").stream()
                .filter(c -> c.path("type").asString("").equals(type))
                .findFirst();
    }

    /// @param type a condition's type
    /// @return whether it is there and `True`
    public boolean is(String type) {
        return condition(type)
                .filter(c -> c.path("status").asString("").equals("True"))
                .isPresent();
    }

    /// @param edit changes the copy
    /// @return a changed copy
    public Resource with(Consumer<ObjectNode> edit) {
        var copy = json.deepCopy();
        edit.accept(copy);
        return new Resource(copy);
    }

    /// @param edit changes the status of the copy, and nothing else of it
    /// @return a changed copy, which shares all but the status with this one
    public Resource withStatus(Consumer<ObjectNode> edit) {
        var copy = json.objectNode();
        json.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        if (json.get("status") != null) {
            copy.set("status", json.get("status").deepCopy());
        }
        edit.accept(copy);
        return new Resource(copy);
    }

    /// @param kind kind
    /// @param namespace namespace, `""` for kinds without
    /// @param name name
    /// @return an object with nothing but its identity
    public static Resource named(ResourceKind kind, String namespace, String name) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        var metadata = node.putObject("metadata").put("name", name);
        if (kind.namespaced()) {
            metadata.put("namespace", namespace);
        }
        return new Resource(node);
    }
}
