package org.meshbook.cluster.control;

import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import tools.jackson.databind.node.ObjectNode;

/// Writes events about objects. The same event again only counts up.
///
/// An event that cannot be written is lost, as in a real cluster. Belongs to the loop's thread.
public final class EventRecorder {
    private static final System.Logger LOG = System.getLogger(EventRecorder.class.getName());
    private static final int REMEMBERED = 1_000;

    /// Times of the new form always have their microseconds; clients read no other.
    private static final DateTimeFormatter MICRO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final Cluster cluster;
    private final InstantSource clock;
    private final String component;
    private final Map<Same, ResourceKey> recent =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Same, ResourceKey> eldest) {
                    return size() > REMEMBERED;
                }
            };
    private final Form form;
    private long sequence;

    private enum Form {
        /// `v1`: a count, the first and the last time.
        OLD,
        /// `events.k8s.io/v1`, as `v1` shows it: one time, and a series for what comes again.
        NEW
    }

    private record Same(String uid, String type, String reason, String message) {}

    /// @param cluster where they are written
    /// @param clock wall time
    /// @param component who reports, such as `default-scheduler`
    public EventRecorder(Cluster cluster, InstantSource clock, String component) {
        this(cluster, clock, component, Form.OLD);
    }

    private EventRecorder(Cluster cluster, InstantSource clock, String component, Form form) {
        this.cluster = cluster;
        this.clock = clock;
        this.component = component;
        this.form = form;
    }

    /// @param cluster where they are written
    /// @param clock wall time
    /// @param component who reports
    /// @return one whose events look as those written through `events.k8s.io/v1`
    public static EventRecorder inNewForm(Cluster cluster, InstantSource clock, String component) {
        return new EventRecorder(cluster, clock, component, Form.NEW);
    }

    /// @param about the object that it is about
    /// @param reason one word
    /// @param message a sentence
    public void normal(Resource about, String reason, String message) {
        write(about, new Same(about.uid(), "Normal", reason, message));
    }

    /// @param about the object that it is about
    /// @param reason one word
    /// @param message a sentence
    public void warning(Resource about, String reason, String message) {
        write(about, new Same(about.uid(), "Warning", reason, message));
    }

    private void write(Resource about, Same event) {
        try {
            var before = recent.get(event);
            var known = before == null ? null : cluster.find(before).orElse(null);
            if (known == null) {
                var fresh = cluster.create(fresh(about, event), WriteOptions.PLAIN);
                recent.put(event, fresh.key());
            } else {
                cluster.update(known.with(this::again), WriteOptions.PLAIN);
            }
        } catch (ApiException refused) {
            LOG.log(System.Logger.Level.DEBUG, "event lost: " + event, refused);
        }
    }

    private Resource fresh(Resource about, Same event) {
        var namespace = about.namespace().isEmpty() ? "default" : about.namespace();
        // several reporters may write about one object within a millisecond
        var name =
                "%s.%x%04x%04x"
                        .formatted(
                                about.name(),
                                clock.instant().toEpochMilli(),
                                component.hashCode() & 0xffff,
                                sequence++);
        return Resource.named(Kinds.EVENT, namespace, name)
                .with(
                        e -> {
                            e.putObject("involvedObject")
                                    .put("apiVersion", about.kind().apiVersion())
                                    .put("kind", about.kind().kind())
                                    .put("namespace", about.namespace())
                                    .put("name", about.name())
                                    .put("uid", about.uid());
                            e.put("type", event.type())
                                    .put("reason", event.reason())
                                    .put("message", event.message());
                            first(e, event.reason());
                        });
    }

    private void first(ObjectNode event, String reason) {
        switch (form) {
            case OLD -> {
                event.put("count", 1).put("firstTimestamp", now()).put("lastTimestamp", now());
                event.putObject("source").put("component", component);
            }
            case NEW ->
                    event.put("eventTime", MICRO.format(clock.instant()))
                            .put("action", reason)
                            .put("reportingComponent", component)
                            .put("reportingInstance", component + "-meshbook");
        }
    }

    private void again(ObjectNode event) {
        switch (form) {
            case OLD ->
                    event.put("count", event.path("count").asInt(1) + 1)
                            .put("lastTimestamp", now());
            case NEW -> {
                var series = event.withObjectProperty("series");
                series.put("count", series.path("count").asInt(1) + 1)
                        .put("lastObservedTime", MICRO.format(clock.instant()));
            }
        }
    }

    private String now() {
        return Conditions.stamp(clock.instant());
    }
}
