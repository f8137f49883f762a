package org.meshbook.cluster.embedded;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.store.Store;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How objects go: finalizers, the grace of pods, owners and what they own, namespaces and what is
/// in them.
///
/// A real cluster collects what has lost its owner some moments later; here it is done before the
/// write returns.
final class Lifecycle {
    private static final String META = "metadata";
    private static final String GRACE = "deletionGracePeriodSeconds";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final int DEFAULT_GRACE_SECONDS = 30;

    private final Store store;
    private final InstantSource clock;

    Lifecycle(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /// Ends what was under way when the last process ended: objects whose owners are gone go, and
    /// so do those that nothing holds any more.
    void recover() {
        for (var kind : Kinds.all()) {
            for (var object : store.list(kind, "")) {
                if (!object.owners().isEmpty()) {
                    ifThere(() -> collect(object));
                }
                if (object.deleting()) {
                    ifThere(() -> finish(object));
                }
            }
        }
    }

    private void finish(Resource object) {
        if (object.kind().equals(Kinds.NAMESPACE)) {
            empty(object.name());
        }
        release(object.uid());
        store.find(object.key()).filter(this::free).ifPresent(this::drop);
    }

    /// @param object what to store
    /// @param before what it replaces; null if it is new
    /// @return it, as stored; as it was last if the write made it go
    Resource put(Resource object, @Nullable Resource before) {
        if (object.deleting() && free(object) && before != null) {
            drop(before);
            return object;
        }
        var stored = store.put(object, before);
        if (!object.owners().isEmpty()) {
            collect(stored);
        }
        return stored;
    }

    /// @param key which object
    /// @param propagation what becomes of those that it owns
    void delete(ResourceKey key, Propagation propagation) {
        retrying(key, object -> mark(object, propagation, graceOf(object)));
    }

    /// @param key which object; it has ended already
    void remove(ResourceKey key) {
        retrying(key, object -> mark(object, Propagation.BACKGROUND, 0));
    }

    private void mark(Resource object, Propagation propagation, int grace) {
        if (propagation == Propagation.ORPHAN) {
            store.ownedBy(object.uid()).forEach(owned -> disown(owned, object.uid()));
        }
        var marked =
                object.deleting() && grace >= object.at(META, GRACE).asInt(0)
                        ? object
                        : object.with(json -> stamp(json, grace));
        if (propagation == Propagation.FOREGROUND) {
            marked = marked.with(json -> finalizers(json).add(FOREGROUND));
        }
        if (object.kind().equals(Kinds.NAMESPACE)) {
            marked =
                    marked.with(
                            json -> json.withObjectProperty("status").put("phase", "Terminating"));
        }
        if (free(marked)) {
            drop(object);
            return;
        }
        var held = marked == object ? object : store.put(marked, object);
        if (propagation == Propagation.FOREGROUND) {
            store.ownedBy(held.uid()).forEach(this::collect);
            release(held.uid());
        }
        if (object.kind().equals(Kinds.NAMESPACE)) {
            empty(held.name());
        }
    }

    private void stamp(ObjectNode json, int grace) {
        var metadata = json.withObjectProperty(META);
        Instant at = clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(grace);
        metadata.put("deletionTimestamp", at.toString()).put(GRACE, grace);
        if (metadata.path("generation").asLong(0) > 0) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
    }

    private static ArrayNode finalizers(ObjectNode json) {
        return json.withObjectProperty(META).withArrayProperty("finalizers");
    }

    /// A pod that runs on a node is told to end and has time to; all else goes at once.
    private static int graceOf(Resource object) {
        var phase = object.text("status", "phase");
        boolean runs =
                object.kind().equals(Kinds.POD)
                        && !object.text("spec", "nodeName").isEmpty()
                        && !phase.equals("Succeeded")
                        && !phase.equals("Failed");
        return runs
                ? object.at("spec", "terminationGracePeriodSeconds").asInt(DEFAULT_GRACE_SECONDS)
                : 0;
    }

    /// Whether nothing holds an object that was asked to go.
    private boolean free(Resource object) {
        boolean ended = object.at(META, GRACE).asInt(0) == 0;
        boolean full = object.kind().equals(Kinds.NAMESPACE) && !contents(object.name()).isEmpty();
        return ended && !full && object.list(META, "finalizers").isEmpty();
    }

    private void drop(Resource object) {
        store.remove(object);
        object.owners().forEach(this::release);
        store.ownedBy(object.uid()).forEach(this::collect);
        if (object.kind().namespaced()) {
            var space = Kinds.NAMESPACE.key("", object.namespace());
            store.find(space).filter(s -> s.deleting() && free(s)).ifPresent(this::drop);
        }
    }

    /// Lets an owner go that waits for those that it owns.
    private void release(String uid) {
        var owner = store.withUid(uid).filter(o -> o.deleting() && waits(o)).orElse(null);
        if (owner == null || store.ownedBy(uid).stream().anyMatch(o -> blocks(o, uid))) {
            return;
        }
        retrying(
                owner.key(),
                now -> put(now.with(json -> without(finalizers(json), FOREGROUND)), now));
    }

    private static boolean waits(Resource object) {
        return object.list(META, "finalizers").stream()
                .anyMatch(f -> f.asString("").equals(FOREGROUND));
    }

    private static boolean blocks(Resource owned, String uid) {
        return owned.list(META, "ownerReferences").stream()
                .filter(o -> o.path("uid").asString("").equals(uid))
                .anyMatch(o -> o.path("blockOwnerDeletion").asBoolean(false));
    }

    /// Deletes an object whose owners are all gone or going in the foreground.
    private void collect(Resource object) {
        boolean waited = false;
        for (var uid : object.owners()) {
            var owner = store.withUid(uid);
            if (owner.isPresent() && !(owner.get().deleting() && waits(owner.get()))) {
                return;
            }
            waited |= owner.isPresent();
        }
        boolean hasOwn = !store.ownedBy(object.uid()).isEmpty();
        var how = waited && hasOwn ? Propagation.FOREGROUND : Propagation.BACKGROUND;
        if (!object.deleting()) {
            ifThere(() -> delete(object.key(), how));
        }
    }

    private void disown(Resource object, String uid) {
        retrying(object.key(), now -> put(now.with(json -> dropOwner(json, uid)), now));
    }

    private static void dropOwner(ObjectNode json, String uid) {
        var owners = json.withObjectProperty(META).withArrayProperty("ownerReferences");
        owners.removeIf(owner -> owner.path("uid").asString("").equals(uid));
    }

    private static void without(ArrayNode texts, String text) {
        texts.removeIf(item -> item.asString("").equals(text));
    }

    private void empty(String namespace) {
        for (var object : contents(namespace)) {
            ifThere(() -> delete(object.key(), Propagation.BACKGROUND));
        }
    }

    private List<Resource> contents(String namespace) {
        return Kinds.all().stream()
                .filter(ResourceKind::namespaced)
                .flatMap(kind -> store.list(kind, namespace).stream())
                .toList();
    }

    private static void ifThere(Runnable action) {
        try {
            action.run();
        } catch (ApiException refused) {
            if (!refused.missing()) {
                throw refused;
            }
        }
    }

    /// Does something to an object as it is now, again if somebody was faster.
    private void retrying(ResourceKey key, Consumer<Resource> action) {
        while (true) {
            var now =
                    store.find(key)
                            .orElseThrow(() -> ApiException.notFound(key.kind(), key.name()));
            try {
                action.accept(now);
                return;
            } catch (ApiException refused) {
                if (!refused.conflicted()) {
                    throw refused;
                }
            }
        }
    }
}
