package org.meshbook.kernel.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/// Content of a request to its record. A field that is missing takes the protocol's default; one
/// without which nothing can be done makes a [BadMessage].
final class RequestDecoder {
    private static final int DEFAULT_HISTORY = 10;

    private RequestDecoder() {}

    /// @param metadata JSON that stands beside the content; only comms have use for it
    /// @param buffers binary parts that came with it
    static Optional<Request> decode(
            String type, JsonNode content, byte[] metadata, List<byte[]> buffers) {
        var request =
                switch (type) {
                    case "kernel_info_request" -> new Request.KernelInfo();
                    case "connect_request" -> new Request.Connect();
                    case "execute_request" -> execute(content);
                    case "complete_request" -> {
                        var code = text(content, "code");
                        yield new Request.Complete(code, cursor(content, code));
                    }
                    case "inspect_request" -> {
                        var code = text(content, "code");
                        var detail = content.path("detail_level").asInt(0);
                        yield new Request.Inspect(code, cursor(content, code), detail);
                    }
                    case "is_complete_request" -> new Request.IsComplete(text(content, "code"));
                    case "history_request" -> history(content);
                    case "comm_info_request" ->
                            new Request.CommInfo(
                                    Optional.ofNullable(
                                            content.path("target_name").stringValue(null)));
                    case "comm_open" ->
                            new Request.CommOpen(
                                    id(content, "comm_id"),
                                    content.path("target_name").asString(""),
                                    payload(content, metadata, buffers));
                    case "comm_msg" ->
                            new Request.CommMessage(
                                    id(content, "comm_id"), payload(content, metadata, buffers));
                    case "comm_close" ->
                            new Request.CommClose(
                                    id(content, "comm_id"), payload(content, metadata, buffers));
                    case "interrupt_request" -> new Request.Interrupt();
                    case "usage_request" -> new Request.Usage();
                    case "create_subshell_request" -> new Request.CreateSubshell();
                    case "delete_subshell_request" ->
                            new Request.DeleteSubshell(id(content, "subshell_id"));
                    case "list_subshell_request" -> new Request.ListSubshells();
                    case "shutdown_request" ->
                            new Request.Shutdown(content.path("restart").asBoolean(false));
                    case "debug_request" ->
                            new Request.Debug(
                                    content.path("seq").asInt(0),
                                    content.path("command").asString(""));
                    case "input_reply" -> new Request.Input(text(content, "value"));
                    default -> null;
                };
        return Optional.ofNullable(request);
    }

    private static CommPayload payload(JsonNode content, byte[] metadata, List<byte[]> buffers) {
        var beside = MessageCodec.tree("metadata", metadata);
        return new CommPayload(PlainTree.of(content.path("data")), PlainTree.of(beside), buffers);
    }

    private static Request execute(JsonNode content) {
        var silent = content.path("silent").asBoolean(false);
        return new Request.Execute(
                text(content, "code"),
                silent,
                !silent && content.path("store_history").asBoolean(true),
                expressions(content.path("user_expressions")),
                content.path("allow_stdin").asBoolean(true),
                content.path("stop_on_error").asBoolean(true));
    }

    private static Map<String, String> expressions(JsonNode node) {
        var expressions = new LinkedHashMap<String, String>();
        for (var entry : node.properties()) {
            expressions.put(entry.getKey(), entry.getValue().asString(""));
        }
        return expressions;
    }

    private static Request history(JsonNode content) {
        var access = content.path("hist_access_type").asString("tail");
        var query =
                switch (access) {
                    case "tail" ->
                            new Request.Query.Tail(number(content, "n").orElse(DEFAULT_HISTORY));
                    case "range" ->
                            new Request.Query.Range(
                                    number(content, "session").orElse(0),
                                    number(content, "start").orElse(0),
                                    number(content, "stop"));
                    case "search" ->
                            new Request.Query.Search(
                                    content.path("pattern").asString("*"),
                                    number(content, "n"),
                                    content.path("unique").asBoolean(false));
                    default ->
                            throw new BadMessage.Incomplete(
                                    "hist_access_type is '"
                                            + access
                                            + "'; use tail, range or search");
                };
        return new Request.History(query, content.path("output").asBoolean(false));
    }

    private static int cursor(JsonNode content, String code) {
        var points = number(content, "cursor_pos");
        return points.isPresent() ? CodePoints.toUnits(code, points.getAsInt()) : code.length();
    }

    private static OptionalInt number(JsonNode content, String name) {
        var node = content.path(name);
        return node.isNumber() ? OptionalInt.of(node.asInt(0)) : OptionalInt.empty();
    }

    private static String id(JsonNode content, String name) {
        var id = text(content, name);
        if (id.isEmpty()) {
            throw new BadMessage.Incomplete("'" + name + "' is empty");
        }
        return id;
    }

    private static String text(JsonNode content, String name) {
        var text = content.path(name).stringValue(null);
        if (text == null) {
            throw new BadMessage.Incomplete("'" + name + "' is missing or no text");
        }
        return text;
    }
}
