package org.meshbook.kernel.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/// What a peer says about itself in a handshake.
///
/// @param type its kind of socket, as `DEALER`; empty if it did not say
/// @param identity by which it is addressed; empty if it has none of its own
record Metadata(String type, byte[] identity) {
    /// @param bytes properties, each a name of up to 255 bytes and a value of up to 2^31
    static Metadata read(ByteBuffer bytes) throws BadPeer {
        var type = "";
        var identity = new byte[0];
        try {
            while (bytes.hasRemaining()) {
                var name = new byte[Byte.toUnsignedInt(bytes.get())];
                bytes.get(name);
                var length = bytes.getInt();
                if (length < 0 || length > bytes.remaining()) {
                    throw new BadPeer("a property of %d bytes".formatted(length));
                }
                var value = new byte[length];
                bytes.get(value);
                switch (new String(name, US_ASCII).toLowerCase(Locale.ROOT)) {
                    case "socket-type" -> type = new String(value, US_ASCII);
                    case "identity" -> identity = value;
                    default -> {} // ours to ignore
                }
            }
        } catch (BufferUnderflowException e) {
            throw new BadPeer("properties are cut short");
        }
        return new Metadata(type, identity);
    }

    byte[] bytes() {
        var out = ByteBuffer.allocate(64 + identity.length);
        property(out, "Socket-Type", type.getBytes(US_ASCII));
        property(out, "Identity", identity);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void property(ByteBuffer out, String name, byte[] value) {
        out.put((byte) name.length()).put(name.getBytes(US_ASCII));
        out.putInt(value.length).put(value);
    }
}
