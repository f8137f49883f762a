package org.meshbook.cluster.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.WatchEvent.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps telling a listener what a server's objects of one kind do, however often the server ends
/// the watch.
///
/// It lists, tells how that differs from what the listener knows, and watches from the list's
/// version on. A watch that ends goes on from the last version that came; if the server no longer
/// knows that one (410), or was silent for too long, all begins anew with a list. Because what is
/// told is always the difference to what was told before, no change is lost or comes twice; of
/// changes that a list skips, only the last is told. Tries that fail wait longer each time.
///
/// Threads: the listener is called by the opening thread until the first list is told, then by one
/// virtual thread.
///
/// Source: client-go's Reflector, and
/// https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
final class Reflector implements Cluster.Watch {
    private static final System.Logger LOG = System.getLogger(Reflector.class.getName());
    private static final int GONE = 410;
    private static final int SHORTEST_SECONDS = 300;

    private final Connection connection;
    private final ResourceKind kind;
    private final Patience patience;
    private final Consumer<WatchEvent> listener;
    private final Consumer<Reflector> leave;
    private final Map<ResourceKey, Resource> told = new TreeMap<>();
    private final Thread thread;
    private String version = "";
    private boolean heardSinceList;
    private volatile @Nullable Call call;
    private volatile boolean closed;
    private volatile WatchStatus status;

    Reflector(
            Connection connection,
            ResourceKind kind,
            Patience patience,
            Consumer<WatchEvent> listener,
            Consumer<Reflector> leave) {
        this.connection = connection;
        this.kind = kind;
        this.patience = patience;
        this.listener = listener;
        this.leave = leave;
        status = new WatchStatus(kind, Instant.now(), 0, "");
        thread = Thread.ofVirtual().name("meshbook-watch-" + kind.plural()).unstarted(this::run);
    }

    /// Tells of what is there, and goes on in the background.
    ///
    /// @throws ApiException if the server refuses
    void open() {
        boolean listed = false;
        try {
            list();
            listed = true;
        } finally {
            if (!listed) {
                close();
            }
        }
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                if (version.isEmpty()) {
                    list();
                }
                if (!stream()) {
                    failed("ended at once");
                }
            } catch (ApiException refused) {
                version = "";
                // A version grows old; only a server that never knows its own is broken.
                if (refused.code() != GONE || !heardSinceList) {
                    failed(refused.getMessage());
                }
            } catch (IOException | ClusterUnreachable | JacksonException broken) {
                failed(broken.getMessage());
            }
        }
    }

    private void list() {
        var listing = Listing.read(connection, kind, "");
        var gone = new HashSet<>(told.keySet());
        for (var object : listing.objects()) {
            gone.remove(key(object));
            tell(Type.MODIFIED, object);
        }
        for (var key : gone) {
            var last = told.get(key);
            if (last != null) {
                tell(Type.DELETED, last);
            }
        }
        version = listing.version();
        heardSinceList = false;
    }

    /// Reads one watch to its end.
    ///
    /// @return whether the server kept it open, or told anything
    private boolean stream() throws IOException {
        int seconds = SHORTEST_SECONDS + ThreadLocalRandom.current().nextInt(SHORTEST_SECONDS);
        var ask =
                Ask.of("GET", kind, "")
                        .with("watch", "1")
                        .with("resourceVersion", version)
                        .with("allowWatchBookmarks", "true")
                        .with("timeoutSeconds", Integer.toString(seconds));
        boolean heard = false;
        long start = System.nanoTime();
        try (var response = connection.stream(ask, this::started);
                var lines =
                        new BufferedReader(
                                new InputStreamReader(response.body().byteStream(), UTF_8))) {
            for (var line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                take(Refusals.JSON.readTree(line));
                heard = true;
                heard();
            }
        } catch (SocketTimeoutException silent) {
            version = "";
            throw silent;
        }
        return heard || System.nanoTime() - start > patience.most().toNanos();
    }

    private void started(Call made) {
        call = made;
        if (closed) {
            made.cancel();
        }
    }

    private void take(JsonNode line) {
        var object = line.path("object");
        switch (line.path("type").asString("")) {
            case "ERROR" -> throw Refusals.of(object, 500);
            case "BOOKMARK" -> {}
            case "DELETED" -> tell(Type.DELETED, new Resource((ObjectNode) object));
            default -> tell(Type.MODIFIED, new Resource((ObjectNode) object));
        }
        version = object.path("metadata").path("resourceVersion").asString(version);
    }

    /// Tells a change, if it is one.
    private void tell(Type type, Resource object) {
        var key = key(object);
        var before = told.get(key);
        if (type == Type.DELETED) {
            told.remove(key);
            if (before != null) {
                send(Type.DELETED, object);
            }
            return;
        }
        told.put(key, object);
        if (before == null) {
            send(Type.ADDED, object);
        } else if (!before.uid().equals(object.uid())) {
            // Deleted and made anew between two lists.
            send(Type.DELETED, before);
            send(Type.ADDED, object);
        } else if (!stamp(before).equals(stamp(object))) {
            send(Type.MODIFIED, object);
        }
    }

    private static String stamp(Resource object) {
        return object.text("metadata", "resourceVersion");
    }

    private ResourceKey key(Resource object) {
        return kind.key(object.namespace(), object.name());
    }

    private void send(Type type, Resource object) {
        if (closed) {
            return;
        }
        try {
            listener.accept(new WatchEvent(type, object));
        } catch (RuntimeException broken) {
            LOG.log(Level.ERROR, "watch closed, its listener failed", broken);
            close();
        }
    }

    private void heard() {
        heardSinceList = true;
        if (!status.live()) {
            LOG.log(Level.INFO, "watch={0} the server answers again", kind.resource());
        }
        status = new WatchStatus(kind, Instant.now(), 0, "");
    }

    private void failed(@Nullable String problem) {
        if (closed) {
            return;
        }
        var text = String.valueOf(problem);
        int failures = status.failures() + 1;
        status = new WatchStatus(kind, status.heard(), failures, text);
        LOG.log(
                failures == 2 ? Level.WARNING : Level.DEBUG,
                "watch={0} tries again: {1}",
                kind.resource(),
                text);
        var wait = patience.before(failures);
        // Many watches that lost one server do not come back at once.
        var shift = wait.multipliedBy(ThreadLocalRandom.current().nextInt(50)).dividedBy(100);
        try {
            connection.await(wait.minus(shift));
        } catch (ClusterUnreachable stop) {
            close();
        }
    }

    WatchStatus status() {
        return status;
    }

    @Override
    public void close() {
        closed = true;
        leave.accept(this);
        var made = call;
        if (made != null) {
            made.cancel();
        }
        if (thread != Thread.currentThread()) {
            thread.interrupt();
        }
    }
}
