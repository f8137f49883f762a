package org.meshbook.cluster.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One part of a structural schema. Parts that several name are one object.
final class Schema {
    /// A rule in CEL.
    ///
    /// @param text the rule
    /// @param message what to say when it does not hold
    /// @param self what it reads of the present value
    /// @param oldSelf what it reads of the value before
    record Rule(String text, String message, Mentioned self, Mentioned oldSelf) {
        static Rule of(JsonNode json) {
            var text = json.path("rule").asString("");
            return new Rule(
                    text,
                    json.path("message").asString(""),
                    Mentioned.in(text, "self"),
                    Mentioned.in(text, "oldSelf"));
        }

        /// @return whether it compares with what was there
        boolean compares() {
            return text.contains("oldSelf");
        }
    }

    private final JsonNode json;
    private final Map<String, Schema> properties = new LinkedHashMap<>();
    private final @Nullable Schema items;
    private final @Nullable Schema others;
    private final List<Rule> rules = new ArrayList<>();
    private final List<String> required;
    private final List<String> listKeys;
    private final @Nullable Pattern pattern;
    private @Nullable Boolean ruled;

    /// @param json as in the resource
    /// @param below makes the parts below
    Schema(JsonNode json, Function<JsonNode, Schema> below) {
        this.json = json;
        json.path("properties")
                .properties()
                .forEach(e -> properties.put(e.getKey(), below.apply(e.getValue())));
        items = json.has("items") ? below.apply(json.get("items")) : null;
        others =
                json.has("additionalProperties")
                        ? below.apply(json.get("additionalProperties"))
                        : null;
        required = texts("required");
        listKeys = texts("listKeys");
        pattern = json.has("pattern") ? Pattern.compile(text("pattern")) : null;
        for (var rule : json.path("rules").values()) {
            rules.add(Rule.of(rule));
        }
    }

    /// @return such as `object`; `""` if it may be a number or a text
    String type() {
        return text("type");
    }

    Map<String, Schema> properties() {
        return properties;
    }

    Optional<Schema> items() {
        return Optional.ofNullable(items);
    }

    /// @return the part of a field, named or not
    Optional<Schema> field(String name) {
        return Optional.ofNullable(properties.getOrDefault(name, others));
    }

    /// @return whether it may have any field
    boolean open() {
        return flag("open");
    }

    boolean intOrString() {
        return flag("intOrString");
    }

    boolean nullable() {
        return flag("nullable");
    }

    boolean isSet() {
        return text("listType").equals("set");
    }

    List<String> required() {
        return required;
    }

    List<String> listKeys() {
        return listKeys;
    }

    Optional<Pattern> pattern() {
        return Optional.ofNullable(pattern);
    }

    List<Rule> rules() {
        return rules;
    }

    Optional<JsonNode> byDefault() {
        return Optional.ofNullable(json.get("default"));
    }

    List<String> choices() {
        return texts("enum");
    }

    /// @param name such as `maxItems`
    /// @return the limit, if there is one
    Optional<JsonNode> limit(String name) {
        return Optional.ofNullable(json.get(name));
    }

    /// @return whether it or a part below has a rule
    boolean ruled() {
        if (ruled == null) {
            ruled =
                    !rules.isEmpty()
                            || (items != null && items.ruled())
                            || (others != null && others.ruled())
                            || properties.values().stream().anyMatch(Schema::ruled);
        }
        return ruled;
    }

    private boolean flag(String name) {
        return json.path(name).asBoolean(false);
    }

    private String text(String name) {
        return json.path(name).asString("");
    }

    private List<String> texts(String name) {
        return json.path(name).values().stream().map(n -> n.asString("")).toList();
    }
}
