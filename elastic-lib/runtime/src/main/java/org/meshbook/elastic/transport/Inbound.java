package org.meshbook.elastic.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Reads one connection on which another worker sends, on a thread of its own, until it ends.
///
/// It never waits for anything but the socket, so that no sender waits for a device.
final class Inbound {
    private static final int SMALL = 64 << 10;

    private final SocketChannel channel;
    private final Exchange exchange;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(2 * SMALL).limit(0);

    Inbound(SocketChannel channel, Exchange exchange) {
        this.channel = channel;
        this.exchange = exchange;
    }

    void readAll() throws IOException {
        while (true) {
            // 1. the head, whose length depends on its count of targets
            fill(Frame.HEAD_BYTES);
            fill(Frame.HEAD_BYTES + 4 * Frame.targets(buffer));
            var frame = Frame.decode(buffer);
            // 2. the payload
            var mail = mail(frame);
            Gate.ofProcess().pass();
            exchange.deliver(frame.key(), frame.targets(), mail);
        }
    }

    private Mail mail(Frame frame) throws IOException {
        int length = Math.toIntExact(frame.length());
        ByteBuffer payload;
        try {
            payload =
                    length <= SMALL
                            ? ByteBuffer.allocate(length)
                            : ByteBuffer.allocateDirect(length);
        } catch (OutOfMemoryError e) {
            skip(frame.length());
            return new Mail.Failed(
                    Fault.memory(
                            "out of memory: no room to receive "
                                    + length
                                    + " bytes from device "
                                    + frame.key().from()));
        }
        payload.put(take(length));
        while (payload.hasRemaining()) {
            if (channel.read(payload) < 0) {
                throw new IOException("closed in the middle of a message");
            }
        }
        payload.flip();
        return frame.failed() ? new Mail.Failed(Frame.fault(payload)) : new Mail.Bytes(payload);
    }

    private void skip(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            if (!buffer.hasRemaining()) {
                fill(1);
            }
            left -= take(left).remaining();
        }
    }

    /// The next bytes that are here already, at most `bytes`.
    private ByteBuffer take(long bytes) {
        int here = (int) Math.min(buffer.remaining(), bytes);
        var part = buffer.slice(buffer.position(), here);
        buffer.position(buffer.position() + here);
        return part;
    }

    private void fill(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return;
        }
        buffer.compact();
        try {
            while (buffer.position() < bytes) {
                if (channel.read(buffer) < 0) {
                    throw new IOException("closed");
                }
            }
        } finally {
            buffer.flip();
        }
    }
}
