package org.meshbook.kernel.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How one connection is secured: the server's half of a handshake, then what becomes of each
/// frame.
sealed interface Mechanism permits Plain, Curve {
    /// @return as the greeting names it
    String name();

    /// @return what is sent once both have greeted
    List<Frame> opening();

    /// One step of the handshake.
    ///
    /// @param command of the peer's
    /// @param answers is added to
    /// @return what the peer says about itself, which ends the handshake; null before
    @Nullable Metadata step(Frame command, List<Frame> answers) throws BadPeer;

    /// @param frame to send
    /// @return what goes over the wire for it
    Frame seal(Frame frame);

    /// @param frame as it came
    /// @return what the peer meant
    Frame open(Frame frame) throws BadPeer;

    /// @param name of a command
    /// @param parts what follows its name
    static Frame command(String name, byte[]... parts) {
        var size = 1 + name.length();
        for (var part : parts) {
            size += part.length;
        }
        var body = ByteBuffer.allocate(size).put((byte) name.length()).put(name.getBytes(US_ASCII));
        for (var part : parts) {
            body.put(part);
        }
        return new Frame(body.array(), false, true);
    }

    static boolean isNamed(Frame command, String name) {
        var body = command.body();
        return body.length > name.length()
                && body[0] == name.length()
                && new String(body, 1, name.length(), US_ASCII).equals(name);
    }

    /// @return what follows the name of a command that must be this one
    static ByteBuffer read(Frame frame, String name) throws BadPeer {
        if (!isNamed(frame, name)) {
            throw new BadPeer("no " + name + " where one is due");
        }
        return ByteBuffer.wrap(frame.body()).position(1 + name.length()).slice();
    }
}
