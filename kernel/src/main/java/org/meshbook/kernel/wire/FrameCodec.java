package org.meshbook.kernel.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Envelopes to frames and back: `route.. <IDS|MSG> signature header parent metadata content
/// buffers..`. An empty key means that nothing is signed. A signed message is read once: the same
/// again is a replay. Not thread-safe.
public final class FrameCodec {
    static final byte[] DELIMITER = "<IDS|MSG>".getBytes(US_ASCII);
    private static final byte[] UNSIGNED = {};

    private final @Nullable Mac mac;
    private final Signatures seen = new Signatures();

    private FrameCodec(@Nullable Mac mac) {
        this.mac = mac;
    }

    /// @param scheme as `hmac-sha256`
    /// @param key shared with the front end
    /// @return a codec with them
    public static FrameCodec of(String scheme, String key) {
        if (key.isEmpty()) {
            return new FrameCodec(null);
        }
        var algorithm = scheme.replace("-", "");
        try {
            var mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key.getBytes(UTF_8), algorithm));
            return new FrameCodec(mac);
        } catch (GeneralSecurityException e) {
            throw new ConnectionFile.Unusable(
                    "signature scheme '" + scheme + "' is not known; use hmac-sha256");
        }
    }

    /// @param envelope to send
    /// @return its frames, signed
    public List<byte[]> frames(Envelope envelope) {
        var frames = new ArrayList<byte[]>(envelope.route());
        frames.add(DELIMITER);
        frames.add(
                signature(
                        envelope.header(),
                        envelope.parent(),
                        envelope.metadata(),
                        envelope.content()));
        frames.add(envelope.header());
        frames.add(envelope.parent());
        frames.add(envelope.metadata());
        frames.add(envelope.content());
        frames.addAll(envelope.buffers());
        return frames;
    }

    /// @param frames as they came
    /// @return the message
    /// @throws BadFrames if they are none, or are not signed with the key
    public Envelope envelope(List<byte[]> frames) throws BadFrames {
        var at = delimiter(frames);
        if (frames.size() < at + 6) {
            throw new BadFrames(
                    at == frames.size()
                            ? "no delimiter in " + frames.size() + " frames"
                            : "cut short after " + (frames.size() - at) + " frames");
        }
        var header = frames.get(at + 2);
        var parent = frames.get(at + 3);
        var metadata = frames.get(at + 4);
        var content = frames.get(at + 5);
        if (mac != null
                && !MessageDigest.isEqual(
                        frames.get(at + 1), signature(header, parent, metadata, content))) {
            throw new BadFrames("wrong signature");
        }
        if (mac != null && !seen.add(frames.get(at + 1))) {
            throw new BadFrames("sent a second time");
        }
        var buffers = frames.subList(at + 6, frames.size());
        return new Envelope(frames.subList(0, at), header, parent, metadata, content, buffers);
    }

    /// The first frame is the peer's identity, which may be any bytes, also those of the delimiter.
    private static int delimiter(List<byte[]> frames) {
        for (var at = 1; at < frames.size(); at++) {
            if (Arrays.equals(frames.get(at), DELIMITER)) {
                return at;
            }
        }
        return !frames.isEmpty() && Arrays.equals(frames.getFirst(), DELIMITER) ? 0 : frames.size();
    }

    /// @return whether a signature is that of a part
    boolean signs(byte[] signature, byte[] part) {
        return mac == null || MessageDigest.isEqual(signature, signature(part));
    }

    byte[] signature(byte[]... parts) {
        if (mac == null) {
            return UNSIGNED;
        }
        for (var part : parts) {
            mac.update(part);
        }
        return HexFormat.of().formatHex(mac.doFinal()).getBytes(US_ASCII);
    }
}
