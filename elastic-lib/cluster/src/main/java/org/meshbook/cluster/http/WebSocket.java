package org.meshbook.cluster.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Messages both ways, after RFC 6455. One thread reads, any may write.
public final class WebSocket {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int CONTINUATION = 0;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int SHORT = 126;
    private static final int LONG = 127;
    private static final int MOST_BYTES = 16 << 20;

    private final DataInputStream in;
    private final OutputStream out;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean closed;

    WebSocket(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = out;
    }

    static String accept(String key) {
        try {
            var hash =
                    MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /// Waits for a message; pings are answered.
    ///
    /// @return it; empty once the other side has closed
    /// @throws IOException if the connection broke
    public Optional<byte[]> read() throws IOException {
        var message = new ByteArrayOutputStream();
        while (true) {
            int first = in.read();
            if (first < 0) {
                return Optional.empty();
            }
            int kind = first & 0xF;
            var payload = payload(MOST_BYTES - message.size());
            switch (kind) {
                case PING -> send(PONG, payload, payload.length);
                case PONG -> {}
                case CLOSE -> {
                    close();
                    return Optional.empty();
                }
                default -> {
                    if ((kind == CONTINUATION) != message.size() > 0 && message.size() > 0) {
                        throw new ProtocolException("a message within a message");
                    }
                    message.writeBytes(payload);
                    if ((first & FINAL) != 0) {
                        return Optional.of(message.toByteArray());
                    }
                }
            }
        }
    }

    private byte[] payload(int mostBytes) throws IOException {
        int second = in.readUnsignedByte();
        long length =
                switch (second & ~MASKED) {
                    case SHORT -> in.readUnsignedShort();
                    case LONG -> in.readLong();
                    default -> second & ~MASKED;
                };
        if (length < 0 || length > mostBytes) {
            throw new ProtocolException("a message of %d bytes is too long".formatted(length));
        }
        var mask = (second & MASKED) == 0 ? new byte[4] : in.readNBytes(4);
        var payload = new byte[(int) length];
        in.readFully(payload);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return payload;
    }

    /// Sends a message.
    ///
    /// @param bytes it
    /// @throws IOException if the other side is gone
    public void write(byte[] bytes) throws IOException {
        send(BINARY, bytes, bytes.length);
    }

    private void send(int kind, byte[] bytes, int length) throws IOException {
        var head = ByteBuffer.allocate(10).put((byte) (FINAL | kind));
        if (length < SHORT) {
            head.put((byte) length);
        } else if (length < 1 << 16) {
            head.put((byte) SHORT).putShort((short) length);
        } else {
            head.put((byte) LONG).putLong(length);
        }
        writing.lock();
        try {
            if (closed) {
                return;
            }
            closed = kind == CLOSE;
            out.write(head.array(), 0, head.position());
            out.write(bytes, 0, length);
            out.flush();
        } finally {
            writing.unlock();
        }
    }

    /// Says that nothing more comes.
    ///
    /// @throws IOException if the other side is gone
    public void close() throws IOException {
        send(CLOSE, new byte[] {0x3, (byte) 0xE8}, 2);
    }
}
