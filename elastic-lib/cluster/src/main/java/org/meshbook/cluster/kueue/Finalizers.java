package org.meshbook.cluster.kueue;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What holds an object that is deleted until its holder lets it go.
final class Finalizers {
    private Finalizers() {}

    static void remove(ObjectNode object, String name) {
        if (object.path("metadata").path("finalizers") instanceof ArrayNode list) {
            list.removeIf(n -> n.asString("").equals(name));
        }
    }
}
