package org.meshbook.cluster.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One watch over HTTP: a line of JSON for each change, until its time is over or the client is
/// gone.
///
/// A client that does not read is cut off when too much waits for it; it lists and watches anew.
final class Watching implements AutoCloseable {
    private static final int MOST_WAITING = 100_000;
    private static final Duration BOOKMARK = Duration.ofSeconds(10);

    private final LinkedBlockingQueue<WatchEvent> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final ResourceKind kind;
    private final Predicate<Resource> wanted;
    private final Cluster.Watch watch;
    private volatile boolean overrun;

    /// @param cluster where
    /// @param kind what
    /// @param after the version that the client has seen already; 0 for none
    /// @param wanted which objects
    Watching(Cluster cluster, ResourceKind kind, long after, Predicate<Resource> wanted) {
        this.kind = kind;
        this.wanted = wanted;
        watch =
                cluster.watch(
                        kind,
                        event -> {
                            if (event.object().resourceVersion() > after && !offer(event)) {
                                overrun = true;
                            }
                        });
    }

    private boolean offer(WatchEvent event) {
        return !wanted.test(event.object()) || waiting.offer(event);
    }

    /// Writes changes as they come.
    ///
    /// @param out where to
    /// @param time how long
    /// @param bookmarks whether the client wants to hear how far it is when nothing changes
    /// @throws IOException if the client is gone
    void stream(OutputStream out, Duration time, boolean bookmarks)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        long seen = 0;
        while (!overrun) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return;
            }
            var event = waiting.poll(Math.min(left, BOOKMARK.toNanos()), TimeUnit.NANOSECONDS);
            if (event != null) {
                seen = Math.max(seen, event.object().resourceVersion());
                write(out, event.type().name(), event.object().json());
                continue;
            }
            if (bookmarks && seen > 0) {
                write(out, "BOOKMARK", bookmark(seen));
            }
        }
    }

    private ObjectNode bookmark(long seen) {
        var mark = JsonNodeFactory.instance.objectNode();
        mark.put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
        mark.putObject("metadata").put("resourceVersion", Long.toString(seen));
        return mark;
    }

    private void write(OutputStream out, String type, ObjectNode object) throws IOException {
        var line = JsonNodeFactory.instance.objectNode().put("type", type);
        line.set("object", object);
        out.write(Json.MAPPER.writeValueAsBytes(line));
        out.write('\n');
        if (waiting.isEmpty()) {
            out.flush();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
