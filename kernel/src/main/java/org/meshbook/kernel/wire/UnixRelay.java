package org.meshbook.kernel.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// A Unix domain socket in front of a port of this machine.
///
/// JeroMQ's own `ipc` is TCP under another name, which no other implementation understands. The
/// bytes of ZMTP are the same over both, so they are passed on as they come. One daemon thread
/// accepts, two virtual threads serve a connection.
final class UnixRelay implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final Path path;
    private final ServerSocketChannel server;
    private final int port;

    private UnixRelay(Path path, ServerSocketChannel server, int port) {
        this.path = path;
        this.server = server;
        this.port = port;
    }

    static UnixRelay open(String path, int port) {
        var file = Path.of(path);
        try {
            Files.deleteIfExists(file);
            var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(file));
            var relay = new UnixRelay(file, server, port);
            Thread.ofPlatform().daemon().name("meshbook-ipc").start(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new ConnectionFile.Unusable("cannot listen on '" + path + "': " + e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                var client = server.accept();
                var inner = connect();
                pump(client, inner);
                pump(inner, client);
            }
        } catch (IOException e) {
            // Closed: the kernel leaves.
            System.getLogger(UnixRelay.class.getName())
                    .log(System.Logger.Level.DEBUG, "relay ends", e);
        }
    }

    private SocketChannel connect() throws IOException {
        var inner =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        inner.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
        return inner;
    }

    private static void pump(SocketChannel from, SocketChannel to) {
        Thread.ofVirtual().name("meshbook-ipc").start(() -> copy(from, to));
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        var chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        try (from;
                to) {
            while (read(from, chunk) >= 0) {
                write(to, chunk.flip());
                chunk.clear();
            }
        } catch (IOException e) {
            System.getLogger(UnixRelay.class.getName())
                    .log(System.Logger.Level.DEBUG, "connection ends", e);
        }
    }

    private static int read(ReadableByteChannel from, ByteBuffer chunk) throws IOException {
        return from.read(chunk);
    }

    private static void write(WritableByteChannel to, ByteBuffer chunk) throws IOException {
        while (chunk.hasRemaining()) {
            to.write(chunk);
        }
    }
}
