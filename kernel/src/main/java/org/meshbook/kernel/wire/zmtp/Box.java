package org.meshbook.kernel.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.neilalexander.jnacl.crypto.curve25519xsalsa20poly1305;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Encryption between two keys: what one seals only the other can open, and neither can be changed
/// on the way.
final class Box {
    static final int KEY_BYTES = 32;

    /// What sealing adds.
    static final int SEAL_BYTES = 16;

    private static final int ZEROS = 32;

    private final byte[] shared = new byte[KEY_BYTES];

    /// @param theirs public
    /// @param ours secret
    Box(byte[] theirs, byte[] ours) {
        curve25519xsalsa20poly1305.crypto_box_beforenm(shared, theirs, ours);
    }

    /// @param prefix and number make 24 bytes, never the same twice
    byte[] seal(byte[] text, String prefix, byte[] number) {
        var padded = new byte[ZEROS + text.length];
        System.arraycopy(text, 0, padded, ZEROS, text.length);
        var sealed = new byte[padded.length];
        curve25519xsalsa20poly1305.crypto_box_afternm(
                sealed, padded, padded.length, nonce(prefix, number), shared);
        return Arrays.copyOfRange(sealed, ZEROS - SEAL_BYTES, sealed.length);
    }

    byte[] open(byte[] sealed, String prefix, byte[] number) throws BadPeer {
        if (sealed.length < SEAL_BYTES) {
            throw new BadPeer("a box of %d bytes".formatted(sealed.length));
        }
        var padded = new byte[ZEROS - SEAL_BYTES + sealed.length];
        System.arraycopy(sealed, 0, padded, ZEROS - SEAL_BYTES, sealed.length);
        var text = new byte[padded.length];
        var failed =
                curve25519xsalsa20poly1305.crypto_box_open_afternm(
                        text, padded, padded.length, nonce(prefix, number), shared);
        if (failed != 0) {
            throw new BadPeer("a box that the key does not open");
        }
        return Arrays.copyOfRange(text, ZEROS, text.length);
    }

    private static byte[] nonce(String prefix, byte[] number) {
        return ByteBuffer.allocate(24).put(prefix.getBytes(US_ASCII)).put(number).array();
    }
}
