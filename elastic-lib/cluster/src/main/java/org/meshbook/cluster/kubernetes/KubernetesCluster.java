package org.meshbook.cluster.kubernetes;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.kubernetes.login.Access;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A cluster that an API server keeps.
///
/// What the server refuses is an [ApiException] with its own words; a server that does not answer
/// is a [org.meshbook.cluster.ClusterUnreachable]. Threads: any; each watch has a virtual one.
public final class KubernetesCluster implements Cluster, Logs, AutoCloseable {
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String MERGE = "application/merge-patch+json";
    private static final String META = "metadata";
    private static final int UNSUPPORTED = 415;

    /// A write without a version is tried again when somebody else writes at the same time.
    private static final int MOST_TRIES = 20;

    private final Connection connection;
    private final Patience patience;
    private final Set<Reflector> watches = ConcurrentHashMap.newKeySet();

    KubernetesCluster(Access access, Patience patience) {
        this.patience = patience;
        connection = new Connection(access, patience);
    }

    /// @return the context that this was opened with
    public String context() {
        return connection.access().name();
    }

    /// @return the API server's address
    public URI server() {
        return URI.create(connection.access().config().getMasterUrl());
    }

    /// @return the context's namespace
    public String namespace() {
        return connection.access().namespace();
    }

    @Override
    public Optional<Resource> find(ResourceKey key) {
        try {
            return Optional.of(resource(connection.send(Ask.of("GET", key), _ -> {})));
        } catch (ApiException refused) {
            if (refused.missing() && refused.reason().equals("NotFound")) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    @Override
    public List<Resource> list(ResourceKind kind, String namespace) {
        return Listing.read(connection, kind, namespace).objects();
    }

    @Override
    public List<Resource> ownedBy(Resource owner, ResourceKind kind) {
        return list(kind, owner.namespace()).stream()
                .filter(object -> object.owners().contains(owner.uid()))
                .toList();
    }

    @Override
    public Resource create(Resource object, WriteOptions options) {
        return write(Ask.of("POST", object.kind(), space(object)), object, options);
    }

    @Override
    public Resource update(Resource object, WriteOptions options) {
        return replace(object, fresh -> write(Ask.of("PUT", key(fresh)), fresh, options));
    }

    @Override
    public Resource updateStatus(Resource object) {
        return replace(
                object,
                fresh ->
                        write(
                                Ask.of("PUT", key(fresh)).below("status"),
                                fresh,
                                WriteOptions.PLAIN));
    }

    private interface Write {
        Resource of(Resource object);
    }

    /// Without a version, takes that of what is there: some kinds insist on one.
    private Resource replace(Resource object, Write write) {
        if (!object.text(META, "resourceVersion").isEmpty()) {
            return write.of(object);
        }
        for (int attempt = 1; ; attempt++) {
            var there =
                    find(key(object))
                            .orElseThrow(() -> ApiException.notFound(object.kind(), object.name()));
            try {
                return write.of(
                        object.with(
                                json ->
                                        json.withObjectProperty(META)
                                                .put(
                                                        "resourceVersion",
                                                        there.text(META, "resourceVersion"))));
            } catch (ApiException refused) {
                if (!refused.conflicted() || attempt == MOST_TRIES) {
                    throw refused;
                }
            }
        }
    }

    /// Applies an object on the server's side, as manager `meshbook`.
    ///
    /// @throws ApiException if another manager owns a field and has another value for it; the text
    ///   names both
    @Override
    public Resource apply(Resource object, WriteOptions options) {
        return apply(object, options, false);
    }

    /// As [#apply], and takes over the fields that other managers own.
    ///
    /// @param object what a person wrote
    /// @param options how
    /// @return it, as stored
    public Resource applyForced(Resource object, WriteOptions options) {
        return apply(object, options, true);
    }

    private Resource apply(Resource object, WriteOptions options, boolean forced) {
        var mine = object.with(json -> json.withObjectProperty(META).remove("managedFields"));
        var ask = Ask.of("PATCH", key(mine)).with(options);
        try {
            return resource(
                    connection.send(
                            ask.with("force", forced ? "true" : "").sending(APPLY, mine.json()),
                            options.warnings()));
        } catch (ApiException refused) {
            if (refused.code() != UNSUPPORTED) {
                throw refused;
            }
        }
        options.warnings().accept("the server cannot apply; merged, so that no field is removed");
        return find(key(mine)).isEmpty()
                ? create(mine, options)
                : resource(connection.send(ask.sending(MERGE, mine.json()), options.warnings()));
    }

    private Resource write(Ask ask, Resource object, WriteOptions options) {
        return resource(
                connection.send(ask.with(options).sending(object.json()), options.warnings()));
    }

    /// The object's key in the version that it names; [Resource#key] gives the one kept here.
    private static ResourceKey key(Resource object) {
        return object.kind().key(space(object), object.name());
    }

    private static String space(Resource object) {
        return object.kind().namespaced() && object.namespace().isEmpty()
                ? "default"
                : object.namespace();
    }

    @Override
    public void delete(ResourceKey key, Propagation propagation) {
        var policy =
                switch (propagation) {
                    case FOREGROUND -> "Foreground";
                    case BACKGROUND -> "Background";
                    case ORPHAN -> "Orphan";
                };
        delete(key, deleteOptions().put("propagationPolicy", policy));
    }

    @Override
    public void remove(ResourceKey key) {
        delete(key, deleteOptions().put("gracePeriodSeconds", 0));
    }

    private static ObjectNode deleteOptions() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "DeleteOptions")
                .put("apiVersion", "v1");
    }

    private void delete(ResourceKey key, ObjectNode options) {
        connection.send(Ask.of("DELETE", key).sending(options), _ -> {});
    }

    @Override
    public Watch watch(ResourceKind kind, Consumer<WatchEvent> listener) {
        var reflector = new Reflector(connection, kind, patience, listener, watches::remove);
        watches.add(reflector);
        reflector.open();
        return reflector;
    }

    @Override
    public void logs(ResourceKey pod, Options options, Lines lines) throws InterruptedException {
        new PodLogs(connection, pod, options, () -> find(pod)).tell(lines);
    }

    /// Reads what the server has beside objects.
    ///
    /// @param path such as `metrics`, without a slash in front
    /// @return the answer as it is
    public String text(String path) {
        return connection.text(Ask.of("GET", path));
    }

    /// @return how the watches fare that are open
    public List<WatchStatus> watches() {
        return watches.stream().map(Reflector::status).toList();
    }

    /// @return connections that are open
    int connections() {
        return connection.connections();
    }

    private static Resource resource(JsonNode json) {
        return new Resource((ObjectNode) json);
    }

    /// Closes all watches and connections.
    @Override
    public void close() {
        watches.forEach(Reflector::close);
        connection.close();
    }
}
