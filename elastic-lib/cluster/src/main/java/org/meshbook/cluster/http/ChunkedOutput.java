package org.meshbook.cluster.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;

/// An answer in chunks; each flush, and each full buffer, is one. Belongs to one thread.
final class ChunkedOutput extends OutputStream {
    private static final byte[] LINE_END = {'\r', '\n'};

    private final OutputStream out;
    private final byte[] buffer = new byte[8192];
    private int size;
    private boolean closed;

    ChunkedOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        if (size == buffer.length) {
            chunk();
        }
        buffer[size++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; ) {
            if (size == buffer.length) {
                chunk();
            }
            int count = Math.min(buffer.length - size, length - done);
            System.arraycopy(bytes, offset + done, buffer, size, count);
            size += count;
            done += count;
        }
    }

    private void chunk() throws IOException {
        if (size > 0) {
            out.write(Integer.toHexString(size).getBytes(US_ASCII));
            out.write(LINE_END);
            out.write(buffer, 0, size);
            out.write(LINE_END);
            size = 0;
        }
    }

    @Override
    public void flush() throws IOException {
        chunk();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            chunk();
            out.write("0\r\n\r\n".getBytes(US_ASCII));
            out.flush();
        }
    }
}
