package org.meshbook.cluster.embedded;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ApiException.Cause;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.schema.FieldSets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Server-side apply: every manager owns the fields that it applied. What a manager does not write
/// any more goes if nobody else owns it; what another one owns is changed only by force.
///
/// Writes that are not applied take no part: nobody owns their fields.
final class ServerSide {
    private final FieldSets sets;
    private final String manager;
    private final String operation;

    /// @param sets fields of the object's kind
    /// @param manager who writes
    /// @param operation `Apply`, or `Update` for what a client merged by itself
    ServerSide(FieldSets sets, String manager, String operation) {
        this.sets = sets;
        this.manager = manager;
        this.operation = operation;
    }

    /// @param written what a manager writes
    /// @param there what is there
    /// @param force whether to take over what others own
    /// @param now the time to write down
    /// @return what it comes to
    /// @throws ApiException 409 with the fields that others own
    Resource onto(Resource written, Resource there, boolean force, Instant now) {
        var fields = sets.of(written.json());
        var others = new ArrayList<JsonNode>();
        JsonNode before = written.json().objectNode();
        for (var entry : there.list("metadata", "managedFields")) {
            if (mine(entry)) {
                before = entry.path("fieldsV1");
            } else {
                others.add(entry);
            }
        }
        if (!force) {
            refuse(written, there, fields, others);
        }
        var gone = before.deepCopy();
        var kept = new ArrayList<JsonNode>();
        kept.add(fields);
        others.forEach(other -> kept.add(other.path("fieldsV1")));
        return owned(
                there.with(
                        json -> {
                            sets.remove(json, gone, kept);
                            sets.merge(json, content(written));
                        }),
                fields,
                now);
    }

    private static ObjectNode content(Resource written) {
        var content = written.json().deepCopy();
        content.remove(List.of("apiVersion", "kind", "status"));
        content.withObjectProperty("metadata").remove(List.of("managedFields", "resourceVersion"));
        return content;
    }

    private boolean mine(JsonNode entry) {
        return entry.path("manager").asString("").equals(manager)
                && entry.path("operation").asString("").equals(operation);
    }

    private void refuse(Resource written, Resource there, JsonNode fields, List<JsonNode> others) {
        var texts = new ArrayList<String>();
        var causes = new ArrayList<Cause>();
        for (var other : others) {
            var paths = sets.changed(fields, other.path("fieldsV1"), written.json(), there.json());
            if (paths.isEmpty()) {
                continue;
            }
            var whose =
                    "with \"%s\" using %s"
                            .formatted(
                                    other.path("manager").asString(""),
                                    other.path("apiVersion").asString(""));
            paths.forEach(
                    p -> causes.add(new Cause("FieldManagerConflict", p, "conflict " + whose)));
            texts.add(
                    paths.size() == 1
                            ? "conflict %s: %s".formatted(whose, paths.getFirst())
                            : "conflicts %s:\n- %s".formatted(whose, String.join("\n- ", paths)));
        }
        if (!causes.isEmpty()) {
            throw new ApiException(
                    409,
                    "Conflict",
                    "Apply failed with %d %s: %s"
                            .formatted(
                                    causes.size(),
                                    causes.size() == 1 ? "conflict" : "conflicts",
                                    String.join("\n", texts)),
                    causes);
        }
    }

    /// @param object what is to be stored
    /// @param written what the manager wrote
    /// @param now the time to write down
    /// @return it, with the manager's fields noted
    Resource owned(Resource object, Resource written, Instant now) {
        return owned(object, sets.of(written.json()), now);
    }

    private Resource owned(Resource object, ObjectNode fields, Instant now) {
        return object.with(
                json -> {
                    var list =
                            json.withObjectProperty("metadata").withArrayProperty("managedFields");
                    boolean same =
                            list.values().stream()
                                    .anyMatch(e -> mine(e) && e.path("fieldsV1").equals(fields));
                    if (same) {
                        return;
                    }
                    list.removeIf(this::mine);
                    list.addObject()
                            .put("apiVersion", object.text("apiVersion"))
                            .put("fieldsType", "FieldsV1")
                            .put("manager", manager)
                            .put("operation", operation)
                            .put("time", now.truncatedTo(ChronoUnit.SECONDS).toString())
                            .set("fieldsV1", fields);
                });
    }
}
