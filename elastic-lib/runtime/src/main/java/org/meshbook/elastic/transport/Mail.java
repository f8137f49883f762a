package org.meshbook.elastic.transport;

import java.nio.ByteBuffer;

/// What one device sends another: bytes, or the reason why there are none.
public sealed interface Mail {
    /// Which message it is.
    ///
    /// @param op number of the operation
    /// @param step place within the operation
    /// @param piece number within the step
    /// @param from id of the sending device
    record Key(long op, int step, int piece, int from) {}

    /// @param data parts that follow each other, never written to again
    record Bytes(ByteBuffer... data) implements Mail {
        int length() {
            int length = 0;
            for (var part : data) {
                length += part.remaining();
            }
            return length;
        }
    }

    /// @param fault why there are no bytes
    record Failed(Fault fault) implements Mail {}
}
