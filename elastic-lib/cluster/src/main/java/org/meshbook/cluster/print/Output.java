package org.meshbook.cluster.print;

import java.util.List;
import java.util.TreeMap;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.manifest.Printer;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Objects whole, as `-o yaml` and `-o json` print them.
public final class Output {
    private static final ObjectWriter JSON = writer();

    private Output() {}

    private static ObjectWriter writer() {
        var indenter = new DefaultIndenter("    ", "\n");
        var separators =
                Separators.createDefaultInstance()
                        .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                        .withObjectEmptySeparator("")
                        .withArrayEmptySeparator("");
        var printer = new DefaultPrettyPrinter(separators);
        printer.indentArraysWith(indenter);
        printer.indentObjectsWith(indenter);
        return JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writer()
                .with(printer);
    }

    /// @param objects one object, or several
    /// @param list whether they are a list even if there is one
    /// @return YAML; ends with a line feed
    public static String yaml(List<Resource> objects, boolean list) {
        return Printer.yaml(whole(objects, list));
    }

    /// @param objects one object, or several
    /// @param list whether they are a list even if there is one
    /// @return JSON, indented; ends with a line feed
    public static String json(List<Resource> objects, boolean list) {
        return JSON.writeValueAsString(sorted(whole(objects, list))) + "\n";
    }

    private static JsonNode whole(List<Resource> objects, boolean list) {
        if (!list && objects.size() == 1) {
            return shown(objects.getFirst());
        }
        var whole = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1");
        var items = whole.putArray("items");
        objects.forEach(object -> items.add(shown(object)));
        whole.put("kind", "List").putObject("metadata").put("resourceVersion", "");
        return whole;
    }

    /// Who wrote which field is shown only to those who ask.
    private static JsonNode shown(Resource object) {
        if (object.at("metadata", "managedFields").isMissingNode()) {
            return object.json();
        }
        return object.with(j -> j.withObjectProperty("metadata").remove("managedFields")).json();
    }

    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ObjectNode object) {
            var fields = new TreeMap<String, JsonNode>();
            object.properties().forEach(e -> fields.put(e.getKey(), sorted(e.getValue())));
            return object.objectNode().setAll(fields);
        }
        if (node.isArray()) {
            var items = JsonNodeFactory.instance.arrayNode();
            node.values().forEach(item -> items.add(sorted(item)));
            return items;
        }
        return node;
    }
}
