package org.meshbook.kernel.wire.zmtp;

import java.nio.ByteBuffer;

/// One frame, not encrypted.
///
/// @param body what it carries
/// @param more whether the message goes on with the next one
/// @param command whether it speaks to the connection, not to the kernel
record Frame(byte[] body, boolean more, boolean command) {
    static final int MORE = 1;
    static final int LONG = 2;
    static final int COMMAND = 4;

    private static final int SHORT_BYTES = 255;
    private static final int SHORT_HEAD = 2;
    private static final int LONG_HEAD = 9;

    /// @return how many bytes [#write] takes
    int wireBytes() {
        return (body.length > SHORT_BYTES ? LONG_HEAD : SHORT_HEAD) + body.length;
    }

    /// @param out has room for it
    void write(ByteBuffer out) {
        var flags = (more ? MORE : 0) | (command ? COMMAND : 0);
        if (body.length > SHORT_BYTES) {
            out.put((byte) (flags | LONG)).putLong(body.length);
        } else {
            out.put((byte) flags).put((byte) body.length);
        }
        out.put(body);
    }
}
