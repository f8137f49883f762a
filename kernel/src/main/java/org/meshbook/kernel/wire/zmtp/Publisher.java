package org.meshbook.kernel.wire.zmtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// XPUB: a message goes to every peer that subscribed to a beginning of its first frame. Nothing is
/// dropped: while a subscriber reads too slowly, nothing more is taken.
public final class Publisher extends Listener {
    private static final Set<String> SERVED = Set.of("SUB", "XSUB");
    private static final long MOST_WAITING_BYTES = 1 << 20;

    private final Map<Peer, List<String>> topics = new HashMap<>();
    private @Nullable Function<String, List<byte[]>> greeter;

    Publisher(Hub hub, ServerSocketChannel server) throws IOException {
        super(hub, server);
    }

    /// @param welcome makes, for each topic that somebody subscribes to, what only that peer is
    ///   told before anything else
    public void onSubscription(Function<String, List<byte[]>> welcome) {
        greeter = welcome;
    }

    /// Publishes a message to all who want it, or to nobody.
    ///
    /// @param frames the first is the topic
    /// @return false if one of them has too much to read already; try again later
    public boolean publish(List<byte[]> frames) {
        var topic = new String(frames.getFirst(), UTF_8);
        var wanting = new ArrayList<Peer>(topics.size());
        topics.forEach(
                (peer, wanted) -> {
                    if (wanted.stream().anyMatch(topic::startsWith)) {
                        wanting.add(peer);
                    }
                });
        for (var peer : wanting) {
            if (peer.waitingBytes() > MOST_WAITING_BYTES) {
                peer.drain();
            }
            if (peer.waitingBytes() > MOST_WAITING_BYTES) {
                return false;
            }
        }
        wanting.forEach(peer -> peer.write(frames));
        return true;
    }

    @Override
    String type() {
        return "XPUB";
    }

    @Override
    boolean serves(String type) {
        return SERVED.contains(type);
    }

    @Override
    void joined(Peer peer, Metadata metadata) throws BadPeer {
        super.joined(peer, metadata);
        topics.put(peer, new ArrayList<>());
    }

    /// A subscription or its end, which is all that a subscriber has to say.
    @Override
    void received(Peer peer, List<byte[]> frames) {
        var frame = frames.getFirst();
        var own = topics.get(peer);
        if (frame.length == 0 || own == null) {
            return;
        }
        var topic = new String(frame, 1, frame.length - 1, UTF_8);
        if (frame[0] == 1) {
            if (greeter != null) {
                peer.write(greeter.apply(topic));
            }
            own.add(topic);
        } else if (frame[0] == 0) {
            own.remove(topic);
        }
    }

    @Override
    void left(Peer peer) {
        super.left(peer);
        topics.remove(peer);
    }
}
