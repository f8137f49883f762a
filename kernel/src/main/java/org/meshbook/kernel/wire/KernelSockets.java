package org.meshbook.kernel.wire;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.wire.zmtp.Hub;
import org.meshbook.kernel.wire.zmtp.Publisher;
import org.meshbook.kernel.wire.zmtp.Router;

/// The kernel's five sockets, bound and served.
///
/// One platform thread owns them all; everyone else posts to a queue and wakes it. Nothing that
/// arrives can end the thread: what is not understood is dropped and logged.
///
/// iopub never drops: when a subscriber is slow, its messages wait here, requests are taken
/// meanwhile, and cells wait in [#awaitRoom].
public final class KernelSockets implements Outlet, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(KernelSockets.class.getName());

    /// What is sent before the thread looks again at what arrives.
    private static final int BATCH = 256;

    /// A front end that reads no output for so long is not waited for any more.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration LAST_WORDS = Duration.ofMillis(250);

    private final ConnectionFile connection;
    private final FrameCodec codec;
    private final Drops drops = new Drops(LOG);
    private final Hub hub;
    private final Map<Channel, Router> routers = new EnumMap<>(Channel.class);
    private final Publisher iopub;
    private final Outbound outbound = new Outbound();
    private volatile @Nullable Thread owner;
    private volatile boolean closing;

    private KernelSockets(ConnectionFile connection, Hub hub) {
        this.connection = connection;
        this.codec = FrameCodec.of(connection.scheme(), connection.key());
        this.hub = hub;
        for (var channel : Channel.values()) {
            if (channel != Channel.IOPUB) {
                routers.put(channel, listen(channel, hub::router));
            }
        }
        this.iopub = listen(Channel.IOPUB, at -> hub.publisher(at, PATIENCE));
    }

    /// Binds all five sockets; who connects waits in them until [#serve].
    ///
    /// @param connection where to
    /// @return bound sockets
    /// @throws ConnectionFile.Unusable if one cannot be bound; none is left bound
    public static KernelSockets bind(ConnectionFile connection) {
        Hub hub;
        try {
            hub = new Hub(connection.curve().map(CurveKeys::secretBytes).orElse(null));
        } catch (IOException e) {
            throw new ConnectionFile.Unusable("cannot listen: " + e.getMessage());
        }
        try {
            return new KernelSockets(connection, hub);
        } catch (RuntimeException e) {
            hub.close();
            throw e;
        }
    }

    @FunctionalInterface
    private interface Opening<T> {
        T at(SocketAddress address) throws IOException;
    }

    private <T> T listen(Channel channel, Opening<T> opening) {
        var ip = connection.ip();
        var port = connection.port(channel);
        var ipc = connection.transport().equals("ipc");
        var named = ipc ? "ipc://" + ip + "-" + port : "tcp://" + ip + ":" + port;
        try {
            return opening.at(
                    ipc
                            ? UnixDomainSocketAddress.of(Path.of(ip + "-" + port))
                            : ip.equals("*")
                                    ? new InetSocketAddress(port)
                                    : new InetSocketAddress(ip, port));
        } catch (IOException | RuntimeException e) {
            throw new ConnectionFile.Unusable(
                    "cannot listen for " + channel.word() + " on " + named + ": " + e.getMessage());
        }
    }

    /// Starts to receive and to send.
    ///
    /// @param inbox gets what arrives
    public void serve(Inbox inbox) {
        owner = Thread.ofPlatform().daemon().name("meshbook-sockets").start(() -> own(inbox));
    }

    @Override
    public void send(Channel channel, Envelope envelope) {
        post(new Outbound.Item.Message(channel, envelope));
    }

    @Override
    public void awaitRoom() throws InterruptedException {
        outbound.awaitRoom();
    }

    @Override
    public void whenCaughtUp(Runnable action) {
        post(new Outbound.Item.CatchUp(action));
    }

    private void post(Outbound.Item item) {
        outbound.add(item);
        hub.wake();
    }

    /// @param channel one of the five
    /// @return the port that it listens on, also where the connection file said 0
    public int port(Channel channel) {
        if (connection.transport().equals("ipc")) {
            return connection.port(channel);
        }
        return channel == Channel.IOPUB ? iopub.port() : router(channel).port();
    }

    /// Sends what is queued, as far as that goes at once, and closes.
    @Override
    public void close() {
        closing = true;
        outbound.close();
        var thread = owner;
        if (thread == null) {
            hub.close();
            return;
        }
        hub.wake();
        try {
            thread.join(LAST_WORDS.multipliedBy(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // nothing may end the thread
    private void own(Inbox inbox) {
        for (var channel : List.of(Channel.SHELL, Channel.CONTROL, Channel.STDIN)) {
            router(channel).onMessage(frames -> receive(channel, frames, inbox));
        }
        var heartbeat = router(Channel.HEARTBEAT);
        heartbeat.onMessage(heartbeat::send);
        iopub.onSubscription(topic -> welcome(topic, inbox));
        try {
            hub.open();
            while (!closing) {
                serveOnce();
            }
            lastWords();
        } catch (IOException e) {
            LOG.log(WARNING, "sockets: cannot be served", e);
        } finally {
            hub.close();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // nothing may end the thread
    private void serveOnce() throws IOException {
        try {
            // 1. wait for anything, and take what arrives  2. send what is queued
            hub.serve();
            flush();
            hub.drain();
        } catch (RuntimeException | Error e) {
            // Also an Error, as when memory is short: without this thread nothing is served.
            LOG.log(WARNING, "sockets: went on after a failure", e);
        }
    }

    private Router router(Channel channel) {
        return Objects.requireNonNull(routers.get(channel));
    }

    @SuppressWarnings("CatchingUnchecked") // one message must not end its connection
    private void receive(Channel channel, List<byte[]> frames, Inbox inbox) {
        try {
            inbox.received(channel, codec.envelope(frames));
        } catch (BadFrames e) {
            drops.add(channel, e.kind(), e.getMessage());
        } catch (Throwable t) {
            LOG.log(WARNING, "sockets: went on after a failure", t);
        }
    }

    /// A subscriber passes on only what begins with its topic.
    private List<byte[]> welcome(String topic, Inbox inbox) {
        var fitting = (topic + "welcome").getBytes(UTF_8);
        return codec.frames(inbox.welcome(topic).to(List.of(fitting)));
    }

    /// @return false if something had to stay: a subscriber of iopub is slow, or it was much
    private boolean flush() {
        for (var item = outbound.pollUrgent(); item != null; item = outbound.pollUrgent()) {
            perform(item);
        }
        var left = BATCH;
        for (var item = outbound.peekOrdered(); item != null; item = outbound.peekOrdered()) {
            if (left-- == 0) {
                hub.wake();
                return false;
            }
            var done = true;
            try {
                done = perform(item);
            } finally {
                // Also what cannot be sent at all is taken out: it would come again for ever.
                if (done) {
                    outbound.sent();
                }
            }
            if (!done) {
                return false;
            }
        }
        return true;
    }

    private boolean perform(Outbound.Item item) {
        switch (item) {
            case Outbound.Item.Message(var channel, var envelope) when channel == Channel.IOPUB -> {
                return iopub.publish(codec.frames(envelope));
            }
            case Outbound.Item.Message(var channel, var envelope) ->
                    router(channel).send(codec.frames(envelope));
            case Outbound.Item.CatchUp(var action) -> {
                hub.readAll(router(Channel.SHELL));
                action.run();
            }
        }
        return true;
    }

    private void lastWords() {
        var deadline = System.nanoTime() + LAST_WORDS.toNanos();
        try {
            while (!(flush() && hub.drain()) && System.nanoTime() < deadline) {
                LockSupport.parkNanos(1_000_000);
            }
        } catch (RuntimeException e) {
            LOG.log(WARNING, "sockets: last messages were lost", e);
        }
    }
}
