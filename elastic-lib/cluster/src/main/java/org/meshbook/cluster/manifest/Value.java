package org.meshbook.cluster.manifest;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// One value of a manifest and where it stands.
///
/// What is not there is a value too: empty, at the place of what it should stand in.
///
/// @param key where its key begins; where the value begins if it has none
/// @param place where it begins
/// @param json it, as JSON; a missing node if it is not there; not to be changed
/// @param fields its fields, if it is an object, in their order
/// @param items its items, if it is a list
public record Value(
        Place key, Place place, JsonNode json, Map<String, Value> fields, List<Value> items) {
    /// @param steps names of fields, from the outside in
    /// @return what lies there
    public Value at(String... steps) {
        var value = this;
        for (var step : steps) {
            var next = value.fields.get(step);
            value = next == null ? missingIn(value) : next;
        }
        return value;
    }

    /// @param index place in the list
    /// @return the item
    public Value item(int index) {
        return index < items.size() ? items.get(index) : missingIn(this);
    }

    /// @return whether it is there and not null
    public boolean exists() {
        return !json.isMissingNode() && !json.isNull();
    }

    /// @return the text of a scalar; `""` for what is none
    public String text() {
        return json.asString("");
    }

    /// @param other what to answer if this is no number
    /// @return the whole number that it is
    public long number(long other) {
        return json.canConvertToLong() && json.isIntegralNumber() ? json.longValue() : other;
    }

    /// @return whether it is `true`
    public boolean isTrue() {
        return json.isBoolean() && json.booleanValue();
    }

    /// @return it and all that it holds
    public Stream<Value> all() {
        var held = Stream.concat(fields.values().stream(), items.stream());
        return Stream.concat(Stream.of(this), held.flatMap(Value::all));
    }

    Value under(Place newKey) {
        return new Value(newKey, place, json, fields, items);
    }

    private static Value missingIn(Value value) {
        return new Value(value.key, value.key, MissingNode.getInstance(), Map.of(), List.of());
    }
}
