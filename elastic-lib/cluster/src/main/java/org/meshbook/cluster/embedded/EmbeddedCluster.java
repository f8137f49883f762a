package org.meshbook.cluster.embedded;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.AdmissionHook.Review;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Same;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.store.Store;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A cluster inside this process.
public final class EmbeddedCluster implements Cluster, AutoCloseable {
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

    /// Who applies from the client's side.
    private static final String CLIENT = "kubectl-client-side-apply";

    /// Kinds whose changes are not counted.
    private static final Set<ResourceKind> UNCOUNTED =
            Set.of(Kinds.NAMESPACE, Kinds.NODE, Kinds.SERVICE, Kinds.CONFIG_MAP, Kinds.EVENT);

    private final Settings settings;
    private final Store store;
    private final PodPriority priority;
    private final Intake intake;
    private final Lifecycle lifecycle;
    private final Names names;

    private EmbeddedCluster(Settings settings) {
        this.settings = settings;
        store = settings.folder().map(Store::in).orElseGet(Store::inMemory);
        priority = new PodPriority(store);
        intake = new Intake(settings.profile());
        lifecycle = new Lifecycle(store, settings.clock());
        names = new Names(settings.random());
    }

    /// Opens a cluster with the namespaces that every cluster has, and with what it was when it was
    /// closed or ended.
    ///
    /// @param settings how
    /// @return the cluster
    public static EmbeddedCluster open(Settings settings) {
        var cluster = new EmbeddedCluster(settings);
        cluster.lifecycle.recover();
        Stream.of("default", "kube-node-lease", "kube-public", "kube-system")
                .map(name -> Resource.named(Kinds.NAMESPACE, "", name))
                .filter(space -> cluster.store.find(space.key()).isEmpty())
                .forEach(space -> cluster.create(space, WriteOptions.PLAIN));
        return cluster;
    }

    /// Has the disk take what was written. Nothing can be written afterwards.
    @Override
    public void close() {
        store.close();
    }

    /// Does work whose writes return before the disk's file has them; see [Store#ahead].
    ///
    /// @param work the controllers' work
    public void ahead(Runnable work) {
        store.ahead(work);
    }

    @Override
    public Optional<Resource> find(ResourceKey key) {
        return store.find(key).map(object -> intake.show(object, key.kind()));
    }

    @Override
    public List<Resource> list(ResourceKind kind, String namespace) {
        var kept = store.list(kind, namespace);
        return Kinds.kept(kind).equals(kind)
                ? kept
                : kept.stream().map(object -> intake.show(object, kind)).toList();
    }

    @Override
    public List<Resource> ownedBy(Resource owner, ResourceKind kind) {
        return store.ownedBy(owner.uid(), kind);
    }

    @Override
    public Resource create(Resource object, WriteOptions options) {
        // 1. what the request brings, in the version in which it is kept
        var kind = intake.kind(object);
        var read = intake.read(object, options);
        // 2. a name, a place and the server's own fields
        var fresh = read.with(json -> begin(json, Kinds.kept(kind)));
        checkNamespace(fresh);
        // 3. hooks change it, the schema and then the hooks check it
        var wanted = admit(fresh, Optional.empty(), kind);
        // 4. store it
        if (options.dryRun()) {
            if (store.find(wanted.key()).isPresent()) {
                throw ApiException.alreadyExists(kind, wanted.name());
            }
            return intake.show(wanted, kind);
        }
        return intake.show(lifecycle.put(wanted, null), kind);
    }

    @Override
    public Resource update(Resource object, WriteOptions options) {
        var kind = intake.kind(object);
        var read = intake.read(object, options);
        var stored =
                replace(
                        read,
                        options.dryRun(),
                        before -> admit(merged(read, before), Optional.of(before), kind));
        return intake.show(stored, kind);
    }

    private static Resource merged(Resource object, Resource before) {
        return object.with(
                json -> {
                    keep(json, before.json(), STATUS);
                    for (var field : OWN_FIELDS) {
                        keep(json.withObjectProperty(META), before.json().get(META), field);
                    }
                });
    }

    @Override
    public Resource updateStatus(Resource object) {
        var kind = intake.kind(object);
        // of what is sent, only the status is taken; an older version is turned into ours whole
        boolean whole = !Kinds.kept(kind).equals(kind);
        var read = intake.read(whole ? object : statusOf(object), WriteOptions.PLAIN);
        var stored = replace(read, false, before -> reported(read, before, kind));
        return intake.show(stored, kind);
    }

    private static Resource statusOf(Resource object) {
        var json = object.json().objectNode();
        for (var field : List.of("apiVersion", "kind", META, STATUS)) {
            keep(json, object.json(), field);
        }
        return new Resource(json);
    }

    private Resource reported(Resource object, Resource before, ResourceKind kind) {
        var json = Store.shallow(before.json());
        keep(json, object.json(), STATUS);
        var after = new Resource(json);
        intake.check(after, Optional.of(before), kind);
        return after;
    }

    @Override
    public Resource apply(Resource object, WriteOptions options) {
        var side = new ServerSide(intake.fields(intake.kind(object)), CLIENT, "Update");
        var now = settings.clock().instant();
        var annotated = Apply.annotated(object);
        return retrying(
                object,
                () -> create(side.owned(annotated, object, now), options),
                there -> {
                    var wanted = Apply.onto(object, there);
                    return wanted == there
                            ? there
                            : update(side.owned(wanted, object, now), options);
                });
    }

    /// Creates an object or merges it into what is there, as `kubectl apply --server-side` does.
    ///
    /// @param object what a manager writes
    /// @param manager who
    /// @param force whether to take over fields that others own
    /// @param options how
    /// @return it, as stored
    /// @throws ApiException 409 with the fields that others own, without `force`
    public Resource applyServerSide(
            Resource object, String manager, boolean force, WriteOptions options) {
        var side = new ServerSide(intake.fields(intake.kind(object)), manager, "Apply");
        var now = settings.clock().instant();
        return retrying(
                object,
                () -> create(side.owned(object, object, now), options),
                there -> update(side.onto(object, there, force, now), options));
    }

    /// Creates or changes, again if somebody was faster.
    private Resource retrying(
            Resource object, Supplier<Resource> create, UnaryOperator<Resource> change) {
        var key = keyOf(object);
        while (true) {
            var there = find(key).orElse(null);
            try {
                return there == null ? create.get() : change.apply(there);
            } catch (ApiException refused) {
                boolean same =
                        find(key)
                                .map(Resource::resourceVersion)
                                .equals(Optional.ofNullable(there).map(Resource::resourceVersion));
                if (same) {
                    throw refused;
                }
            }
        }
    }

    private ResourceKey keyOf(Resource object) {
        var namespace = object.namespace().isEmpty() ? "default" : object.namespace();
        return intake.kind(object).key(namespace, object.name());
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
        return store.watch(kind, shown(kind, listener));
    }

    @Override
    public Watch watch(ResourceKind kind, long since, Consumer<WatchEvent> listener) {
        return store.watch(kind, since, shown(kind, listener));
    }

    private Consumer<WatchEvent> shown(ResourceKind kind, Consumer<WatchEvent> listener) {
        if (Kinds.kept(kind).equals(kind)) {
            return listener;
        }
        return event ->
                listener.accept(new WatchEvent(event.type(), intake.show(event.object(), kind)));
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
        // who makes a node says what it has, as the API server lets him
        if (!kind.equals(Kinds.NODE)) {
            json.remove(STATUS);
        }
        var metadata = json.withObjectProperty(META);
        name(metadata, kind);
        metadata.remove(
                List.of("deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion"));
        metadata.put("uid", names.uid());
        var now = settings.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        metadata.put("creationTimestamp", now.toString());
        if (!UNCOUNTED.contains(kind)) {
            metadata.put("generation", 1L);
        }
        if (kind.equals(Kinds.NAMESPACE)) {
            metadata.withObjectProperty("labels")
                    .set("kubernetes.io/metadata.name", metadata.get("name"));
            json.putObject(STATUS).put("phase", "Active");
        } else if (kind.equals(Kinds.JOB)) {
            Builtins.select(json);
        } else if (kind.equals(Kinds.POD)) {
            json.putObject(STATUS).put("phase", "Pending");
        }
    }

    private void name(ObjectNode metadata, ResourceKind kind) {
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

    /// Lets the hooks change an object, then checks it against its schema, then lets them check it.
    private Resource admit(Resource object, Optional<Resource> before, ResourceKind asked) {
        var kind = Kinds.kept(asked);
        var hooks = settings.hooks().stream().filter(h -> h.kinds().contains(kind)).toList();
        boolean newPod = kind.equals(Kinds.POD) && before.isEmpty();
        var changed = newPod ? priority.give(object) : object;
        for (var hook : hooks) {
            changed = hook.mutate(new Review(changed, before));
        }
        intake.check(changed, before, asked);
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
        var json = Store.shallow(after.json());
        var metadata = Store.shallow((ObjectNode) json.get(META));
        json.set(META, metadata);
        metadata.put("resourceVersion", Long.toString(before.resourceVersion()));
        boolean same =
                Stream.concat(
                                after.json().propertyNames().stream(),
                                before.json().propertyNames().stream())
                        .filter(field -> !field.equals(META) && !field.equals(STATUS))
                        .allMatch(f -> Same.both(after.json().get(f), before.json().get(f)));
        if (before.generation() > 0 && !same) {
            metadata.put("generation", before.generation() + 1);
        }
        return new Resource(json);
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
