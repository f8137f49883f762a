package org.meshbook.cluster.rest;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.Validation;
import org.meshbook.cluster.print.Tables;
import org.meshbook.cluster.rest.form.JsonPatch;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What each HTTP method does to a cluster.
final class Verbs implements AutoCloseable {
    /// A patch without a version is tried again when somebody else writes at the same time.
    private static final int MOST_TRIES = 20;

    private static final String STATUS = "status";

    private final Cluster cluster;
    private final Profile profile;
    private final InstantSource clock;
    private final Map<ResourceKind, Journal> journals = new ConcurrentHashMap<>();

    Verbs(Cluster cluster, Profile profile, InstantSource clock) {
        this.cluster = cluster;
        this.profile = profile;
        this.clock = clock;
    }

    /// @param table whether the client wants rows to print
    /// @return the object, or the list of those that the selectors mean
    ObjectNode get(Call call, boolean table) {
        var kind = Kinds.kept(call.kind());
        if (!call.isCollection()) {
            var one = required(call);
            return table ? table(kind, List.of(one), one.resourceVersion()) : one.json();
        }
        // Before the list: a change in between is told twice rather than never.
        long version = journal(kind).version();
        var found = cluster.list(kind, call.namespace()).stream().filter(selected(call)).toList();
        return table ? table(kind, found, version) : Json.list(call.kind(), found, version);
    }

    private ObjectNode table(ResourceKind kind, List<Resource> objects, long version) {
        var narrow = Tables.of(kind, objects, look(false));
        return Json.table(objects, narrow, Tables.of(kind, objects, look(true)), version);
    }

    private Tables.Look look(boolean wide) {
        return new Tables.Look(profile, wide, false, clock.instant());
    }

    /// @param kind a kind, in the version in which it is kept
    /// @return its last changes, from the first call on
    Journal journal(ResourceKind kind) {
        return journals.computeIfAbsent(kind, _ -> new Journal(cluster, kind));
    }

    @Override
    public void close() {
        journals.values().forEach(Journal::close);
    }

    private Resource required(Call call) {
        return cluster.find(call.key())
                .orElseThrow(() -> ApiException.notFound(call.kind(), call.name()));
    }

    /// @return which objects of a collection are meant
    static Predicate<Resource> selected(Call call) {
        return Selector.labels(call.asked("labelSelector"))
                .and(Selector.fields(call.asked("fieldSelector")))
                .and(
                        object ->
                                call.namespace().isEmpty()
                                        || object.namespace().equals(call.namespace()));
    }

    ObjectNode post(Call call, byte[] body, Consumer<String> warnings) {
        if (!call.isCollection()) {
            throw Call.notAllowed();
        }
        return cluster.create(object(call, body), options(call, warnings)).json();
    }

    ObjectNode put(Call call, byte[] body, Consumer<String> warnings) {
        var object = object(call, body);
        return call.subresource().equals(STATUS)
                ? cluster.updateStatus(object).json()
                : cluster.update(object, options(call, warnings)).json();
    }

    /// @param type the patch's media type
    ObjectNode patch(Call call, String type, byte[] body, Consumer<String> warnings) {
        return switch (type) {
            case "application/apply-patch+yaml" ->
                    cluster.apply(object(call, body), options(call, warnings)).json();
            case "application/merge-patch+json", "application/strategic-merge-patch+json" -> {
                var patch = read(body);
                boolean names = patch.path("metadata").has("resourceVersion");
                yield change(call, json -> Json.merge(json, patch), names, options(call, warnings));
            }
            case "application/json-patch+json" -> {
                var patch = JsonPatch.of(read(body));
                yield change(call, patch::apply, patch.namesVersion(), options(call, warnings));
            }
            default -> throw Call.unreadable();
        };
    }

    private ObjectNode change(
            Call call, Consumer<ObjectNode> edit, boolean names, WriteOptions options) {
        for (int attempt = 1; ; attempt++) {
            var changed = required(call).with(edit);
            try {
                return call.subresource().equals(STATUS)
                        ? cluster.updateStatus(changed).json()
                        : cluster.update(changed, options).json();
            } catch (ApiException refused) {
                if (!refused.conflicted() || names || attempt == MOST_TRIES) {
                    throw refused;
                }
            }
        }
    }

    /// @param body options of the delete, or nothing
    ObjectNode delete(Call call, byte[] body) {
        var options = body.length == 0 ? Json.success() : read(body);
        var asked = options.path("propagationPolicy").asString(call.asked("propagationPolicy"));
        var propagation =
                switch (asked) {
                    case "Foreground" -> Propagation.FOREGROUND;
                    case "Orphan" -> Propagation.ORPHAN;
                    default -> Propagation.BACKGROUND;
                };
        boolean now = options.path("gracePeriodSeconds").asInt(-1) == 0;
        if (call.isCollection()) {
            cluster.list(Kinds.kept(call.kind()), call.namespace()).stream()
                    .filter(selected(call))
                    .forEach(each -> cluster.delete(each.key(), propagation));
        } else if (now) {
            cluster.remove(call.key());
        } else {
            cluster.delete(call.key(), propagation);
        }
        return Json.success();
    }

    private static Resource object(Call call, byte[] body) {
        if (!(read(body) instanceof ObjectNode json)) {
            throw new ApiException(
                    400, "BadRequest", "the body of the request is no object", List.of());
        }
        json.put("apiVersion", json.path("apiVersion").asString(call.kind().apiVersion()));
        json.put("kind", json.path("kind").asString(call.kind().kind()));
        var metadata = json.withObject("metadata");
        if (call.kind().namespaced() && !metadata.has("namespace")) {
            metadata.put("namespace", call.namespace());
        }
        if (!call.name().isEmpty() && !metadata.has("name")) {
            metadata.put("name", call.name());
        }
        var object = new Resource(json);
        check("name", call.name(), object.name());
        check("namespace", call.namespace(), object.namespace());
        return object;
    }

    private static void check(String what, String inPath, String inBody) {
        if (!inPath.isEmpty() && !inPath.equals(inBody)) {
            throw new ApiException(
                    400,
                    "BadRequest",
                    "the %s of the object (%s) does not match the %s on the URL (%s)"
                            .formatted(what, inBody, what, inPath),
                    List.of());
        }
    }

    private static JsonNode read(byte[] body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw new ApiException(
                    400, "BadRequest", "the body of the request is no JSON", List.of());
        }
    }

    private static WriteOptions options(Call call, Consumer<String> warnings) {
        var validation =
                switch (call.asked("fieldValidation")) {
                    case "Strict" -> Validation.STRICT;
                    case "Ignore" -> Validation.IGNORE;
                    default -> Validation.WARN;
                };
        return new WriteOptions(validation, call.asked("dryRun").equals("All"), warnings);
    }
}
