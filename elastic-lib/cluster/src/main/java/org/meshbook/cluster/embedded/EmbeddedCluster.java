package org.meshbook.cluster.embedded;

import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.AdmissionHook.Review;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.store.Store;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A cluster inside this process.
public final class EmbeddedCluster implements Cluster {
    private static final String META = "metadata";
    private static final String STATUS = "status";

    /// What the server writes and nobody else may.
    private static final List<String> OWN_FIELDS =
            List.of(
                    "uid",
                    "creationTimestamp",
                    "generation",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "generateName");

    private final Settings settings;
    private final Store store = new Store();
    private final Lifecycle lifecycle;
    private final Names names;

    private EmbeddedCluster(Settings settings) {
        this.settings = settings;
        lifecycle = new Lifecycle(store, settings.clock());
        names = new Names(settings.random());
    }

    /// @param settings how
    /// @return a cluster with the namespaces that every cluster has
    public static EmbeddedCluster open(Settings settings) {
        var cluster = new EmbeddedCluster(settings);
        Stream.of("default", "kube-node-lease", "kube-public", "kube-system")
                .map(name -> Resource.named(Kinds.NAMESPACE, "", name))
                .forEach(space -> cluster.create(space, WriteOptions.PLAIN));
        return cluster;
    }

    @Override
    public Optional<Resource> find(ResourceKey key) {
        return store.find(key);
    }

    @Override
    public List<Resource> list(ResourceKind kind, String namespace) {
        return store.list(kind, namespace);
    }

    @Override
    public List<Resource> ownedBy(Resource owner, ResourceKind kind) {
        return store.ownedBy(owner.uid(), kind);
    }

    @Override
    public Resource create(Resource object, WriteOptions options) {
        // 1. a name and a place
        var named = object.with(json -> name(json, object.kind()));
        var kind = named.key().kind();
        checkNamespace(named);
        // 2. the server's own fields
        var fresh = named.with(json -> begin(json, kind));
        // 3. hooks change it, then check it
        var wanted = admit(fresh, Optional.empty());
        // 4. store it
        if (options.dryRun()) {
            store.find(wanted.key())
                    .ifPresent(
                            _ -> {
                                throw ApiException.alreadyExists(kind, wanted.name());
                            });
            return wanted;
        }
        return lifecycle.put(wanted, null);
    }

    @Override
    public Resource update(Resource object, WriteOptions options) {
        return replace(object, options.dryRun(), before -> admit(merged(object, before), before));
    }

    private Resource merged(Resource object, Resource before) {
        return object.with(
                json -> {
                    keep(json, before.json(), STATUS);
                    for (var field : OWN_FIELDS) {
                        keep(json.withObject(META), before.json().get(META), field);
                    }
                });
    }

    @Override
    public Resource updateStatus(Resource object) {
        return replace(
                object,
                false,
                before ->
                        before.with(
                                json -> {
                                    json.remove(STATUS);
                                    keep(json, object.json(), STATUS);
                                }));
    }

    @Override
    public Resource apply(Resource object, WriteOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(ResourceKey key, Propagation propagation) {
        lifecycle.delete(key, propagation);
    }

    @Override
    public void remove(ResourceKey key) {
        lifecycle.remove(key);
    }

    @Override
    public Watch watch(ResourceKind kind, Consumer<WatchEvent> listener) {
        return store.watch(kind, listener);
    }

    private void name(ObjectNode json, ResourceKind kind) {
        var metadata = json.withObject(META);
        var base = metadata.path("generateName").asString("");
        if (metadata.path("name").asString("").isEmpty() && !base.isEmpty()) {
            metadata.put("name", names.after(base));
        }
        if (!kind.namespaced()) {
            metadata.remove("namespace");
        } else if (metadata.path("namespace").asString("").isEmpty()) {
            metadata.put("namespace", "default");
        }
    }

    private void checkNamespace(Resource object) {
        if (!object.kind().namespaced()) {
            return;
        }
        var space =
                store.find(Kinds.NAMESPACE.key("", object.namespace()))
                        .orElseThrow(
                                () -> ApiException.notFound(Kinds.NAMESPACE, object.namespace()));
        if (space.deleting()) {
            throw ApiException.forbidden(
                    object.key().kind(),
                    object.name(),
                    "unable to create new content in namespace %s because it is being terminated"
                            .formatted(space.name()));
        }
    }

    private void begin(ObjectNode json, ResourceKind kind) {
        json.remove(STATUS);
        json.put("apiVersion", kind.apiVersion());
        var metadata = json.withObject(META);
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        metadata.remove("resourceVersion");
        metadata.put("uid", names.uid());
        var now = settings.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        metadata.put("creationTimestamp", now.toString()).put("generation", 1);
        if (kind.equals(Kinds.NAMESPACE)) {
            metadata.withObject("labels")
                    .put("kubernetes.io/metadata.name", metadata.path("name").asString(""));
            json.putObject(STATUS).put("phase", "Active");
        } else if (kind.equals(Kinds.POD)) {
            json.putObject(STATUS).put("phase", "Pending");
        }
    }

    private Resource admit(Resource object, Resource before) {
        return admit(object, Optional.of(before));
    }

    private Resource admit(Resource object, Optional<Resource> before) {
        var kind = object.key().kind();
        var hooks = settings.hooks().stream().filter(h -> h.kinds().contains(kind)).toList();
        var changed = object;
        for (var hook : hooks) {
            changed = hook.mutate(new Review(changed, before));
        }
        for (var hook : hooks) {
            check(hook, new Review(changed, before));
        }
        return changed;
    }

    private static void check(AdmissionHook hook, Review review) {
        var wrong = hook.validate(review);
        if (wrong.isEmpty()) {
            return;
        }
        var text = wrong.size() == 1 ? wrong.getFirst() : "[" + String.join(", ", wrong) + "]";
        throw new ApiException(
                403,
                "Forbidden",
                "admission webhook \"v%s\" denied the request: %s".formatted(hook.name(), text),
                List.of());
    }

    /// Replaces an object by what an edit makes of it; again if somebody was faster and the caller
    /// does not insist on a version.
    private Resource replace(Resource object, boolean dryRun, UnaryOperator<Resource> edit) {
        var key = object.key();
        long wanted = object.resourceVersion();
        while (true) {
            var before =
                    store.find(key)
                            .orElseThrow(() -> ApiException.notFound(key.kind(), key.name()));
            if (wanted != 0 && wanted != before.resourceVersion()) {
                throw ApiException.conflict(key.kind(), key.name());
            }
            var after = numbered(edit.apply(before), before);
            if (dryRun || Same.both(after.json(), before.json())) {
                return after;
            }
            try {
                return lifecycle.put(after, before);
            } catch (ApiException refused) {
                if (!refused.conflicted() || wanted != 0) {
                    throw refused;
                }
            }
        }
    }

    /// The generation grows with every change but of metadata and status.
    private static Resource numbered(Resource after, Resource before) {
        boolean same =
                Stream.concat(
                                after.json().propertyNames().stream(),
                                before.json().propertyNames().stream())
                        .filter(field -> !field.equals(META) && !field.equals(STATUS))
                        .allMatch(f -> Same.both(after.json().get(f), before.json().get(f)));
        return after.with(
                json -> {
                    var metadata = json.withObject(META);
                    metadata.put("generation", before.generation() + (same ? 0 : 1));
                    metadata.put("resourceVersion", Long.toString(before.resourceVersion()));
                });
    }

    private static void keep(ObjectNode target, JsonNode source, String field) {
        var value = source.get(field);
        if (value == null) {
            target.remove(field);
        } else {
            target.set(field, value);
        }
    }
}
