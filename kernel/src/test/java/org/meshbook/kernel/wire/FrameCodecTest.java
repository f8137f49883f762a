package org.meshbook.kernel.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
    private static final Envelope ENVELOPE =
            new Envelope(
                    List.of(bytes("me"), bytes("too")),
                    bytes("{\"a\":1}"),
                    bytes("{}"),
                    bytes("{}"),
                    bytes("{\"b\":2}"),
                    List.of(bytes("buffer")));

    private final FrameCodec signed = FrameCodec.of("hmac-sha256", "key");

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void theSignatureIsThatOfJupyter() {
        // python3: hmac.new(b'key', b'{"a":1}{}{}{"b":2}', 'sha256').hexdigest()
        assertThat(new String(signed.frames(ENVELOPE).get(3), UTF_8)).isEqualTo(SIGNATURE);
    }

    @Test
    void whatIsWrittenIsReadAgain() throws BadFrames {
        for (var codec : List.of(signed, FrameCodec.of("hmac-sha256", ""))) {
            var read = codec.envelope(codec.frames(ENVELOPE));
            assertThat(read).usingRecursiveComparison().isEqualTo(ENVELOPE);
        }
    }

    @Test
    void aChangedByteIsFound() {
        var frames = new ArrayList<>(signed.frames(ENVELOPE));
        frames.set(7, bytes("{\"b\":3}"));
        assertThatThrownBy(() -> signed.envelope(frames)).hasMessage("wrong signature");
    }

    @Test
    void framesThatAreNoMessageAreRefused() {
        assertThatThrownBy(() -> signed.envelope(List.of(bytes("x"))))
                .hasMessageContaining("no del");
        var cut = signed.frames(ENVELOPE).subList(0, 5);
        assertThatThrownBy(() -> signed.envelope(cut)).hasMessageContaining("cut short");
    }

    @Test
    void anUnknownSchemeIsNamed() {
        assertThatThrownBy(() -> FrameCodec.of("hmac-nothing", "key"))
                .hasMessageContaining("'hmac-nothing'");
    }

    private static final String SIGNATURE =
            "0206f42f4ae2a48f6054ab91271f90c100f7022f55fb1f23de6377624d533752";
}
