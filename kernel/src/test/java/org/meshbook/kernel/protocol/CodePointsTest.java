package org.meshbook.kernel.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodePointsTest {
    @ParameterizedTest(name = "in {0}: {1} points are {2} units")
    @CsvSource({
        "abc, 2, 2",
        "a\uD83D\uDC0Eb, 1, 1",
        "a\uD83D\uDC0Eb, 2, 3",
        "a\uD83D\uDC0Eb, 3, 4",
        "'', 0, 0"
    })
    void cursorsGoBothWays(String text, int points, int units) {
        assertThat(CodePoints.toUnits(text, points)).isEqualTo(units);
        assertThat(CodePoints.toPoints(text, units)).isEqualTo(points);
    }

    @ParameterizedTest
    @CsvSource({"-5, 0", "99, 4"})
    void cursorsOutsideAreMovedToTheEdge(int points, int units) {
        assertThat(CodePoints.toUnits("a\uD83D\uDC0Eb", points)).isEqualTo(units);
    }
}
