package org.meshbook.kernel.wire.zmtp;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Listeners and their connections, served by whichever thread calls [#serve]. Not thread-safe but
/// for [#wake].
public final class Hub implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Hub.class.getName());

    /// No message of a peer's is larger.
    static final int LARGEST_BYTES =
            (int) Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 4);

    private static final int BACKLOG = 100;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int CHUNKS_AT_ONCE = 256;
    private static final long OVERDUE_LOOK_MILLIS = 250;

    private final Selector selector;
    private final byte @Nullable [] secret;
    private final List<Listener> listeners = new ArrayList<>();
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(CHUNK_BYTES);

    /// @param secret by which all connections are encrypted; null for none
    /// @throws IOException if the system has no more of what it takes
    public Hub(byte @Nullable [] secret) throws IOException {
        this.selector = Selector.open();
        this.secret = secret;
    }

    /// @param address to listen on
    /// @return a listener there
    /// @throws IOException if that cannot be had
    public Router router(SocketAddress address) throws IOException {
        var router = new Router(this, bind(address));
        listeners.add(router);
        return router;
    }

    /// @param address to listen on
    /// @param patience how long a subscriber may read nothing and still be waited for
    /// @return a listener there
    /// @throws IOException if that cannot be had
    public Publisher publisher(SocketAddress address, Duration patience) throws IOException {
        var publisher = new Publisher(this, bind(address), patience);
        listeners.add(publisher);
        return publisher;
    }

    private ServerSocketChannel bind(SocketAddress address) throws IOException {
        ServerSocketChannel server;
        if (address instanceof UnixDomainSocketAddress unix) {
            Files.deleteIfExists(unix.getPath());
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        } else {
            server = ServerSocketChannel.open();
        }
        try {
            server.bind(address, BACKLOG).configureBlocking(false);
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /// Lets those in who knock, from now on.
    ///
    /// @throws IOException if a listener is closed
    public void open() throws IOException {
        for (var listener : listeners) {
            listener.server().register(selector, SelectionKey.OP_ACCEPT, listener);
        }
    }

    /// Ends the wait of [#serve], or of its next call. Any thread, also one that is interrupted.
    public void wake() {
        selector.wakeup();
    }

    /// Waits until there is something to do, and does it: accepts, reads, writes.
    ///
    /// @throws IOException if the system refuses to wait
    public void serve() throws IOException {
        selector.select(this::ready, isAnyToWatch() ? OVERDUE_LOOK_MILLIS : 0);
        for (var listener : listeners) {
            for (var peer : List.copyOf(listener.peers())) {
                if (peer.isOverdue()) {
                    peer.close();
                }
            }
        }
    }

    /// @return whether time alone may change something
    private boolean isAnyToWatch() {
        for (var listener : listeners) {
            if (listener instanceof Publisher publisher && publisher.isHeldUp()) {
                return true;
            }
            for (var peer : listener.peers()) {
                if (peer.isNew()) {
                    return true;
                }
            }
        }
        return false;
    }

    @SuppressWarnings("CatchingUnchecked") // one connection must not end the others
    private void ready(SelectionKey key) {
        try {
            switch (key.attachment()) {
                case Listener listener -> listener.accept();
                case Peer peer when peer.isOpen() -> {
                    peer.read(chunk);
                    peer.drain();
                }
                case null, default -> {}
            }
        } catch (Throwable t) {
            LOG.log(WARNING, "sockets: went on after a failure", t);
        }
    }

    /// Takes everything that has arrived by now.
    ///
    /// @param listener where
    public void readAll(Listener listener) {
        try {
            listener.readAll(chunk, CHUNKS_AT_ONCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Gives the network what waits, as far as it takes it now.
    ///
    /// @return whether it took all
    public boolean drain() {
        var all = true;
        for (var listener : listeners) {
            for (var peer : List.copyOf(listener.peers())) {
                if (peer.waitingBytes() > 0) {
                    peer.drain();
                    all &= peer.waitingBytes() == 0;
                }
            }
        }
        return all;
    }

    ByteBuffer outgoing() {
        return outgoing;
    }

    Selector selector() {
        return selector;
    }

    Mechanism mechanism(String type) {
        var own = new Metadata(type, new byte[0]);
        return secret == null ? new Plain(own) : new Curve(own, secret);
    }

    /// Closes every connection and listens no more.
    @Override
    public void close() {
        listeners.forEach(Listener::close);
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(WARNING, "could not close the selector: {0}", e.getMessage());
        }
    }
}
