package org.meshbook.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Holds messages of the kernel to the protocol, by a JSON schema of our own.
final class ProtocolSchema {
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final JsonNode ALL = read();
    private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

    private ProtocolSchema() {}

    private static JsonNode read() {
        try (var in = ProtocolSchema.class.getResourceAsStream("protocol.schema.json")) {
            return JsonMapper.shared().readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void check(JupyterClient.Message message) {
        check("header", message.header());
        check("parent_header", message.parent());
        check("metadata", message.metadata());
        check(message.type(), message.content());
    }

    /// @param definition part of a message, or type of a content
    static void check(String definition, JsonNode json) {
        assertThat(ALL.path("$defs").has(definition)).as("schema of " + definition).isTrue();
        var schema =
                SCHEMAS.computeIfAbsent(
                        definition,
                        name -> {
                            var one = (ObjectNode) ALL.deepCopy();
                            one.put("$ref", "#/$defs/" + name);
                            return REGISTRY.getSchema(one);
                        });
        assertThat(schema.validate(json)).as(definition + " " + json).isEmpty();
    }
}
