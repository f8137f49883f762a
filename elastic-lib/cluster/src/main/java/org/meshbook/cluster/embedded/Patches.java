package org.meshbook.cluster.embedded;

import java.util.ArrayList;
import org.meshbook.cluster.Same;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Merges JSON: a patch as in RFC 7386, and the patch that `kubectl apply` makes of three states.
final class Patches {
    private Patches() {}

    /// Puts a patch into an object: `null` takes a field out, objects are merged, all else is put
    /// in the place of what is there.
    static void merge(ObjectNode target, JsonNode patch) {
        for (var field : patch.properties()) {
            var name = field.getKey();
            var value = field.getValue();
            if (value.isNull()) {
                target.remove(name);
            } else if (value instanceof ObjectNode below) {
                if (!(target.get(name) instanceof ObjectNode)) {
                    target.putObject(name);
                }
                merge((ObjectNode) target.get(name), below);
            } else {
                target.set(name, value);
            }
        }
    }

    /// Makes the patch that turns what is there into what a person wrote, and takes out what that
    /// person wrote before and does not write any more.
    ///
    /// @param before what the person wrote before
    /// @param wanted what the person writes now
    /// @param there what is there
    /// @return the patch; without fields if there is nothing to change
    static ObjectNode threeWay(JsonNode before, ObjectNode wanted, JsonNode there) {
        var patch = wanted.objectNode();
        for (var field : wanted.properties()) {
            var name = field.getKey();
            var value = field.getValue();
            var present = there.path(name);
            if (value instanceof ObjectNode below && present.isObject()) {
                var deeper = threeWay(before.path(name), below, present);
                if (!deeper.isEmpty()) {
                    patch.set(name, deeper);
                }
            } else if (!Same.both(value, present)) {
                patch.set(name, value);
            }
        }
        for (var name : new ArrayList<>(before.propertyNames())) {
            if (!wanted.has(name) && there.has(name)) {
                patch.putNull(name);
            }
        }
        return patch;
    }
}
