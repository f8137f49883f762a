package org.meshbook.kernel.wire.zmtp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bytes to frames, however the network cut them.
///
/// A frame says first how long it is, and nine bytes of noise can say two milliards: memory is
/// taken as bytes arrive, not as they are announced.
final class FrameReader {
    private static final int FIRST_BYTES = 16 << 10;
    private static final int KNOWN_FLAGS = Frame.MORE | Frame.LONG | Frame.COMMAND;

    private final int largest;
    private final ByteBuffer head = ByteBuffer.allocate(9);
    private byte @Nullable [] body;
    private int length;
    private int filled;

    /// @param largest frame in bytes; a larger one is a fault
    FrameReader(int largest) {
        this.largest = largest;
    }

    /// @param in is read up to the end of the frame
    /// @return the next frame, or null if it has not arrived whole
    @Nullable Frame next(ByteBuffer in) throws BadPeer {
        var into = body != null ? body : begin(in);
        if (into == null) {
            return null;
        }
        while (filled < length && in.hasRemaining()) {
            if (filled == into.length) {
                into = Arrays.copyOf(into, (int) Math.min(length, 4L * filled));
                body = into;
            }
            var count = Math.min(into.length - filled, in.remaining());
            in.get(into, filled, count);
            filled += count;
        }
        if (filled < length) {
            return null;
        }
        var flags = head.get(0);
        head.clear();
        body = null;
        return new Frame(into, (flags & Frame.MORE) != 0, (flags & Frame.COMMAND) != 0);
    }

    /// @return memory for the body, or null if the length has not arrived whole
    private byte @Nullable [] begin(ByteBuffer in) throws BadPeer {
        while (in.hasRemaining()) {
            head.put(in.get());
            var flags = head.get(0);
            if ((flags & ~KNOWN_FLAGS) != 0) {
                throw new BadPeer("a frame begins with 0x%02x".formatted(flags));
            }
            if (head.position() == ((flags & Frame.LONG) != 0 ? 9 : 2)) {
                var announced =
                        (flags & Frame.LONG) != 0
                                ? head.getLong(1)
                                : Byte.toUnsignedInt(head.get(1));
                if (announced < 0 || announced > largest) {
                    throw new BadPeer("a frame of %d bytes".formatted(announced));
                }
                length = (int) announced;
                filled = 0;
                body = new byte[Math.min(length, FIRST_BYTES)];
                return body;
            }
        }
        return null;
    }
}
