package org.meshbook.kernel.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Signatures that were here before.
class SignaturesTest {
    private static final String ONE = "0123456789abcdef0123456789abcdef";

    private final Signatures seen = new Signatures();

    private boolean add(String signature) {
        return seen.add(signature.getBytes(US_ASCII));
    }

    @Test
    void aSignatureIsNewOnce() {
        assertThat(add(ONE)).isTrue();
        assertThat(add(ONE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1123456789abcdef0123456789abcdef",
                "0123456089abcdef0123456789abcdef",
                "0123456789abcde00123456789abcdef"
            })
    void eachOfItsFirstDigitsCounts(String other) {
        assertThat(add(ONE)).isTrue();
        assertThat(add(other)).isTrue();
    }

    @Test
    void theLastSixteenThousandAreRemembered() {
        for (var number = 0; number <= 1 << 14; number++) {
            assertThat(add("%016x".formatted(number))).isTrue();
        }
        assertThat(add("%016x".formatted(1))).isFalse();
        assertThat(add("%016x".formatted(0))).as("forgotten").isTrue();
    }
}
