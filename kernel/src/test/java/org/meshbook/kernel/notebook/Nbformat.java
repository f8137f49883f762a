package org.meshbook.kernel.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules of nbformat 4.5's schema, as far as they bind what we write. Source:
/// https://github.com/jupyter/nbformat/blob/main/nbformat/v4/nbformat.v4.5.schema.json
final class Nbformat {
    private Nbformat() {}

    static void check(JsonNode notebook) {
        fields(notebook, Set.of("metadata", "nbformat", "nbformat_minor", "cells"), Set.of());
        assertThat(notebook.path("nbformat").asInt()).isEqualTo(4);
        assertThat(notebook.path("nbformat_minor").asInt()).isGreaterThanOrEqualTo(5);
        assertThat(notebook.at("/metadata/kernelspec/name").isString()).isTrue();
        assertThat(notebook.at("/metadata/kernelspec/display_name").isString()).isTrue();
        assertThat(notebook.at("/metadata/language_info/name").isString()).isTrue();
        var ids = new HashSet<String>();
        for (var cell : notebook.path("cells")) {
            cell(cell);
            assertThat(ids.add(cell.path("id").asString())).as("unique id").isTrue();
        }
    }

    private static void cell(JsonNode cell) {
        var type = cell.path("cell_type").asString();
        var common = Set.of("id", "cell_type", "metadata", "source");
        assertThat(cell.path("id").asString()).matches("[a-zA-Z0-9-_]{1,64}");
        assertThat(cell.path("metadata").isObject()).isTrue();
        lines(cell.path("source"));
        if (!type.equals("code")) {
            assertThat(type).isIn("markdown", "raw");
            fields(cell, common, Set.of("attachments"));
            return;
        }
        var code = new HashSet<>(common);
        code.addAll(Set.of("outputs", "execution_count"));
        fields(cell, code, Set.of());
        var count = cell.path("execution_count");
        assertThat(count.isNull() || count.isIntegralNumber()).isTrue();
        cell.path("outputs").forEach(Nbformat::output);
    }

    private static void output(JsonNode output) {
        var type = output.path("output_type").asString();
        switch (type) {
            case "stream" -> {
                fields(output, Set.of("output_type", "name", "text"), Set.of());
                assertThat(output.path("name").asString()).isIn("stdout", "stderr");
                lines(output.path("text"));
            }
            case "display_data" -> {
                fields(output, Set.of("output_type", "data", "metadata"), Set.of());
                bundle(output);
            }
            case "execute_result" -> {
                fields(
                        output,
                        Set.of("output_type", "execution_count", "data", "metadata"),
                        Set.of());
                bundle(output);
            }
            case "error" -> {
                fields(output, Set.of("output_type", "ename", "evalue", "traceback"), Set.of());
                output.path("traceback").forEach(line -> assertThat(line.isString()).isTrue());
            }
            default -> throw new AssertionError("output of type " + type);
        }
    }

    private static void bundle(JsonNode output) {
        assertThat(output.path("metadata").isObject()).isTrue();
        for (var entry : output.path("data").properties()) {
            if (!entry.getKey().endsWith("json")) {
                lines(entry.getValue());
            }
        }
    }

    private static void lines(JsonNode node) {
        assertThat(node.isString() || node.isArray()).as("multiline string: %s", node).isTrue();
        node.forEach(line -> assertThat(line.isString()).isTrue());
    }

    private static void fields(JsonNode node, Set<String> required, Set<String> optional) {
        assertThat(node.propertyNames()).containsAll(required);
        var others = new HashSet<>(node.propertyNames());
        others.removeAll(required);
        others.removeAll(optional);
        assertThat(others).as("fields that the schema does not know").isEmpty();
    }
}
