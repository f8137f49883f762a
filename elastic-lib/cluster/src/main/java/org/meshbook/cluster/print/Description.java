package org.meshbook.cluster.print;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// What `kubectl describe` prints of an object: its fields under names that a person reads, and its
/// events.
///
/// Source: the generic describer of `kubectl`, which serves all kinds that are defined by
/// resources; here it serves the others, too.
public final class Description {
    private static final Set<String> SHOWN_ABOVE =
            Set.of(
                    ".apiVersion",
                    ".kind",
                    ".metadata.name",
                    ".metadata.namespace",
                    ".metadata.labels",
                    ".metadata.annotations",
                    ".metadata.managedFields");
    private static final Set<String> INITIALS = Set.of("api", "url", "uid", "osb", "guid");
    private static final Pattern HUMPS =
            Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final int BETWEEN = 2;

    private final List<List<String>> lines = new ArrayList<>();

    private Description() {}

    /// @param object the object
    /// @param events what was told of it
    /// @param now what ages are relative to
    /// @return the text; ends with a line feed
    public static String of(Resource object, List<Resource> events, Instant now) {
        var description = new Description();
        description.head(object);
        description.fields(0, object.json(), "");
        description.events(events, now);
        return Columns.text(description.lines, 0, BETWEEN);
    }

    private void head(Resource object) {
        line("Name:", object.name());
        line("Namespace:", object.namespace());
        pairs("Labels:", object.labels());
        pairs("Annotations:", object.annotations());
        line("API Version:", object.text("apiVersion"));
        line("Kind:", object.text("kind"));
    }

    private void line(String... cells) {
        lines.add(List.of(cells));
    }

    private void pairs(String head, Map<String, String> map) {
        if (map.isEmpty()) {
            line(head, "<none>");
            return;
        }
        var first = head;
        for (var pair : new TreeMap<>(map).entrySet()) {
            boolean annotation = head.startsWith("A");
            line(first, pair.getKey() + (annotation ? ": " : "=") + pair.getValue().strip());
            first = "";
        }
    }

    private void fields(int level, JsonNode object, String path) {
        var indent = "  ".repeat(level);
        for (var name : object.propertyNames().stream().sorted().toList()) {
            var at = path + "." + name;
            if (!SHOWN_ABOVE.contains(at)) {
                field(level, indent + label(name) + ":", object.get(name), at);
            }
        }
    }

    private void field(int level, String label, JsonNode value, String path) {
        if (value.isObject()) {
            line(label);
            fields(level + 1, value, path);
        } else if (value.isArray()) {
            line(label);
            var indent = "  ".repeat(level + 1);
            for (var item : value.values()) {
                if (item.isObject()) {
                    fields(level + 1, item, path);
                } else {
                    line(indent + item.asString(""));
                }
            }
        } else {
            line(label, value.isNull() ? "<nil>" : value.asString(""));
        }
    }

    private static String label(String name) {
        // Names with a dot or a slash are no names of fields.
        if (!name.matches("[A-Za-z0-9]+")) {
            return name;
        }
        var words = new ArrayList<String>();
        for (var word : HUMPS.split(name)) {
            boolean initials = INITIALS.contains(word.toLowerCase(Locale.ROOT));
            words.add(
                    initials
                            ? word.toUpperCase(Locale.ROOT)
                            : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return String.join(" ", words);
    }

    private void events(List<Resource> events, Instant now) {
        if (events.isEmpty()) {
            line("Events:", "<none>");
            return;
        }
        line("Events:");
        line("  Type", "Reason", "Age", "From", "Message");
        line("  ----", "------", "----", "----", "-------");
        events.stream()
                .sorted(Comparator.comparing(e -> EventCells.last(e).orElse(Instant.EPOCH)))
                .forEach(
                        event ->
                                line(
                                        "  " + event.text("type"),
                                        event.text("reason"),
                                        EventCells.age(event, now),
                                        EventCells.source(event),
                                        event.text("message").strip()));
    }
}
