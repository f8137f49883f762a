package org.meshbook.cluster.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.Predicate;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One watch over HTTP: a line of JSON for each change, until its time is over or the client is
/// gone.
///
/// A client that does not read is cut off when too much waits for it; it lists and watches anew.
final class Watching implements AutoCloseable {
    private static final Duration BOOKMARK = Duration.ofSeconds(10);

    private final Waiting waiting;
    private final ResourceKind kind;
    private final Journal journal;
    private final Cluster.Watch watch;
    private final int initial;
    private long seen;

    /// @param cluster where
    /// @param journal what lately happened to those objects
    /// @param kind what
    /// @param after the version that the client has seen already; 0 for none
    /// @param wanted which objects
    /// @throws org.meshbook.cluster.ApiException if what happened since that version is forgotten
    Watching(
            Cluster cluster,
            Journal journal,
            ResourceKind kind,
            long after,
            Predicate<Resource> wanted) {
        this.kind = kind;
        this.journal = journal;
        waiting = new Waiting(wanted);
        seen = after == 0 ? journal.version() : after;
        watch = after == 0 ? cluster.watch(kind, waiting::offer) : journal.follow(after, waiting);
        initial = after == 0 ? waiting.size() : 0;
    }

    /// Writes changes as they come.
    ///
    /// @param out where to
    /// @param time how long
    /// @param bookmarks whether the client wants to hear how far it is when nothing changes
    /// @param marked whether it wants to hear when all that was there has been told
    /// @throws IOException if the client is gone
    void stream(OutputStream out, Duration time, boolean bookmarks, boolean marked)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (int told = 0; !waiting.overrun(); ) {
            if (marked && told == initial) {
                write(out, "BOOKMARK", mark(seen, true));
                told++;
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return;
            }
            // Read before the queue: what the mark stands for was told, or waits behind it.
            long version = journal.version();
            var event = waiting.poll(Math.min(left, BOOKMARK.toNanos()));
            if (event != null) {
                seen = Math.max(seen, event.object().resourceVersion());
                write(out, event.type().name(), event.object().json());
                told++;
            } else if (bookmarks) {
                seen = Math.max(seen, version);
                write(out, "BOOKMARK", mark(seen, false));
            }
        }
    }

    private ObjectNode mark(long version, boolean complete) {
        var mark = JsonNodeFactory.instance.objectNode();
        mark.put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
        var metadata = mark.putObject("metadata").put("resourceVersion", Long.toString(version));
        if (complete) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return mark;
    }

    private void write(OutputStream out, String type, ObjectNode object) throws IOException {
        var line = JsonNodeFactory.instance.objectNode().put("type", type);
        line.set("object", object);
        out.write(Json.MAPPER.writeValueAsBytes(line));
        out.write('\n');
        if (waiting.size() == 0) {
            out.flush();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
