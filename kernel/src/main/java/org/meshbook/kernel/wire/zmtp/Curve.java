package org.meshbook.kernel.wire.zmtp;

import com.neilalexander.jnacl.crypto.curve25519xsalsa20poly1305;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// CurveZMQ: every connection has fresh keys, and only a client that knows the server's public key
/// gets through.
final class Curve implements Mechanism {
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int HELLO_BYTES = 194;
    private static final int VERSION = 0x0100;
    private static final int COOKIE_BYTES = 96;
    private static final int VOUCH_BYTES = 96;
    private static final int LONG_NONCE = 16;
    private static final int SHORT_NONCE = 8;
    private static final int MORE = 1;
    private static final int COMMAND = 2;

    private final Metadata own;
    private final byte[] lasting;
    private final byte[] freshPublic = new byte[Box.KEY_BYTES];
    private final byte[] freshSecret = new byte[Box.KEY_BYTES];
    // The peer has to send it back: what is inside concerns this end only, which remembers it.
    private final byte[] cookie = random(COOKIE_BYTES);
    private byte @Nullable [] client;
    private @Nullable Box box;
    private long sent;
    private long received;

    /// @param own what this end says about itself
    /// @param secret the server's lasting key
    Curve(Metadata own, byte[] secret) {
        this.own = own;
        this.lasting = secret;
        curve25519xsalsa20poly1305.crypto_box_keypair(freshPublic, freshSecret);
    }

    @Override
    public String name() {
        return "CURVE";
    }

    @Override
    public List<Frame> opening() {
        return List.of();
    }

    @Override
    public @Nullable Metadata step(Frame command, List<Frame> answers) throws BadPeer {
        if (client == null) {
            answers.add(welcome(Mechanism.read(command, "HELLO")));
            return null;
        }
        var metadata = initiate(Mechanism.read(command, "INITIATE"), client);
        answers.add(Mechanism.command("READY", sealed(own.bytes(), "CurveZMQREADY---")));
        return metadata;
    }

    private Frame welcome(ByteBuffer hello) throws BadPeer {
        if (hello.remaining() != HELLO_BYTES || hello.getShort(0) != VERSION) {
            throw new BadPeer("a HELLO of %d bytes".formatted(hello.remaining()));
        }
        hello.position(2 + 72);
        var theirs = take(hello, Box.KEY_BYTES);
        var known = new Box(theirs, lasting);
        var nonce = take(hello, SHORT_NONCE);
        known.open(take(hello, hello.remaining()), "CurveZMQHELLO---", nonce);
        client = theirs;
        var number = random(LONG_NONCE);
        var text = ByteBuffer.allocate(Box.KEY_BYTES + COOKIE_BYTES).put(freshPublic).put(cookie);
        return Mechanism.command("WELCOME", number, known.seal(text.array(), "WELCOME-", number));
    }

    private Metadata initiate(ByteBuffer initiate, byte[] theirs) throws BadPeer {
        if (initiate.remaining() < COOKIE_BYTES + SHORT_NONCE
                || !Arrays.equals(take(initiate, COOKIE_BYTES), cookie)) {
            throw new BadPeer("an INITIATE without the cookie");
        }
        var fresh = new Box(theirs, freshSecret);
        var number = take(initiate, SHORT_NONCE);
        var text =
                ByteBuffer.wrap(
                        fresh.open(
                                take(initiate, initiate.remaining()), "CurveZMQINITIATE", number));
        if (text.remaining() < Box.KEY_BYTES + VOUCH_BYTES) {
            throw new BadPeer("an INITIATE without a vouch");
        }
        var lastingOfClient = take(text, Box.KEY_BYTES);
        var vouchNumber = take(text, LONG_NONCE);
        var vouch =
                new Box(lastingOfClient, freshSecret)
                        .open(take(text, VOUCH_BYTES - LONG_NONCE), "VOUCH---", vouchNumber);
        if (!Arrays.equals(Arrays.copyOf(vouch, Box.KEY_BYTES), theirs)) {
            throw new BadPeer("a vouch for another");
        }
        received = ByteBuffer.wrap(number).getLong();
        box = fresh;
        return Metadata.read(text);
    }

    @Override
    public Frame seal(Frame frame) {
        var flags = (frame.more() ? MORE : 0) | (frame.command() ? COMMAND : 0);
        var text = ByteBuffer.allocate(1 + frame.body().length).put((byte) flags).put(frame.body());
        var sealed = Mechanism.command("MESSAGE", sealed(text.array(), "CurveZMQMESSAGES"));
        return new Frame(sealed.body(), false, false);
    }

    private byte[] sealed(byte[] text, String prefix) {
        var number = ByteBuffer.allocate(SHORT_NONCE).putLong(++sent).array();
        var sealed = box().seal(text, prefix, number);
        return ByteBuffer.allocate(SHORT_NONCE + sealed.length).put(number).put(sealed).array();
    }

    @Override
    public Frame open(Frame frame) throws BadPeer {
        var message = Mechanism.read(frame, "MESSAGE");
        if (message.remaining() < SHORT_NONCE + Box.SEAL_BYTES + 1) {
            throw new BadPeer("a MESSAGE of %d bytes".formatted(message.remaining()));
        }
        var number = take(message, SHORT_NONCE);
        var count = ByteBuffer.wrap(number).getLong();
        if (Long.compareUnsigned(count, received) <= 0) {
            throw new BadPeer("a MESSAGE that was sent before");
        }
        received = count;
        var text = box().open(take(message, message.remaining()), "CurveZMQMESSAGEC", number);
        var body = Arrays.copyOfRange(text, 1, text.length);
        return new Frame(body, (text[0] & MORE) != 0, (text[0] & COMMAND) != 0);
    }

    private Box box() {
        if (box == null) {
            throw new IllegalStateException("no keys before the handshake ends");
        }
        return box;
    }

    private static byte[] take(ByteBuffer from, int count) {
        var bytes = new byte[count];
        from.get(bytes);
        return bytes;
    }

    private static byte[] random(int count) {
        var bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
