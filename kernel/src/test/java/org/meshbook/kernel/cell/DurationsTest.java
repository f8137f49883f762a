package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "PT0S, 0.0 ms",
        "PT0.00125S, 1.3 ms",
        "PT0.00994S, 9.9 ms",
        "PT0.01S, 10 ms",
        "PT0.9994S, 999 ms",
        "PT1S, 1.00 s",
        "PT1.234S, 1.23 s",
        "PT119.99S, 119.99 s",
        "PT120S, 2 min 0 s",
        "PT1H2M3.9S, 62 min 3 s"
    })
    void timesReadAsAPersonWouldSayThem(String time, String text) {
        assertThat(Durations.text(Duration.parse(time))).isEqualTo(text);
    }
}
