package org.meshbook.elastic.head;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import org.meshbook.elastic.wire.proto.EventInfo;

/// What happened, newest last: a bounded tail in memory and a bounded file. On the head's thread
/// only.
final class EventLog {
    private static final int KEPT = 2_000;
    private static final long FILE_BYTES = 1 << 20;

    private final ArrayDeque<EventInfo> tail = new ArrayDeque<>();
    private final BoundedLog file;

    EventLog(Path file) {
        this.file = new BoundedLog(file, FILE_BYTES);
    }

    static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }

    EventInfo add(EventInfo.Builder event) {
        var written = event.build();
        if (tail.size() == KEPT) {
            tail.removeFirst();
        }
        tail.addLast(written);
        var line = line(written).getBytes(StandardCharsets.UTF_8);
        file.write(line, 0, line.length);
        return written;
    }

    /// @param session id, or empty for all
    List<EventInfo> last(String session, int count) {
        var fitting =
                tail.stream()
                        .filter(e -> session.isEmpty() || e.getSession().equals(session))
                        .toList();
        int from = Math.max(0, fitting.size() - Math.max(0, count));
        return fitting.subList(from, fitting.size());
    }

    private static String line(EventInfo event) {
        return "%s session=%s slice=%d generation=%d %s %s%n"
                .formatted(
                        Instant.EPOCH.plus(event.getAtMicros(), ChronoUnit.MICROS),
                        event.getSession(),
                        event.getSlice(),
                        event.getGeneration(),
                        event.getKind(),
                        event.getText());
    }
}
