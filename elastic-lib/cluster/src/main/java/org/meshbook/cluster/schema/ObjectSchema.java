package org.meshbook.cluster.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.ApiException.Cause;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What objects of one kind look like, in one version.
///
/// Paths read as the server writes them: `spec.resourceGroups[0].flavors`.
public final class ObjectSchema {
    private final Schema schema;
    private final Schema meta;
    private final boolean status;
    private final List<Column> columns;

    /// A column of the table that `get` prints.
    ///
    /// @param name head
    /// @param type such as `date`
    /// @param path path in the object, such as `.spec.queueName`
    /// @param wide whether it is shown only when more is asked for
    public record Column(String name, String type, String path, boolean wide) {}

    ObjectSchema(Schema schema, Schema meta, JsonNode kind) {
        this.schema = schema;
        this.meta = meta;
        status = kind.path("status").asBoolean(false);
        columns =
                kind.path("columns").values().stream()
                        .map(
                                c ->
                                        new Column(
                                                c.path("name").asString(""),
                                                c.path("type").asString(""),
                                                c.path("jsonPath").asString(""),
                                                c.path("priority").asInt(0) > 0))
                        .toList();
    }

    Schema whole() {
        return schema;
    }

    Schema meta() {
        return meta;
    }

    /// @return whether the status is written apart from the rest
    public boolean status() {
        return status;
    }

    /// @return the columns that the kind declares, in order
    public List<Column> columns() {
        return columns;
    }

    /// Takes fields out that the schema does not know.
    ///
    /// @param object the object, changed
    /// @return paths of what was taken out, sorted
    public List<String> prune(ObjectNode object) {
        var dropped = new ArrayList<String>();
        Fields.prune(object, schema, meta, dropped);
        dropped.sort(null);
        return dropped;
    }

    /// Fills in what the schema gives by default.
    ///
    /// @param object the object, changed
    public void fill(ObjectNode object) {
        Fields.fill(object, schema);
    }

    /// Checks names, labels, structure and, if that is sound, the rules.
    ///
    /// @param object the object
    /// @param before what it replaces, in the same version; empty if it is new
    /// @return what is wrong, in order; empty if nothing is
    public List<Cause> check(ObjectNode object, Optional<ObjectNode> before) {
        var causes = new ArrayList<Cause>();
        Structure.check(object, before, schema, meta, causes);
        if (!schema.ruled()) {
            return causes;
        }
        if (causes.stream().anyMatch(ObjectSchema::blocks)) {
            causes.add(
                    new Cause(
                            "FieldValueInvalid",
                            "<nil>",
                            "Invalid value: null: some validation rules were not checked because"
                                    + " the object was invalid; correct the existing errors to"
                                    + " complete validation"));
        } else {
            Rules.check(object, before, schema, causes);
        }
        return causes;
    }

    private static boolean blocks(Cause cause) {
        return switch (cause.reason()) {
            case "FieldValueRequired",
                    "FieldValueTooLong",
                    "FieldValueTooMany",
                    "FieldValueTypeInvalid",
                    "FieldValueNotSupported" ->
                    true;
            default -> false;
        };
    }
}
