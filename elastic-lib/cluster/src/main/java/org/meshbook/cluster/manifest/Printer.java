package org.meshbook.cluster.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;
import tools.jackson.databind.JsonNode;

/// Writes objects as `kubectl get -o yaml` does: keys by the alphabet, lists as deep as their key,
/// quotes only where they are needed, long texts folded at 80 columns.
public final class Printer {
    private static final DumpSettings SETTINGS =
            DumpSettings.builder().setWidth(80).setIndent(2).setUseUnicodeEncoding(true).build();
    private static final ImplicitTuple IMPLICIT = new ImplicitTuple(true, true);

    private Printer() {}

    /// @param json an object
    /// @return it, as YAML; ends with a line feed
    public static String yaml(JsonNode json) {
        var events = new ArrayList<Event>();
        events.add(new StreamStartEvent());
        events.add(new DocumentStartEvent(false, Optional.empty(), java.util.Map.of()));
        add(json, events);
        events.add(new DocumentEndEvent(false));
        events.add(new StreamEndEvent());
        return new Present(SETTINGS).emitToString(events.iterator());
    }

    private static void add(JsonNode json, List<Event> events) {
        if (json.isObject()) {
            events.add(
                    new MappingStartEvent(Optional.empty(), Optional.empty(), true, style(json)));
            var sorted = new TreeMap<String, JsonNode>();
            json.properties().forEach(e -> sorted.put(e.getKey(), e.getValue()));
            sorted.forEach(
                    (key, value) -> {
                        text(key, events);
                        add(value, events);
                    });
            events.add(new MappingEndEvent());
        } else if (json.isArray()) {
            events.add(
                    new SequenceStartEvent(Optional.empty(), Optional.empty(), true, style(json)));
            json.values().forEach(item -> add(item, events));
            events.add(new SequenceEndEvent());
        } else if (json.isString()) {
            text(json.stringValue(), events);
        } else {
            scalar(json.isNull() ? "null" : json.asString(), ScalarStyle.PLAIN, events);
        }
    }

    private static FlowStyle style(JsonNode json) {
        return json.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
    }

    private static void text(String text, List<Event> events) {
        var style =
                text.contains("\n")
                        ? ScalarStyle.LITERAL
                        : Scalars.needsQuotes(text) ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN;
        scalar(text, style, events);
    }

    private static void scalar(String text, ScalarStyle style, List<Event> events) {
        events.add(new ScalarEvent(Optional.empty(), Optional.empty(), IMPLICIT, text, style));
    }
}
