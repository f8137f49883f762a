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
    void whatIsMissingIsCounted() {
        var frames = signed.frames(ENVELOPE);
        var delimiter = frames.size() - ENVELOPE.buffers().size() - 6;
        var cut = frames.subList(0, delimiter + 4);
        assertThatThrownBy(() -> signed.envelope(cut)).hasMessage("cut short after 4 frames");
        assertThatThrownBy(() -> signed.envelope(List.of(bytes("x"), bytes("y"))))
                .hasMessage("no delimiter in 2 frames");
    }

    @Test
    void aMessageWithoutBuffersIsWhole() throws BadFrames {
        var frames = signed.frames(ENVELOPE);
        var read = signed.envelope(frames.subList(0, frames.size() - 1));
        assertThat(read.buffers()).isEmpty();
        assertThat(read.content()).isEqualTo(ENVELOPE.content());
    }

    @Test
    void aMessageThatIsSentAgainIsRefused() throws BadFrames {
        var frames = signed.frames(ENVELOPE);
        assertThat(signed.envelope(frames)).isNotNull();
        assertThatThrownBy(() -> signed.envelope(frames)).hasMessage("sent a second time");
        var open = FrameCodec.of("hmac-sha256", "");
        assertThat(open.envelope(open.frames(ENVELOPE))).isNotNull();
        assertThat(open.envelope(open.frames(ENVELOPE))).isNotNull();
    }

    @Test
    void anIdentityMayReadLikeTheDelimiter() throws BadFrames {
        var named =
                new Envelope(
                        List.of(bytes("<IDS|MSG>")),
                        ENVELOPE.header(),
                        ENVELOPE.parent(),
                        ENVELOPE.metadata(),
                        ENVELOPE.content(),
                        List.of());
        assertThat(signed.envelope(signed.frames(named)).route())
                .containsExactly(bytes("<IDS|MSG>"));
    }

    @Test
    void onlyTheKeysOwnSignatureSigns() {
        var part = bytes("{}");
        assertThat(signed.signs(signed.signature(part), part)).isTrue();
        assertThat(signed.signs(bytes("0"), part)).isFalse();
        assertThat(FrameCodec.of("hmac-sha256", "").signs(bytes("0"), part)).isTrue();
    }

    @Test
    void anUnknownSchemeIsNamed() {
        assertThatThrownBy(() -> FrameCodec.of("hmac-nothing", "key"))
                .hasMessageContaining("'hmac-nothing'");
    }

    private static final String SIGNATURE =
            "0206f42f4ae2a48f6054ab91271f90c100f7022f55fb1f23de6377624d533752";
}
