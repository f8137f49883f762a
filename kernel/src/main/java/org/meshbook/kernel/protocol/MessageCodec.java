package org.meshbook.kernel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Headers, requests and contents from and to JSON, as trees: reading and writing by reflection
/// would cost a tenth of a second at the kernel's start. Thread-safe.
public final class MessageCodec {
    private static final JsonMapper JSON = JsonMapper.shared();

    private MessageCodec() {}

    /// @param json a header
    /// @return what it says
    /// @throws BadMessage if it is broken or names no message
    public static Header header(byte[] json) {
        var node = tree("header", json);
        var id = node.path("msg_id").stringValue(null);
        var type = node.path("msg_type").stringValue(null);
        if (id == null || type == null) {
            throw new BadMessage("the header names no message: msg_id or msg_type is missing");
        }
        return new Header(
                id,
                node.path("session").asString(""),
                node.path("username").asString(""),
                node.path("date").asString(""),
                type,
                node.path("version").asString(Header.PROTOCOL),
                Optional.ofNullable(node.path("subshell_id").stringValue(null)));
    }

    /// @param json a parent's header
    /// @return the parent's id, if there is one
    public static Optional<String> parent(byte[] json) {
        try {
            return Optional.ofNullable(tree("parent", json).path("msg_id").stringValue(null));
        } catch (BadMessage e) {
            return Optional.empty();
        }
    }

    /// @param type of a message
    /// @param json its content
    /// @param metadata its metadata, JSON
    /// @param buffers its binary parts
    /// @return the request, or empty if the type is not known
    /// @throws BadMessage if the content is broken or lacks something
    public static Optional<Request> request(
            String type, byte[] json, byte[] metadata, List<byte[]> buffers) {
        return RequestDecoder.decode(type, tree("content of " + type, json), metadata, buffers);
    }

    /// @param header to send
    /// @return its JSON
    public static byte[] write(Header header) {
        return write(header.fields());
    }

    /// @param content maps, lists, texts, numbers, truth values, nulls
    /// @return its JSON, in which half of a surrogate pair has become a question mark: a cell may
    ///   print one, and front ends break on it
    /// @throws IllegalArgumentException if there is something else in it, or it contains itself
    public static byte[] write(Map<String, Object> content) {
        try {
            return JSON.writeValueAsBytes(torn(content) ? mended(content) : content);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no JSON can be made: " + e.getOriginalMessage(), e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("no JSON can be made: it contains itself", e);
        }
    }

    private static boolean torn(@Nullable Object value) {
        return switch (value) {
            case String text -> torn(text);
            case Map<?, ?> map -> map.values().stream().anyMatch(MessageCodec::torn);
            case Collection<?> all -> all.stream().anyMatch(MessageCodec::torn);
            case null, default -> false;
        };
    }

    private static boolean torn(String text) {
        for (var at = 0; at < text.length(); at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                var point = text.codePointAt(at);
                if (!Character.isSupplementaryCodePoint(point)) {
                    return true;
                }
                at++;
            }
        }
        return false;
    }

    private static @Nullable Object mended(@Nullable Object value) {
        return switch (value) {
            case String text -> new String(text.getBytes(UTF_8), UTF_8);
            case Map<?, ?> map -> {
                var mended = new LinkedHashMap<Object, @Nullable Object>();
                map.forEach((key, inner) -> mended.put(key, mended(inner)));
                yield mended;
            }
            case Collection<?> all -> all.stream().map(MessageCodec::mended).toList();
            case null, default -> value;
        };
    }

    static JsonNode tree(String what, byte[] json) {
        try {
            var node = JSON.readTree(json);
            if (!node.isObject()) {
                throw new BadMessage(what + " is no JSON object");
            }
            return node;
        } catch (JacksonException e) {
            throw new BadMessage(what + " is no JSON: " + e.getOriginalMessage());
        }
    }
}
