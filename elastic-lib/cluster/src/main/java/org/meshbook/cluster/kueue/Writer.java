package org.meshbook.cluster.kueue;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.control.Conditions;
import tools.jackson.databind.node.ObjectNode;

/// Changes objects as they are now; again, if somebody was faster.
final class Writer {
    private static final int TRIES = 5;

    private final Cluster cluster;

    Writer(Cluster cluster) {
        this.cluster = cluster;
    }

    Cluster cluster() {
        return cluster;
    }

    Resource require(ResourceKey key) {
        return cluster.find(key).orElseThrow(() -> ApiException.notFound(key.kind(), key.name()));
    }

    /// @return the object after it; empty if it is gone
    Optional<Resource> status(ResourceKey key, Consumer<ObjectNode> edit) {
        return change(key, before -> before.withStatus(edit), cluster::updateStatus);
    }

    /// @return the object after it; empty if it is gone
    Optional<Resource> object(ResourceKey key, Consumer<ObjectNode> edit) {
        return change(key, before -> before.with(edit), o -> cluster.update(o, WriteOptions.PLAIN));
    }

    private Optional<Resource> change(
            ResourceKey key, UnaryOperator<Resource> edit, UnaryOperator<Resource> write) {
        for (int i = 1; ; i++) {
            var before = cluster.find(key);
            if (before.isEmpty()) {
                return before;
            }
            var after = edit.apply(before.get());
            if (after.json().equals(before.get().json())) {
                return before;
            }
            try {
                return Optional.of(write.apply(after));
            } catch (ApiException refused) {
                if (refused.missing()) {
                    return Optional.empty();
                }
                if (!refused.conflicted() || i == TRIES) {
                    throw refused;
                }
            }
        }
    }

    /// Turns a condition that is `True` into one that is not, and keeps what it said.
    static void previously(ObjectNode object, String type, String reason, Instant now) {
        var before = new Resource(object);
        if (before.is(type)) {
            var message = before.condition(type).orElseThrow().path("message").asString("");
            Conditions.put(object, type, false, reason, "Previously: " + message, now);
        }
    }

    static String message(Resource object, String type) {
        return object.condition(type).map(c -> c.path("message").asString("")).orElse("");
    }

    static String reason(Resource object, String type) {
        return object.condition(type).map(c -> c.path("reason").asString("")).orElse("");
    }

    static boolean isFalse(Resource object, String type) {
        return object.condition(type)
                .filter(c -> c.path("status").asString("").equals("False"))
                .isPresent();
    }

    static Optional<Instant> since(Resource object, String type) {
        return object.condition(type)
                .map(c -> c.path("lastTransitionTime").asString(""))
                .filter(t -> !t.isEmpty())
                .map(Instant::parse);
    }
}
