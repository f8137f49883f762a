package org.meshbook.cluster.rest.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads the objects that `kubectl create` sends as protobuf, whatever a server says to it:
/// ConfigMaps and Namespaces.
///
/// Source: `generated.proto` of `k8s.io/api/core/v1` and of `k8s.io/apimachinery`; the four bytes
/// in front and the envelope are those of `runtime.Unknown`.
public final class Protobuf {
    /// The media type.
    public static final String TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private static final Map<Integer, Field> META =
            Map.of(
                    1, Field.text("name"),
                    2, Field.text("generateName"),
                    3, Field.text("namespace"),
                    11, Field.map("labels", false),
                    12, Field.map("annotations", false));
    private static final Map<String, Map<Integer, Field>> OBJECTS =
            Map.of(
                    "ConfigMap",
                    Map.of(
                            1, Field.object("metadata", META),
                            2, Field.map("data", false),
                            3, Field.map("binaryData", true),
                            4, Field.flag("immutable")),
                    "Namespace",
                    Map.of(1, Field.object("metadata", META)));

    private enum Kind {
        TEXT,
        FLAG,
        TEXTS,
        BINARIES,
        OBJECT
    }

    private record Field(String name, Kind kind, Map<Integer, Field> fields) {
        static Field text(String name) {
            return new Field(name, Kind.TEXT, Map.of());
        }

        static Field flag(String name) {
            return new Field(name, Kind.FLAG, Map.of());
        }

        static Field map(String name, boolean binary) {
            return new Field(name, binary ? Kind.BINARIES : Kind.TEXTS, Map.of());
        }

        static Field object(String name, Map<Integer, Field> fields) {
            return new Field(name, Kind.OBJECT, fields);
        }
    }

    private Protobuf() {}

    /// @param body a request's body
    /// @return the object as JSON; empty if it is of another kind, or cannot be read
    public static Optional<byte[]> json(byte[] body) {
        if (body.length < MAGIC.length
                || !Arrays.equals(MAGIC, Arrays.copyOf(body, MAGIC.length))) {
            return Optional.empty();
        }
        try {
            var envelope = ByteBuffer.wrap(body, MAGIC.length, body.length - MAGIC.length);
            var object = JsonNodeFactory.instance.objectNode();
            var raw = ByteBuffer.allocate(0);
            while (envelope.hasRemaining()) {
                int tag = (int) varint(envelope);
                switch (tag >> 3) {
                    case 1 -> read(bytes(envelope), TYPES, object);
                    case 2 -> raw = bytes(envelope);
                    default -> skip(envelope, tag & 7);
                }
            }
            var fields = OBJECTS.get(object.path("kind").asString(""));
            if (fields == null) {
                return Optional.empty();
            }
            read(raw, fields, object);
            return Optional.of(object.toString().getBytes(UTF_8));
        } catch (BufferUnderflowException | IllegalArgumentException broken) {
            return Optional.empty();
        }
    }

    private static final Map<Integer, Field> TYPES =
            Map.of(1, Field.text("apiVersion"), 2, Field.text("kind"));

    private static void read(ByteBuffer from, Map<Integer, Field> fields, ObjectNode into) {
        while (from.hasRemaining()) {
            int tag = (int) varint(from);
            var field = fields.get(tag >> 3);
            if (field == null) {
                skip(from, tag & 7);
                continue;
            }
            switch (field.kind()) {
                case FLAG -> into.put(field.name(), varint(from) != 0);
                case TEXT -> {
                    var text = text(bytes(from));
                    if (!text.isEmpty()) {
                        into.put(field.name(), text);
                    }
                }
                case OBJECT ->
                        read(bytes(from), field.fields(), into.withObjectProperty(field.name()));
                case TEXTS -> entry(bytes(from), false, into.withObjectProperty(field.name()));
                case BINARIES -> entry(bytes(from), true, into.withObjectProperty(field.name()));
            }
        }
    }

    private static void entry(ByteBuffer from, boolean binary, ObjectNode into) {
        var key = "";
        var value = "";
        while (from.hasRemaining()) {
            int tag = (int) varint(from);
            switch (tag >> 3) {
                case 1 -> key = text(bytes(from));
                case 2 -> value = binary ? base64(bytes(from)) : text(bytes(from));
                default -> skip(from, tag & 7);
            }
        }
        into.put(key, value);
    }

    private static String text(ByteBuffer bytes) {
        return UTF_8.decode(bytes).toString();
    }

    private static String base64(ByteBuffer bytes) {
        return UTF_8.decode(Base64.getEncoder().encode(bytes)).toString();
    }

    private static ByteBuffer bytes(ByteBuffer from) {
        int length = Math.toIntExact(Math.min(varint(from), Integer.MAX_VALUE));
        if (length < 0 || length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        var part = from.slice(from.position(), length);
        from.position(from.position() + length);
        return part;
    }

    private static long varint(ByteBuffer from) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = from.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number is too long");
    }

    private static void skip(ByteBuffer from, int wire) {
        switch (wire) {
            case VARINT -> {
                long unused = varint(from);
            }
            case FIXED64 -> {
                long unused = from.getLong();
            }
            case FIXED32 -> {
                int unused = from.getInt();
            }
            case BYTES -> {
                var unused = bytes(from);
            }
            default -> throw new IllegalArgumentException("no wire type: " + wire);
        }
    }
}
