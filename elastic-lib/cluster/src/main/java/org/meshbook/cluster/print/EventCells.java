package org.meshbook.cluster.print;

import java.time.Instant;
import java.util.Optional;
import org.meshbook.cluster.Resource;

/// Cells of an event, in either of the two forms in which events are written.
final class EventCells {
    private EventCells() {}

    static Optional<Instant> last(Resource event) {
        return event.time("series", "lastObservedTime")
                .or(() -> event.time("lastTimestamp"))
                .or(() -> event.time("eventTime"));
    }

    private static Optional<Instant> first(Resource event) {
        return event.time("firstTimestamp").or(() -> event.time("eventTime"));
    }

    static String lastSeen(Resource event, Instant now) {
        return Age.of(last(event), now);
    }

    static String firstSeen(Resource event, Instant now) {
        return Age.of(first(event), now);
    }

    static int count(Resource event) {
        int inSeries = event.at("series", "count").asInt(0);
        return Math.max(1, Math.max(inSeries, event.at("count").asInt(0)));
    }

    static String source(Resource event) {
        var component = event.text("source", "component");
        var reporter = component.isEmpty() ? event.text("reportingComponent") : component;
        var host = event.text("source", "host");
        return host.isEmpty() ? reporter : reporter + ", " + host;
    }

    /// @return such as `5s (x3 over 2m)`
    static String age(Resource event, Instant now) {
        int count = count(event);
        return count > 1
                ? "%s (x%d over %s)".formatted(lastSeen(event, now), count, firstSeen(event, now))
                : lastSeen(event, now);
    }
}
