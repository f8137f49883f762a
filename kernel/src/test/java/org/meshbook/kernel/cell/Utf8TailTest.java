package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8TailTest {
    private final Utf8Tail tail = new Utf8Tail();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 100})
    void textIsTheSameHoweverItsBytesAreCut(int size) {
        var text = "aé日\uD83D\uDC0Ezž\uD83D\uDC0E\uD83D\uDC0E日日éab";
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var read = new StringBuilder();
        for (var at = 0; at < bytes.length; at += size) {
            read.append(tail.text(bytes, at, Math.min(size, bytes.length - at)));
        }
        assertThat(read.toString()).isEqualTo(text);
    }

    @Test
    void onlyWhatIsNotWholeIsHeldBack() {
        var bytes = "a\uD83D\uDC0Eb".getBytes(StandardCharsets.UTF_8);
        assertThat(tail.text(bytes, 0, 3)).isEqualTo("a");
        assertThat(tail.text(bytes, 3, 1)).isEmpty();
        assertThat(tail.text(bytes, 4, 2)).isEqualTo("\uD83D\uDC0Eb");
        assertThat(tail.text(bytes, 0, 1)).isEqualTo("a");
    }

    @Test
    void bytesThatAreNoTextAreNotHeldForEver() {
        var broken = new byte[] {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80};
        assertThat(tail.text(broken, 0, 4)).isEqualTo("\uFFFD".repeat(4));
        assertThat(tail.text(new byte[] {'a'}, 0, 1)).isEqualTo("a");
    }
}
