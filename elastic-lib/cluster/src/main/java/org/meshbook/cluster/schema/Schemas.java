package org.meshbook.cluster.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.ResourceKind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The schemas of all kinds, of each profile and each version that it serves.
public final class Schemas {
    private static final JsonMapper JSON = new JsonMapper();

    private final Map<String, JsonNode> kinds = new HashMap<>();
    private final Map<String, JsonNode> definitions = new HashMap<>();
    private final Map<String, Schema> shared = new HashMap<>();
    private final Map<String, ObjectSchema> made = new HashMap<>();

    /// Made when it is first asked for.
    private static final class Holder {
        static final Schemas ALL = new Schemas();
    }

    private Schemas() {
        Stream.of("schemas.json", "builtins.json").forEach(this::read);
    }

    /// @param profile which Kueue
    /// @param kind a kind, in the version of the request
    /// @return the schema of its objects; empty if the profile does not serve that version
    public static Optional<ObjectSchema> of(Profile profile, ResourceKind kind) {
        var name = kind.apiVersion() + " " + kind.kind();
        return Holder.ALL
                .find(profile.text() + " " + name)
                .or(() -> Holder.ALL.find("all " + name));
    }

    private synchronized Optional<ObjectSchema> find(String key) {
        var json = kinds.get(key);
        if (json == null) {
            return Optional.empty();
        }
        var known = made.get(key);
        if (known == null) {
            var meta = named("meta");
            known = new ObjectSchema(part(json.get("schema")), meta, json);
            made.put(key, known);
        }
        return Optional.of(known);
    }

    private void read(String resource) {
        try (var in = Schemas.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no resource \"%s\"".formatted(resource));
            }
            var json = JSON.readTree(in);
            json.path("definitions").properties().forEach(e -> put(definitions, e));
            json.path("kinds").properties().forEach(e -> put(kinds, e));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void put(Map<String, JsonNode> map, Map.Entry<String, JsonNode> entry) {
        map.put(entry.getKey(), entry.getValue());
    }

    private Schema part(JsonNode json) {
        if (json.has("$of")) {
            var whole = part(of(kinds, json.get("$of").asString()).get("schema"));
            for (var step : json.get("path").asString().split("\\.")) {
                whole = whole.field(step).map(s -> s.items().orElse(s)).orElseThrow();
            }
            return whole;
        }
        var name = json.path("$ref").asString("");
        if (name.isEmpty()) {
            return new Schema(json, this::part);
        }
        return named(name);
    }

    private Schema named(String name) {
        var known = shared.get(name);
        if (known == null) {
            known = part(of(definitions, name));
            shared.put(name, known);
        }
        return known;
    }

    private static JsonNode of(Map<String, JsonNode> map, String name) {
        return Objects.requireNonNull(map.get(name), name);
    }
}
