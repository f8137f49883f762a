package org.meshbook.cluster.schema;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException.Cause;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks types, limits, choices and patterns, with the server's texts.
final class Structure {
    private static final String INVALID = "FieldValueInvalid";

    private final @Nullable ObjectNode before;
    private final List<Cause> causes;

    private Structure(@Nullable ObjectNode before, List<Cause> causes) {
        this.before = before;
        this.causes = causes;
    }

    /// @param before what it replaces; a field that both share, and not only is equal, was checked
    ///   when it came
    static void check(
            ObjectNode object,
            Optional<ObjectNode> before,
            Schema schema,
            Schema meta,
            List<Cause> causes) {
        var structure = new Structure(before.orElse(null), causes);
        structure.value(object.path("metadata"), meta, "metadata");
        structure.object(object, schema, "");
    }

    private void value(JsonNode value, Schema schema, String path) {
        if (value.isMissingNode() || (value.isNull() && schema.nullable())) {
            return;
        }
        if (!typed(value, schema)) {
            wrongType(value, schema, path);
            return;
        }
        if (value.isObject()) {
            object(value, schema, path);
        } else if (value.isArray()) {
            array(value, schema, path);
        } else if (value.isNumber()) {
            number(value, schema, path);
        } else if (value.isString()) {
            text(value.asString(), schema, path);
        }
        chosen(value, schema, path);
    }

    private static boolean typed(JsonNode value, Schema schema) {
        if (schema.intOrString()) {
            return value.isIntegralNumber() || value.isString();
        }
        return switch (schema.type()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> true;
        };
    }

    private void wrongType(JsonNode value, Schema schema, String path) {
        var wanted = schema.intOrString() ? "integer,string" : schema.type();
        var found = "\"" + typeOf(value) + "\"";
        add(
                "FieldValueTypeInvalid",
                path,
                "Invalid value: %s: %s in body must be of type %s: %s"
                        .formatted(found, path, wanted, found));
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case NULL, MISSING -> "null";
        };
    }

    private void object(JsonNode value, Schema schema, String path) {
        for (var name : schema.required()) {
            if (!value.has(name)) {
                add("FieldValueRequired", Fields.below(path, name), "Required value");
            }
        }
        atMost("maxProperties", value.size(), "items", schema, path);
        for (var field : value.properties()) {
            boolean checked =
                    path.isEmpty()
                            && (field.getKey().equals("metadata")
                                    || (before != null
                                            && before.get(field.getKey()) == field.getValue()));
            if (!checked) {
                schema.field(field.getKey())
                        .ifPresent(
                                part ->
                                        value(
                                                field.getValue(),
                                                part,
                                                Fields.below(path, field.getKey())));
            }
        }
    }

    private void array(JsonNode value, Schema schema, String path) {
        atMost("maxItems", value.size(), "items", schema, path);
        schema.limit("minItems")
                .filter(least -> value.size() < least.asInt())
                .ifPresent(
                        least ->
                                invalid(
                                        path,
                                        Integer.toString(value.size()),
                                        "should have at least %d items".formatted(least.asInt())));
        var items = schema.items().orElse(null);
        for (int i = 0; items != null && i < value.size(); i++) {
            value(value.get(i), items, path + "[" + i + "]");
        }
        unique(value, schema, path);
    }

    private void unique(JsonNode value, Schema schema, String path) {
        if (!schema.isSet() && schema.listKeys().isEmpty()) {
            return;
        }
        var seen = new HashSet<JsonNode>();
        for (int i = 0; i < value.size(); i++) {
            var key = schema.isSet() ? value.get(i) : keyOf(value.get(i), schema.listKeys());
            if (!seen.add(key)) {
                add(
                        "FieldValueDuplicate",
                        path + "[" + i + "]",
                        "Duplicate value: " + key.toString());
            }
        }
    }

    /// @param item an item of a list that is a map
    /// @param names the fields that make its key
    /// @return those fields
    static JsonNode keyOf(JsonNode item, List<String> names) {
        if (!(item instanceof ObjectNode object)) {
            return item;
        }
        var key = object.objectNode();
        names.stream().filter(object::has).forEach(name -> key.set(name, object.get(name)));
        return key;
    }

    private void number(JsonNode value, Schema schema, String path) {
        var number = value.decimalValue();
        schema.limit("minimum")
                .filter(least -> number.compareTo(least.decimalValue()) < 0)
                .ifPresent(
                        least ->
                                invalid(
                                        path,
                                        plain(number),
                                        "should be greater than or equal to "
                                                + plain(least.decimalValue())));
        schema.limit("maximum")
                .filter(most -> number.compareTo(most.decimalValue()) > 0)
                .ifPresent(
                        most ->
                                invalid(
                                        path,
                                        plain(number),
                                        "should be less than or equal to "
                                                + plain(most.decimalValue())));
    }

    private void text(String text, Schema schema, String path) {
        schema.limit("maxLength")
                .filter(most -> text.codePointCount(0, text.length()) > most.asInt())
                .ifPresent(
                        most ->
                                add(
                                        "FieldValueTooLong",
                                        path,
                                        "Too long: may not be more than %d bytes"
                                                .formatted(most.asInt())));
        schema.limit("minLength")
                .filter(least -> text.codePointCount(0, text.length()) < least.asInt())
                .ifPresent(
                        least ->
                                invalid(
                                        path,
                                        "\"" + text + "\"",
                                        "should be at least %d chars long"
                                                .formatted(least.asInt())));
        schema.pattern()
                .filter(pattern -> !pattern.matcher(text).find())
                .ifPresent(
                        pattern ->
                                invalid(
                                        path,
                                        "\"" + text + "\"",
                                        "should match '%s'".formatted(pattern.pattern())));
    }

    private void chosen(JsonNode value, Schema schema, String path) {
        var choices = schema.choices();
        if (choices.isEmpty() || choices.contains(value.asString(""))) {
            return;
        }
        var known = choices.stream().map(c -> "\"" + c + "\"").collect(Collectors.joining(", "));
        add(
                "FieldValueNotSupported",
                path,
                "Unsupported value: %s: supported values: %s".formatted(value, known));
    }

    private void atMost(String limit, int size, String what, Schema schema, String path) {
        schema.limit(limit)
                .filter(most -> size > most.asInt())
                .ifPresent(
                        most ->
                                add(
                                        "FieldValueTooMany",
                                        path,
                                        "Too many: %d: must have at most %d %s"
                                                .formatted(size, most.asInt(), what)));
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    private void invalid(String path, String value, String wanted) {
        add(INVALID, path, "Invalid value: %s: %s in body %s".formatted(value, path, wanted));
    }

    private void add(String reason, String path, String message) {
        causes.add(new Cause(reason, path, message));
    }
}
