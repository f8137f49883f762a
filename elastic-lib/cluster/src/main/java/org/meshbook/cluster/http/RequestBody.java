package org.meshbook.cluster.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;

/// The body of a request: so many bytes, or chunks until an empty one.
final class RequestBody extends InputStream {
    private static final int MOST_LINE_BYTES = 4096;

    private final InputStream in;
    private final boolean chunked;
    private final Asked asked;
    private boolean mayWait;
    private boolean begun;
    private boolean ended;
    private long leftBytes;

    /// Tells a client that waits for it to send its body.
    interface Asked {
        void goOn() throws IOException;
    }

    private RequestBody(
            InputStream in, boolean chunked, long lengthBytes, boolean mayWait, Asked asked) {
        this.in = in;
        this.chunked = chunked;
        this.leftBytes = lengthBytes;
        this.mayWait = mayWait;
        this.asked = asked;
        ended = !chunked && lengthBytes == 0;
    }

    static RequestBody of(Head head, InputStream in, Asked asked) throws IOException {
        boolean chunked = head.has("transfer-encoding", "chunked");
        var length = head.headers().getOrDefault("content-length", "0");
        if (!length.matches("\\d{1,18}")) {
            throw new ProtocolException("no length: " + length);
        }
        return new RequestBody(
                in,
                chunked,
                chunked ? 0 : Long.parseLong(length),
                head.has("expect", "100-continue"),
                asked);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (ended || length == 0) {
            return ended ? -1 : 0;
        }
        if (mayWait) {
            mayWait = false;
            asked.goOn();
        }
        if (chunked && leftBytes == 0 && !chunk()) {
            return -1;
        }
        int count = in.read(bytes, offset, (int) Math.min(length, leftBytes));
        if (count < 0) {
            throw new EOFException("the client went away within its request");
        }
        leftBytes -= count;
        ended = !chunked && leftBytes == 0;
        return count;
    }

    private boolean chunk() throws IOException {
        if (begun) {
            line();
        }
        begun = true;
        var size = line().replaceAll(";.*", "").strip();
        if (!size.matches("\\p{XDigit}{1,15}")) {
            throw new ProtocolException("no chunk: " + size);
        }
        leftBytes = Long.parseLong(size, 16);
        if (leftBytes > 0) {
            return true;
        }
        while (!line().isEmpty()) {
            // Trailers say nothing here.
        }
        ended = true;
        return false;
    }

    private String line() throws IOException {
        return Head.line(in, MOST_LINE_BYTES).orElseThrow(EOFException::new);
    }

    /// Reads what is left.
    ///
    /// @return whether that was all
    boolean skipTo(int mostBytes) throws IOException {
        if (mayWait) {
            // It was never asked to send.
            return ended;
        }
        var buffer = new byte[8192];
        for (int skipped = 0; skipped < mostBytes; ) {
            int count = read(buffer, 0, buffer.length);
            if (count < 0) {
                return true;
            }
            skipped += count;
        }
        return false;
    }
}
