package org.meshbook.cluster.rest.form;

import java.util.Arrays;
import java.util.List;
import org.meshbook.cluster.ApiException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A list of operations on paths, done in order, all or none. Source: RFC 6902, and RFC 6901 for
/// its pointers.
///
/// @param operations the operations
public record JsonPatch(List<JsonNode> operations) {
    /// @param body a request's body
    /// @return the patch
    /// @throws ApiException if it is none
    public static JsonPatch of(JsonNode body) {
        if (!body.isArray()) {
            throw new ApiException(
                    400, "BadRequest", "the body of the request is no JSON patch", List.of());
        }
        return new JsonPatch(List.copyOf(body.values()));
    }

    /// @return whether it says of which version of the object it speaks
    public boolean namesVersion() {
        return operations.stream()
                .anyMatch(o -> o.path("path").asString("").equals("/metadata/resourceVersion"));
    }

    /// @param object changed in place
    /// @throws ApiException if an operation cannot be done, or a test fails
    public void apply(ObjectNode object) {
        for (var operation : operations) {
            var path = pointer(operation.path("path").asString(""));
            switch (operation.path("op").asString("")) {
                case "add" -> add(object, path, value(operation));
                case "remove" -> remove(object, path);
                case "replace" -> {
                    remove(object, path);
                    add(object, path, value(operation));
                }
                case "move" -> add(object, path, remove(object, from(operation)));
                case "copy" -> add(object, path, find(object, from(operation)).deepCopy());
                case "test" -> {
                    if (!find(object, path).equals(value(operation))) {
                        throw refused();
                    }
                }
                default -> throw refused();
            }
        }
    }

    private static List<String> from(JsonNode operation) {
        return pointer(operation.path("from").asString(""));
    }

    private static JsonNode value(JsonNode operation) {
        if (!operation.has("value")) {
            throw refused();
        }
        return operation.get("value");
    }

    private static List<String> pointer(String text) {
        if (!text.startsWith("/")) {
            throw refused();
        }
        return Arrays.stream(text.substring(1).split("/", -1))
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    private static JsonNode find(JsonNode root, List<String> path) {
        var node = root;
        for (var step : path) {
            node = node instanceof ArrayNode list ? list.path(place(step)) : node.path(step);
        }
        if (node.isMissingNode()) {
            throw refused();
        }
        return node;
    }

    private static void add(ObjectNode root, List<String> path, JsonNode value) {
        switch (find(root, path.subList(0, path.size() - 1))) {
            case ObjectNode parent -> parent.set(path.getLast(), value);
            case ArrayNode parent when path.getLast().equals("-") -> parent.add(value);
            case ArrayNode parent -> {
                int place = place(path.getLast());
                if (place > parent.size()) {
                    throw refused();
                }
                parent.insert(place, value);
            }
            default -> throw refused();
        }
    }

    private static JsonNode remove(ObjectNode root, List<String> path) {
        var found = find(root, path);
        switch (find(root, path.subList(0, path.size() - 1))) {
            case ObjectNode parent -> parent.remove(path.getLast());
            case ArrayNode parent -> parent.remove(place(path.getLast()));
            default -> throw refused();
        }
        return found;
    }

    private static int place(String step) {
        if (!step.matches("0|[1-9]\\d{0,8}")) {
            throw refused();
        }
        return Integer.parseInt(step);
    }

    /// The server says no more than this, whatever the operation.
    private static ApiException refused() {
        return new ApiException(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request",
                List.of());
    }
}
