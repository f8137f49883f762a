package org.meshbook.elastic.engine.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A protobuf message being written, field by field.
///
/// Source: https://protobuf.dev/programming-guides/encoding/
final class Proto {
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Proto number(int field, long value) {
        varint((long) field << 3 | VARINT);
        varint(value);
        return this;
    }

    Proto text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Proto message(int field, Proto value) {
        return bytes(field, value.toByteArray());
    }

    Proto bytes(int field, ByteBuffer value) {
        var copy = new byte[value.remaining()];
        value.duplicate().get(copy);
        return bytes(field, copy);
    }

    byte[] toByteArray() {
        return out.toByteArray();
    }

    private Proto bytes(int field, byte[] value) {
        varint((long) field << 3 | BYTES);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
