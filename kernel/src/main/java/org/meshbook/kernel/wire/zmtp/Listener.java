package org.meshbook.kernel.wire.zmtp;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// One address that is listened on, and who is connected to it.
public abstract sealed class Listener permits Router, Publisher {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());

    private final Hub hub;
    private final ServerSocketChannel server;
    private final SocketAddress address;
    private final Set<Peer> peers = new LinkedHashSet<>();

    /// @param server bound
    Listener(Hub hub, ServerSocketChannel server) throws IOException {
        this.hub = hub;
        this.server = server;
        this.address = server.getLocalAddress();
    }

    /// @return the port that it listens on; 0 if it is none of TCP
    public int port() {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    ServerSocketChannel server() {
        return server;
    }

    /// @return memory on its way to the network
    ByteBuffer outgoing() {
        return hub.outgoing();
    }

    /// Takes in who knocks.
    void accept() throws IOException {
        for (var channel = server.accept(); channel != null; channel = server.accept()) {
            try {
                channel.configureBlocking(false);
                if (address instanceof InetSocketAddress) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                var key = channel.register(hub.selector(), SelectionKey.OP_READ);
                var peer = new Peer(channel, key, hub.mechanism(type()), this, Hub.LARGEST_BYTES);
                key.attach(peer);
                peers.add(peer);
            } catch (IOException e) {
                channel.close();
                LOG.log(WARNING, "a connection was lost at once: {0}", e.getMessage());
            }
        }
    }

    /// @return the kind of socket that this is, as `ROUTER`
    abstract String type();

    /// @return whether a kind of socket may talk to this one
    abstract boolean serves(String type);

    /// A peer has said who it is.
    void joined(Peer peer, Metadata metadata) throws BadPeer {
        if (!serves(metadata.type())) {
            throw new BadPeer(type() + " does not serve " + metadata.type());
        }
    }

    /// A peer has sent a message.
    abstract void received(Peer peer, List<byte[]> frames);

    /// A peer is gone.
    void left(Peer peer) {
        peers.remove(peer);
    }

    Set<Peer> peers() {
        return peers;
    }

    /// Takes everything that has arrived.
    void readAll(ByteBuffer chunk, int chunks) throws IOException {
        accept();
        for (var peer : List.copyOf(peers)) {
            for (var left = chunks; left > 0 && peer.isOpen() && peer.read(chunk); left--) {}
        }
    }

    void close() {
        List.copyOf(peers).forEach(Peer::close);
        try {
            server.close();
            if (address instanceof UnixDomainSocketAddress unix) {
                Files.deleteIfExists(unix.getPath());
            }
        } catch (IOException e) {
            LOG.log(WARNING, "could not stop listening: {0}", e.getMessage());
        }
    }
}
