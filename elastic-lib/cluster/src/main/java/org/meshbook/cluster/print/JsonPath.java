package org.meshbook.cluster.print;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// Reads paths of columns: `.spec.queueName`, `.status.conditions[?(@.type=="Admitted")].status`.
final class JsonPath {
    private static final Pattern STEP =
            Pattern.compile("\\.([^.\\[]+)(?:\\[\\?\\(@\\.([^=]+)==['\"]([^'\"]*)['\"]\\)])?");

    private JsonPath() {}

    /// @param object where to look
    /// @param path what for
    /// @return what is there; a missing node if nothing is
    static JsonNode find(JsonNode object, String path) {
        var node = object;
        for (var step = STEP.matcher(path); step.find(); ) {
            node = node.path(step.group(1));
            if (step.group(2) != null) {
                node = chosen(node, step);
            }
        }
        return node.isNull() ? MissingNode.getInstance() : node;
    }

    private static JsonNode chosen(JsonNode list, Matcher step) {
        return list.values().stream()
                .filter(item -> item.path(step.group(2)).asString("").equals(step.group(3)))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }
}
