package org.meshbook.kernel.wire.zmtp;

import static java.lang.System.Logger.Level.DEBUG;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One connection, from its greeting to its end. Whatever is wrong with it closes it, and nothing
/// else.
final class Peer {
    private static final System.Logger LOG = System.getLogger(Peer.class.getName());

    private static final int GREETING_BYTES = 64;
    private static final int MAJOR_AT = 10;
    private static final int MECHANISM_AT = 12;
    private static final int MECHANISM_BYTES = 20;
    private static final int SERVER_AT = 32;
    private static final byte MAJOR = 3;

    /// A handshake that got stuck is begun again by the client: it must not hold a connection.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /// What a frame costs besides its bytes, so that many empty ones cannot fill the memory.
    private static final int FRAME_COST = 64;

    private static final int PING_TIME_BYTES = 2;
    private static final int PING_WORD_BYTES = 16;

    private enum Stage {
        GREETING,
        HANDSHAKE,
        TRAFFIC,
        CLOSED
    }

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Mechanism mechanism;
    private final Listener listener;
    private final FrameReader reader;
    private final int largest;
    private final ByteBuffer greeting = ByteBuffer.allocate(GREETING_BYTES);
    private final long since = System.nanoTime();
    private final List<byte[]> message = new ArrayList<>(8);
    private long messageBytes;
    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long tookAt = System.nanoTime();
    private Stage stage = Stage.GREETING;

    /// @param largest message that it may send, in bytes
    Peer(
            SocketChannel channel,
            SelectionKey key,
            Mechanism mechanism,
            Listener listener,
            int largest) {
        this.channel = channel;
        this.key = key;
        this.mechanism = mechanism;
        this.listener = listener;
        this.largest = largest;
        this.reader = new FrameReader(largest);
        enqueue(ownGreeting());
    }

    private ByteBuffer ownGreeting() {
        var own = ByteBuffer.allocate(GREETING_BYTES);
        own.put(0, (byte) 0xFF).put(9, (byte) 0x7F).put(MAJOR_AT, MAJOR);
        own.put(MECHANISM_AT, mechanism.name().getBytes(US_ASCII));
        return own.put(SERVER_AT, (byte) (mechanism instanceof Curve ? 1 : 0));
    }

    /// @return false once it is closed
    boolean isOpen() {
        return stage != Stage.CLOSED;
    }

    /// @return whether it has not said yet who it is
    boolean isNew() {
        return stage == Stage.GREETING || stage == Stage.HANDSHAKE;
    }

    boolean isOverdue() {
        return isNew() && System.nanoTime() - since > PATIENCE.toNanos();
    }

    /// @return bytes that the network has not taken yet
    long waitingBytes() {
        return waitingBytes;
    }

    /// @param patience how long it may read nothing of what waits for it
    /// @return whether it did so for longer
    boolean isStuck(Duration patience) {
        return waitingBytes > 0 && System.nanoTime() - tookAt > patience.toNanos();
    }

    /// Reads what is there, at most one chunk of it.
    ///
    /// @param chunk memory for it
    /// @return whether there was anything
    @SuppressWarnings("CatchingUnchecked") // also an Error, as when memory is short
    boolean read(ByteBuffer chunk) {
        try {
            var count = channel.read(chunk.clear());
            if (count < 0) {
                close();
            } else {
                take(chunk.flip());
            }
            return count > 0;
        } catch (IOException e) {
            LOG.log(DEBUG, "connection ends", e);
            close();
        } catch (Throwable t) {
            close();
            throw t;
        }
        return false;
    }

    private void take(ByteBuffer in) throws BadPeer {
        if (stage == Stage.GREETING) {
            greet(in);
        }
        while (stage == Stage.HANDSHAKE || stage == Stage.TRAFFIC) {
            var frame = reader.next(in);
            if (frame == null) {
                return;
            }
            if (stage == Stage.HANDSHAKE) {
                shake(frame);
            } else {
                collect(mechanism.open(frame));
            }
        }
    }

    private void greet(ByteBuffer in) throws BadPeer {
        while (in.hasRemaining() && greeting.hasRemaining()) {
            greeting.put(in.get());
            if ((greeting.position() == 1 && greeting.get(0) != (byte) 0xFF)
                    || (greeting.position() == MAJOR_AT + 1 && greeting.get(MAJOR_AT) < MAJOR)) {
                throw new BadPeer("not ZMTP 3");
            }
        }
        if (greeting.hasRemaining()) {
            return;
        }
        var named = Arrays.copyOfRange(greeting.array(), MECHANISM_AT, SERVER_AT);
        if (!Arrays.equals(
                named, Arrays.copyOf(mechanism.name().getBytes(US_ASCII), MECHANISM_BYTES))) {
            throw new BadPeer("another mechanism than " + mechanism.name());
        }
        stage = Stage.HANDSHAKE;
        send(mechanism.opening());
    }

    private void shake(Frame frame) throws BadPeer {
        var answers = new ArrayList<Frame>(1);
        var metadata = mechanism.step(frame, answers);
        send(answers);
        if (metadata != null) {
            stage = Stage.TRAFFIC;
            listener.joined(this, metadata);
        }
    }

    private void collect(Frame frame) throws BadPeer {
        if (frame.command()) {
            answer(frame);
            return;
        }
        message.add(frame.body());
        messageBytes += frame.body().length + FRAME_COST;
        if (messageBytes > largest) {
            throw new BadPeer("a message of more than %d bytes".formatted(largest));
        }
        if (!frame.more()) {
            var whole = List.copyOf(message);
            message.clear();
            messageBytes = 0;
            listener.received(this, whole);
        }
    }

    /// A peer that was told to make sure of its connection asks for a sign of life, with a word to
    /// send back. Other commands are a later version's, of no concern to this one.
    private void answer(Frame command) throws BadPeer {
        if (!Mechanism.isNamed(command, "PING")) {
            return;
        }
        var ping = Mechanism.read(command, "PING");
        var size = ping.remaining() - PING_TIME_BYTES;
        if (size < 0 || size > PING_WORD_BYTES) {
            throw new BadPeer("a PING of %d bytes".formatted(ping.remaining()));
        }
        var word = new byte[size];
        ping.position(PING_TIME_BYTES).get(word);
        send(List.of(mechanism.seal(Mechanism.command("PONG", word))));
    }

    /// Queues a message; [#drain] sends it.
    void write(List<byte[]> frames) {
        var last = frames.size() - 1;
        var sealed = new ArrayList<Frame>(frames.size());
        for (var at = 0; at <= last; at++) {
            sealed.add(mechanism.seal(new Frame(frames.get(at), at < last, false)));
        }
        send(sealed);
    }

    private void send(List<Frame> frames) {
        var size = 0;
        for (var frame : frames) {
            size = Math.addExact(size, frame.wireBytes());
        }
        var bytes = ByteBuffer.allocate(size);
        for (var frame : frames) {
            frame.write(bytes);
        }
        enqueue(bytes.flip());
    }

    private void enqueue(ByteBuffer bytes) {
        if (bytes.hasRemaining() && stage != Stage.CLOSED) {
            if (waitingBytes == 0) {
                tookAt = System.nanoTime();
            }
            waiting.add(bytes);
            waitingBytes += bytes.remaining();
        }
    }

    /// Gives the network what waits, as far as it takes it now.
    void drain() {
        try {
            var chunk = listener.outgoing();
            while (!waiting.isEmpty()) {
                fill(chunk.clear());
                sent(channel.write(chunk.flip()));
                if (chunk.hasRemaining()) {
                    break;
                }
            }
            var wanted = SelectionKey.OP_READ | (waiting.isEmpty() ? 0 : SelectionKey.OP_WRITE);
            if (stage != Stage.CLOSED && key.interestOps() != wanted) {
                key.interestOps(wanted);
            }
        } catch (IOException e) {
            LOG.log(DEBUG, "connection ends", e);
            close();
        }
    }

    /// Copies what waits: Java would copy each message whole to memory of its own, and keep that.
    private void fill(ByteBuffer chunk) {
        for (var bytes : waiting) {
            var count = Math.min(chunk.remaining(), bytes.remaining());
            if (count == 0) {
                return;
            }
            chunk.put(chunk.position(), bytes, bytes.position(), count);
            chunk.position(chunk.position() + count);
        }
    }

    private void sent(int count) {
        waitingBytes -= count;
        if (count > 0) {
            tookAt = System.nanoTime();
        }
        for (var left = count; left > 0; ) {
            var bytes = waiting.element();
            var taken = Math.min(left, bytes.remaining());
            bytes.position(bytes.position() + taken);
            left -= taken;
            if (!bytes.hasRemaining()) {
                waiting.remove();
            }
        }
    }

    void close() {
        if (stage == Stage.CLOSED) {
            return;
        }
        stage = Stage.CLOSED;
        waiting.clear();
        waitingBytes = 0;
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(DEBUG, "connection ends", e);
        }
        listener.left(this);
    }
}
