package org.meshbook.cluster.manifest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The values of one part: its first YAML document, which is all that kubectl reads of it.
final class Tree {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
    private static final int DEPTH = 500;
    private static final int EXPANDED = 1_000_000;
    private static final String TAGS = "tag:yaml.org,2002:";

    private final int lines;
    private final Iterator<Event> events;
    private final Map<String, Value> anchors = new HashMap<>();
    private final List<Document.Repeated> repeated = new ArrayList<>();
    private Value root;
    private Optional<Place> dropped = Optional.empty();
    private long values;

    private Tree(Part part) {
        this.lines = part.lines();
        this.events = new Parse(SETTINGS).parseString(part.text()).iterator();
        this.root = new Value(start(), start(), JSON.nullNode(), Map.of(), List.of());
    }

    /// @throws Unreadable if JSON has nothing for it
    /// @throws YamlEngineException if it is not YAML
    static Tree read(Part part) {
        var tree = new Tree(part);
        tree.read();
        return tree;
    }

    Value root() {
        return root;
    }

    List<Document.Repeated> repeated() {
        return repeated;
    }

    Optional<Place> dropped() {
        return dropped;
    }

    private void read() {
        var event = events.next();
        while (!(event instanceof DocumentStartEvent)) {
            if (event instanceof StreamEndEvent) {
                return;
            }
            event = events.next();
        }
        root = value(events.next(), "", 0);
        var end = events.next();
        assert end instanceof DocumentEndEvent : end;
        dropped = behind(end);
    }

    /// What follows is not read, and so it may be wrong.
    private Optional<Place> behind(Event end) {
        try {
            return events.next() instanceof DocumentStartEvent next
                    ? Optional.of(place(next))
                    : Optional.empty();
        } catch (YamlEngineException e) {
            return Optional.of(place(end));
        }
    }

    private Value value(Event event, String path, int depth) {
        var place = place(event);
        if (depth > DEPTH) {
            throw new Unreadable(Fault.Kind.SYNTAX, place, "yaml: exceeded max depth of " + DEPTH);
        }
        values++;
        var value =
                switch (event) {
                    case ScalarEvent scalar -> scalar(scalar, place);
                    case SequenceStartEvent _ -> sequence(place, path, depth);
                    case MappingStartEvent _ -> mapping(place, path, depth);
                    case AliasEvent alias -> alias(alias, place);
                    default -> throw new IllegalStateException("no value: " + event);
                };
        if (event instanceof NodeEvent node && !(event instanceof AliasEvent)) {
            node.getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), value));
        }
        return value;
    }

    private Value alias(AliasEvent event, Place place) {
        var name = event.getAlias().getValue();
        var value = anchors.get(name);
        if (value == null) {
            throw new Unreadable(
                    Fault.Kind.SYNTAX,
                    place,
                    "yaml: unknown anchor '%s' referenced".formatted(name));
        }
        values += value.all().limit(EXPANDED).count();
        if (values > EXPANDED) {
            throw new Unreadable(
                    Fault.Kind.SYNTAX, place, "yaml: document contains excessive aliasing");
        }
        return new Value(place, place, value.json(), value.fields(), value.items());
    }

    private Value scalar(ScalarEvent event, Place place) {
        var json = json(event, place);
        return new Value(place, place, json, Map.of(), List.of());
    }

    private static JsonNode json(ScalarEvent event, Place place) {
        var text = event.getValue();
        var tag = event.getTag().orElse("");
        if (tag.equals(TAGS + "binary")) {
            return JSON.stringNode(binary(text, place));
        }
        boolean resolved =
                tag.isEmpty() ? event.isPlain() : tag.startsWith(TAGS) && !tag.equals(TAGS + "str");
        if (!resolved) {
            return JSON.stringNode(text);
        }
        return Scalars.plain(text)
                .orElseThrow(
                        () ->
                                new Unreadable(
                                        Fault.Kind.NO_JSON,
                                        place,
                                        "json: unsupported value: " + endless(text)));
    }

    private static String endless(String text) {
        return text.toLowerCase(java.util.Locale.ROOT).endsWith("nan")
                ? "NaN"
                : text.startsWith("-") ? "-Inf" : "+Inf";
    }

    private static String binary(String text, Place place) {
        try {
            return new String(
                    Base64.getDecoder().decode(text.replaceAll("\\s", "")), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Unreadable(
                    Fault.Kind.SYNTAX, place, "yaml: !!binary value contains invalid base64 data");
        }
    }

    private Value sequence(Place place, String path, int depth) {
        var items = new ArrayList<Value>();
        var json = JSON.arrayNode();
        for (var next = events.next(); !(next instanceof SequenceEndEvent); next = events.next()) {
            var item = value(next, path + "[" + items.size() + "]", depth + 1);
            items.add(item);
            json.add(item.json());
        }
        return new Value(place, place, json, Map.of(), List.copyOf(items));
    }

    private Value mapping(Place place, String path, int depth) {
        var fields = new LinkedHashMap<String, Value>();
        var merged = new LinkedHashMap<String, Value>();
        for (var next = events.next(); !(next instanceof MappingEndEvent); next = events.next()) {
            boolean merges =
                    next instanceof ScalarEvent s && s.isPlain() && s.getValue().equals("<<");
            var keyPlace = place(next);
            var key = key(value(next, path, depth + 1));
            var inner = path.isEmpty() ? key : path + "." + key;
            var value = value(events.next(), inner, depth + 1);
            if (merges) {
                merge(value, merged);
                continue;
            }
            var before = fields.put(key, value.under(keyPlace));
            if (before != null) {
                repeated.add(new Document.Repeated(inner, keyPlace, before.key()));
            }
        }
        merged.forEach(fields::putIfAbsent);
        var json = JSON.objectNode();
        fields.forEach((key, value) -> json.set(key, value.json()));
        return new Value(
                place, place, json, java.util.Collections.unmodifiableMap(fields), List.of());
    }

    private static void merge(Value value, Map<String, Value> into) {
        var maps = value.json().isArray() ? value.items() : List.of(value);
        for (var map : maps) {
            if (!map.json().isObject()) {
                throw new Unreadable(
                        Fault.Kind.SYNTAX,
                        value.place(),
                        "yaml: map merge requires map or sequence of maps as the value");
            }
            map.fields().forEach(into::putIfAbsent);
        }
    }

    private static String key(Value key) {
        var json = key.json();
        if (json.isContainer()) {
            throw new Unreadable(
                    Fault.Kind.SYNTAX, key.place(), "yaml: invalid map key: " + inGo(key));
        }
        return json.isNull() ? "null" : json.asString();
    }

    /// What `{{ .Values.x }}` looks like to kubectl.
    private static String inGo(Value key) {
        if (key.json().isArray()) {
            return "[]interface {}{...}";
        }
        var entries =
                key.fields().entrySet().stream()
                        .map(e -> "\"%s\":%s".formatted(e.getKey(), goValue(e.getValue())))
                        .toList();
        return "map[interface {}]interface {}{" + String.join(", ", entries) + "}";
    }

    private static String goValue(@Nullable Value value) {
        return value == null || !value.exists()
                ? "interface {}(nil)"
                : value.json().isContainer() ? inGo(value) : value.json().toString();
    }

    private Place start() {
        return new Place(lines + 1, 1, 1);
    }

    private Place place(Event event) {
        return event.getStartMark()
                .map(
                        from -> {
                            int length =
                                    event.getEndMark()
                                            .filter(to -> to.getLine() == from.getLine())
                                            .map(to -> to.getColumn() - from.getColumn())
                                            .orElse(1);
                            return new Place(
                                    lines + from.getLine() + 1, from.getColumn() + 1, length);
                        })
                .orElseGet(this::start);
    }
}
