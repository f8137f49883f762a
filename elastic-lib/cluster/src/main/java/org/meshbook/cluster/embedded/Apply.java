package org.meshbook.cluster.embedded;

import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What `kubectl apply` sends: an annotation that keeps what a person wrote, and the patch between
/// that, what is written now, and what is there.
final class Apply {
    private static final String LAST = "kubectl.kubernetes.io/last-applied-configuration";
    private static final JsonMapper JSON = new JsonMapper();

    private Apply() {}

    /// @param written what a person wrote
    /// @return it, with the annotation
    static Resource annotated(Resource written) {
        return written.with(
                json -> {
                    var annotations = annotations(json);
                    annotations.remove(LAST);
                    var text = JSON.writeValueAsString(json) + "\n";
                    annotations.put(LAST, text);
                });
    }

    private static ObjectNode annotations(ObjectNode json) {
        return json.withObjectProperty("metadata").withObjectProperty("annotations");
    }

    /// @param written what a person wrote
    /// @param there what is there, in the same version
    /// @return what it comes to; the same as what is there if there is nothing to change
    static Resource onto(Resource written, Resource there) {
        var wanted = annotated(written);
        var patch = Patches.threeWay(last(there), wanted.json(), there.json());
        return patch.isEmpty() ? there : there.with(json -> Patches.merge(json, patch));
    }

    private static JsonNode last(Resource there) {
        var text = there.annotations().getOrDefault(LAST, "");
        return text.isEmpty() ? JsonNodeFactory.instance.objectNode() : JSON.readTree(text);
    }
}
