package org.meshbook.kernel.wire.zmtp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// ROUTER: each message begins with the identity of the peer that it is from or for.
///
/// A peer that comes back under its identity takes the place of the connection it had. What is for
/// nobody is dropped, and so is what a peer has not read for too long.
public final class Router extends Listener {
    private static final Set<String> SERVED = Set.of("DEALER", "REQ", "ROUTER");
    private static final long MOST_WAITING_BYTES = 256L << 20;

    private final Map<ByteBuffer, Peer> byIdentity = new HashMap<>();
    private final Map<Peer, byte[]> identities = new HashMap<>();
    private @Nullable Consumer<List<byte[]>> inbox;
    private int nameless;

    Router(Hub hub, ServerSocketChannel server) throws IOException {
        super(hub, server);
    }

    /// @param messages is given what arrives, on the hub's thread
    public void onMessage(Consumer<List<byte[]>> messages) {
        inbox = messages;
    }

    /// Sends a message to the peer that its first frame names.
    public void send(List<byte[]> frames) {
        var peer = byIdentity.get(ByteBuffer.wrap(frames.getFirst()));
        if (peer != null && peer.waitingBytes() < MOST_WAITING_BYTES) {
            peer.write(frames.subList(1, frames.size()));
        }
    }

    @Override
    String type() {
        return "ROUTER";
    }

    @Override
    boolean serves(String type) {
        return SERVED.contains(type);
    }

    @Override
    void joined(Peer peer, Metadata metadata) throws BadPeer {
        super.joined(peer, metadata);
        var identity = metadata.identity();
        if (identity.length == 0) {
            // A name that begins with a zero byte is no peer's own.
            identity = ByteBuffer.allocate(5).putInt(1, ++nameless).array();
        }
        identities.put(peer, identity);
        var before = byIdentity.put(ByteBuffer.wrap(identity), peer);
        if (before != null) {
            before.close();
        }
    }

    @Override
    void received(Peer peer, List<byte[]> frames) {
        var identity = identities.get(peer);
        if (inbox != null && identity != null) {
            var message = new ArrayList<byte[]>(frames.size() + 1);
            message.add(identity);
            message.addAll(frames);
            inbox.accept(message);
        }
    }

    @Override
    void left(Peer peer) {
        super.left(peer);
        var identity = identities.remove(peer);
        if (identity != null) {
            byIdentity.remove(ByteBuffer.wrap(identity), peer);
        }
    }
}
