package org.meshbook.kernel.wire.zmtp;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// XPUB: a message goes to every peer that subscribed to a beginning of its first frame. While a
/// subscriber reads too slowly nothing more is taken, so that nothing is lost; one that reads
/// nothing at all for long, as a client that was stopped, sets the pace no longer: it loses what is
/// beyond its share of memory, and everybody else goes on.
public final class Publisher extends Listener {
    private static final Set<String> SERVED = Set.of("SUB", "XSUB");
    private static final System.Logger LOG = System.getLogger(Publisher.class.getName());
    private static final long MOST_WAITING_BYTES = 1 << 20;
    private static final long MOST_KEPT_BYTES = 16 << 20;

    private final Duration patience;
    private final Map<Peer, List<String>> topics = new HashMap<>();
    private final Set<Peer> losing = new HashSet<>();
    private @Nullable Function<String, List<byte[]>> greeter;

    /// @param patience how long a subscriber may read nothing and still be waited for
    Publisher(Hub hub, ServerSocketChannel server, Duration patience) throws IOException {
        super(hub, server);
        this.patience = patience;
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
            if (isSlow(peer)) {
                peer.drain();
            }
            if (isSlow(peer) && !peer.isStuck(patience)) {
                return false;
            }
        }
        for (var peer : wanting) {
            if (peer.waitingBytes() <= MOST_KEPT_BYTES) {
                peer.write(frames);
                losing.remove(peer);
            } else if (losing.add(peer)) {
                LOG.log(
                        WARNING,
                        "iopub: a client has read nothing for {0} s; it loses what is published"
                                + " now",
                        patience.toSeconds());
            }
        }
        return true;
    }

    private static boolean isSlow(Peer peer) {
        return peer.waitingBytes() > MOST_WAITING_BYTES;
    }

    /// @return whether somebody must read, or lose its patience, before more is taken
    boolean isHeldUp() {
        return topics.keySet().stream().anyMatch(Publisher::isSlow);
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
        losing.remove(peer);
    }
}
