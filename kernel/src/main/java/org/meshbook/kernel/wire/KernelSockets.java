package org.meshbook.kernel.wire;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/// The kernel's five sockets, bound and served.
///
/// One platform thread owns every socket; a second one owns only the sending end of the pipe that
/// wakes it, because a user's thread may be interrupted at any moment and an interrupt inside a
/// channel's write closes that channel. Everyone else posts to a queue. Nothing that arrives can
/// end the thread: what is not understood is dropped and logged.
///
/// iopub is an XPUB that never drops: when a subscriber is slow, its messages wait here, the other
/// channels are served meanwhile, and cells wait in [#awaitRoom].
public final class KernelSockets implements Outlet, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(KernelSockets.class.getName());

    /// JeroMQ takes the first byte of a topic that it is given by hand for the one by which a
    /// subscription begins on the wire.
    private static final String SKIPPED = "\u0001";

    private static final String WAKE = "inproc://wake";
    private static final int HANDSHAKE_MILLIS = 2000;

    /// One read of a channel, so that a flood on one does not keep the others waiting.
    private static final int BATCH = 256;

    private static final long CLOGGED_RETRY_MILLIS = 2;
    private static final Duration LAST_WORDS = Duration.ofMillis(250);

    private final ConnectionFile connection;
    private final FrameCodec codec;
    private final Drops drops = new Drops(LOG);
    private final ZMQ.Context context = ZMQ.context(1);
    private final Map<Channel, ZMQ.Socket> sockets = new EnumMap<>(Channel.class);
    private final ZMQ.Socket wake;
    private final Outbound outbound = new Outbound();
    private final List<Thread> threads = new ArrayList<>();
    private final List<UnixRelay> relays = new ArrayList<>();
    private volatile boolean closing;

    private KernelSockets(ConnectionFile connection) {
        this.connection = connection;
        this.codec = FrameCodec.of(connection.scheme(), connection.key());
        // JeroMQ prints the traces of its own races at the end on standard error.
        context.setUncaughtExceptionHandler(KernelSockets::log);
        context.setNotificationExceptionHandler(KernelSockets::log);
        this.wake = context.socket(SocketType.PAIR);
    }

    private static void log(Thread thread, Throwable thrown) {
        LOG.log(DEBUG, "thread=" + thread.getName(), thrown);
    }

    /// Binds all five sockets; messages wait in them until [#serve].
    ///
    /// @param connection where to
    /// @return bound sockets
    /// @throws ConnectionFile.Unusable if one cannot be bound; none is left bound
    public static KernelSockets bind(ConnectionFile connection) {
        var sockets = new KernelSockets(connection);
        try {
            sockets.wake.bind(WAKE);
            for (var channel : Channel.values()) {
                sockets.bind(channel);
            }
            return sockets;
        } catch (RuntimeException e) {
            sockets.release();
            throw e;
        }
    }

    /// Starts to receive and to send.
    ///
    /// @param inbox gets what arrives
    public void serve(Inbox inbox) {
        threads.add(Thread.ofPlatform().daemon().name("meshbook-sockets").start(() -> own(inbox)));
        threads.add(Thread.ofPlatform().daemon().name("meshbook-wake").start(this::wakeOwner));
    }

    @Override
    public void send(Channel channel, Envelope envelope) {
        outbound.add(new Outbound.Item.Message(channel, envelope));
    }

    @Override
    public void awaitRoom() throws InterruptedException {
        outbound.awaitRoom();
    }

    @Override
    public void whenCaughtUp(Runnable action) {
        outbound.add(new Outbound.Item.CatchUp(action));
    }

    /// @param channel one of the five
    /// @return the port that it listens on, also where the connection file said 0
    public int port(Channel channel) {
        if (relays.isEmpty()) {
            var endpoint = Objects.requireNonNull(sockets.get(channel)).getLastEndpoint();
            return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
        }
        return connection.port(channel);
    }

    /// Sends what is queued, as far as that goes at once, and closes.
    @Override
    public void close() {
        closing = true;
        outbound.close();
        for (var thread : threads) {
            try {
                thread.join(LAST_WORDS.multipliedBy(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        if (threads.isEmpty()) {
            release();
        }
    }

    private void bind(Channel channel) {
        var socket = context.socket(channel == Channel.IOPUB ? SocketType.XPUB : SocketType.ROUTER);
        sockets.put(channel, socket);
        socket.setLinger((int) LAST_WORDS.toMillis());
        // A handshake that got stuck is begun again after 2 seconds, not 30.
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.setMaxMsgSize(FrameMemory.LARGEST_BYTES);
        socket.setMsgAllocator(new FrameMemory());
        connection.curve().ifPresent(keys -> encrypt(socket, keys));
        if (channel == Channel.IOPUB) {
            socket.setXpubNoDrop(true);
            socket.setXpubManual(true);
        } else {
            // A front end that reconnects keeps its identity.
            socket.setRouterHandover(true);
        }
        var ipc = connection.transport().equals("ipc");
        var address =
                ipc ? "tcp://127.0.0.1:*" : endpoint(connection.ip(), connection.port(channel));
        try {
            socket.bind(address);
        } catch (ZMQException e) {
            throw new ConnectionFile.Unusable(
                    "cannot listen for "
                            + channel.word()
                            + " on "
                            + address
                            + ": "
                            + e.getMessage());
        }
        if (ipc) {
            var last = socket.getLastEndpoint();
            var port = Integer.parseInt(last.substring(last.lastIndexOf(':') + 1));
            relays.add(UnixRelay.open(connection.ip() + "-" + connection.port(channel), port));
        }
    }

    private static void encrypt(ZMQ.Socket socket, CurveKeys keys) {
        socket.setCurveServer(true);
        socket.setCurvePublicKey(keys.publicKey().getBytes(UTF_8));
        socket.setCurveSecretKey(keys.secretKey().getBytes(UTF_8));
    }

    private static String endpoint(String ip, int port) {
        return "tcp://" + ip + ":" + (port == 0 ? "*" : port);
    }

    private void wakeOwner() {
        try (var pipe = context.socket(SocketType.PAIR)) {
            pipe.setLinger(0);
            pipe.connect(WAKE);
            while (outbound.awaitWork()) {
                pipe.send(new byte[0], ZMQ.DONTWAIT);
            }
            pipe.send(new byte[0], ZMQ.DONTWAIT);
        } catch (ZMQException e) {
            // The context is gone: nobody is left to wake.
            LOG.log(DEBUG, "waker ends", e);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // nothing may end the thread
    private void own(Inbox inbox) {
        var shell = socket(Channel.SHELL);
        var control = socket(Channel.CONTROL);
        var stdin = socket(Channel.STDIN);
        var iopub = socket(Channel.IOPUB);
        var heartbeat = socket(Channel.HEARTBEAT);
        var poller = context.poller(6);
        for (var socket : List.of(wake, control, shell, stdin, iopub, heartbeat)) {
            poller.register(socket, ZMQ.Poller.POLLIN);
        }
        var clogged = false;
        while (!closing) {
            try {
                // 1. wait for anything  2. control first  3. the others  4. send what is queued
                poller.poll(clogged ? CLOGGED_RETRY_MILLIS : -1);
                drainWake();
                receive(Channel.CONTROL, control, inbox, BATCH);
                receive(Channel.SHELL, shell, inbox, BATCH);
                receive(Channel.STDIN, stdin, inbox, BATCH);
                admit(iopub, inbox);
                echo(heartbeat);
                clogged = !flush(inbox);
            } catch (Throwable e) {
                // Also an Error, as when memory is short: without this thread nothing is served.
                LOG.log(WARNING, "sockets: went on after a failure", e);
            }
        }
        lastWords(inbox);
        poller.close();
        release();
    }

    private ZMQ.Socket socket(Channel channel) {
        return Objects.requireNonNull(sockets.get(channel));
    }

    private void drainWake() {
        if (wake.recv(ZMQ.DONTWAIT) != null) {
            outbound.rearm();
        }
    }

    private void receive(Channel channel, ZMQ.Socket socket, Inbox inbox, int most) {
        for (var count = 0; count < most; count++) {
            var frames = read(socket);
            if (frames == null) {
                return;
            }
            try {
                inbox.received(channel, codec.envelope(frames));
            } catch (BadFrames e) {
                drops.add(channel, e.kind(), e.getMessage());
            }
        }
    }

    /// Lets subscribers in, each with a welcome of its own.
    ///
    /// Topics are matched by their beginning, so that what is sent to one subscriber of everything
    /// would reach all of them. Therefore such a subscriber is entered under the beginning that all
    /// publications have, and for the moment of its welcome under a topic that nobody else has.
    private void admit(ZMQ.Socket iopub, Inbox inbox) {
        for (var frames = read(iopub); frames != null; frames = read(iopub)) {
            var frame = frames.getFirst();
            if (frame.length == 0) {
                continue;
            }
            var topic = new String(frame, 1, frame.length - 1, UTF_8);
            var entry = topic.isEmpty() ? TOPIC : topic;
            if (frame[0] == 1) {
                var own = topic + "welcome." + UUID.randomUUID();
                iopub.subscribe(SKIPPED + own);
                write(iopub, codec.frames(inbox.welcome(topic).to(List.of(own.getBytes(UTF_8)))));
                iopub.unsubscribe(SKIPPED + own);
                iopub.subscribe(SKIPPED + entry);
            } else if (frame[0] == 0) {
                iopub.unsubscribe(SKIPPED + entry);
            }
        }
    }

    private static void echo(ZMQ.Socket heartbeat) {
        for (var frames = read(heartbeat); frames != null; frames = read(heartbeat)) {
            write(heartbeat, frames);
        }
    }

    /// @return false if a subscriber of iopub is so slow that something had to stay
    private boolean flush(Inbox inbox) {
        for (var item = outbound.pollUrgent(); item != null; item = outbound.pollUrgent()) {
            perform(item, inbox);
        }
        for (var item = outbound.peekOrdered(); item != null; item = outbound.peekOrdered()) {
            var done = true;
            try {
                done = perform(item, inbox);
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

    private boolean perform(Outbound.Item item, Inbox inbox) {
        return switch (item) {
            case Outbound.Item.Message(var channel, var envelope) ->
                    write(socket(channel), codec.frames(envelope)) || channel != Channel.IOPUB;
            case Outbound.Item.CatchUp(var action) -> {
                receive(Channel.SHELL, socket(Channel.SHELL), inbox, Integer.MAX_VALUE);
                action.run();
                yield true;
            }
        };
    }

    private void lastWords(Inbox inbox) {
        var deadline = System.nanoTime() + LAST_WORDS.toNanos();
        try {
            while (!flush(inbox) && System.nanoTime() < deadline) {
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        } catch (RuntimeException e) {
            LOG.log(WARNING, "sockets: last messages were lost", e);
        }
    }

    private void release() {
        relays.forEach(UnixRelay::close);
        wake.setLinger(0);
        wake.close();
        sockets.values().forEach(ZMQ.Socket::close);
        context.term();
    }

    private static @Nullable List<byte[]> read(ZMQ.Socket socket) {
        return frames(socket, ZMQ.DONTWAIT);
    }

    /// @return all frames of the next message, or null if there is none yet
    static @Nullable List<byte[]> frames(ZMQ.Socket socket, int flags) {
        var first = socket.recv(flags);
        if (first == null) {
            return null;
        }
        var frames = new ArrayList<byte[]>(8);
        frames.add(first);
        while (socket.hasReceiveMore()) {
            frames.add(socket.recv(0));
        }
        return frames;
    }

    private static boolean write(ZMQ.Socket socket, List<byte[]> frames) {
        var last = frames.size() - 1;
        for (var at = 0; at <= last; at++) {
            var more = at < last ? ZMQ.SNDMORE : 0;
            if (!socket.send(frames.get(at), more | ZMQ.DONTWAIT) && at == 0) {
                return false;
            }
        }
        return true;
    }
}
