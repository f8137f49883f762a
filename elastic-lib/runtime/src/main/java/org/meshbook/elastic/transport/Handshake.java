package org.meshbook.elastic.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Both ends of a fresh connection prove that they know the token, without showing it.
///
/// The format is in the package's description.
final class Handshake {
    private static final int MAGIC = 0x4D42_0001;
    private static final int NONCE = 32;
    private static final int PROOF = 32;
    private static final int NAME = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] token;

    Handshake(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /// Who is at the other end.
    record Caller(int slice, int generation, int host) {
        @Override
        public String toString() {
            return "slice " + slice + " host " + host + " generation " + generation;
        }
    }

    void connect(SocketChannel channel, Caller self) throws IOException {
        var mine = nonce();
        write(channel, ByteBuffer.allocate(4 + NONCE).putInt(MAGIC).put(mine));
        var answer = read(channel, 4 + NONCE + PROOF);
        var theirs = challenge(answer);
        var name = name(self);
        require(answer, proof("accept", mine, theirs));
        write(
                channel,
                ByteBuffer.allocate(NAME + PROOF)
                        .put(name)
                        .put(proof("connect", theirs, mine, name)));
    }

    Caller accept(SocketChannel channel) throws IOException {
        var hello = read(channel, 4 + NONCE);
        var theirs = challenge(hello);
        var mine = nonce();
        write(
                channel,
                ByteBuffer.allocate(4 + NONCE + PROOF)
                        .putInt(MAGIC)
                        .put(mine)
                        .put(proof("accept", theirs, mine)));
        var named = read(channel, NAME + PROOF);
        var name = new byte[NAME];
        named.get(name);
        require(named, proof("connect", mine, theirs, name));
        var fields = ByteBuffer.wrap(name);
        return new Caller(fields.getInt(), fields.getInt(), fields.getInt());
    }

    private static byte[] challenge(ByteBuffer message) throws IOException {
        if (message.getInt() != MAGIC) {
            throw new IOException("the other end does not speak the bulk protocol, version 1");
        }
        var nonce = new byte[NONCE];
        message.get(nonce);
        return nonce;
    }

    private static void require(ByteBuffer message, byte[] expected) throws IOException {
        var shown = new byte[PROOF];
        message.get(shown);
        if (!MessageDigest.isEqual(shown, expected)) {
            throw new IOException("the other end does not know the token");
        }
    }

    private byte[] proof(String role, byte[]... parts) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(token, "HmacSHA256"));
            mac.update(role.getBytes(StandardCharsets.UTF_8));
            for (var part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException(new IOException("no HmacSHA256 in this JDK", e));
        }
    }

    private static byte[] name(Caller self) {
        return ByteBuffer.allocate(NAME)
                .putInt(self.slice())
                .putInt(self.generation())
                .putInt(self.host())
                .array();
    }

    private static byte[] nonce() {
        var nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    private static void write(SocketChannel channel, ByteBuffer message) throws IOException {
        message.flip();
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    private static ByteBuffer read(SocketChannel channel, int bytes) throws IOException {
        var message = ByteBuffer.allocate(bytes);
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                throw new IOException("the other end closed during the handshake");
            }
        }
        return message.flip();
    }
}
