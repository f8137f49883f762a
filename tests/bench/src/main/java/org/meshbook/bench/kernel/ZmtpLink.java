package org.meshbook.bench.kernel;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection that speaks ZMTP 3.0 without security, as libzmq does.
///
/// Source: https://rfc.zeromq.org/spec/23/
final class ZmtpLink implements AutoCloseable {
    private static final int MORE = 1;
    private static final int LONG = 2;
    private static final int COMMAND = 4;
    private static final int GREETING_BYTES = 64;
    private static final long RETRY_MILLIS = 2;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private ZmtpLink(Socket socket) throws IOException {
        this.socket = socket;
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    }

    /// Connects, again and again until somebody listens.
    ///
    /// @param type as `DEALER`
    /// @param identity of this end
    /// @param process who will listen; null if he does already
    /// @return an open connection
    /// @throws IOException if the process ends, or nobody listens in time
    static ZmtpLink open(
            int port, String type, String identity, @Nullable Process process, Duration patience)
            throws IOException, InterruptedException {
        var deadline = System.nanoTime() + patience.toNanos();
        var never = new CountDownLatch(1);
        while (true) {
            var socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                var link = new ZmtpLink(socket);
                if (type.equals("REQ")) {
                    socket.setSoTimeout((int) patience.toMillis());
                }
                link.greet(type, identity);
                return link;
            } catch (ConnectException e) {
                socket.close();
                if (System.nanoTime() > deadline || (process != null && !process.isAlive())) {
                    throw new IOException("nobody listens on port %d".formatted(port), e);
                }
                var unused = never.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }
    }

    private void greet(String type, String identity) throws IOException {
        var greeting = new byte[GREETING_BYTES];
        greeting[0] = (byte) 0xFF;
        greeting[9] = 0x7F;
        greeting[10] = 3;
        System.arraycopy("NULL".getBytes(US_ASCII), 0, greeting, 12, 4);
        out.write(greeting);
        out.flush();
        in.readFully(new byte[GREETING_BYTES]);
        var ready = new ByteArrayOutputStream();
        var body = new DataOutputStream(ready);
        body.writeByte(5);
        body.writeBytes("READY");
        property(body, "Socket-Type", type);
        property(body, "Identity", identity);
        frame(ready.toByteArray(), COMMAND);
        out.flush();
        receive();
        if (type.equals("SUB")) {
            frame(new byte[] {1}, 0);
            out.flush();
        }
    }

    private static void property(DataOutputStream body, String name, String value)
            throws IOException {
        body.writeByte(name.length());
        body.writeBytes(name);
        body.writeInt(value.length());
        body.writeBytes(value);
    }

    void send(List<byte[]> frames) throws IOException {
        for (var at = 0; at < frames.size(); at++) {
            frame(frames.get(at), at < frames.size() - 1 ? MORE : 0);
        }
        out.flush();
    }

    private void frame(byte[] body, int flags) throws IOException {
        if (body.length > 255) {
            out.writeByte(flags | LONG);
            out.writeLong(body.length);
        } else {
            out.writeByte(flags);
            out.writeByte(body.length);
        }
        out.write(body);
    }

    /// @return the frames of the next message, or of the next command
    List<byte[]> receive() throws IOException {
        var frames = new ArrayList<byte[]>();
        while (true) {
            var flags = in.readUnsignedByte();
            var length = (flags & LONG) != 0 ? (int) in.readLong() : in.readUnsignedByte();
            frames.add(in.readNBytes(length));
            if ((flags & MORE) == 0) {
                return frames;
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            System.getLogger(ZmtpLink.class.getName())
                    .log(System.Logger.Level.DEBUG, "already closed", e);
        }
    }
}
