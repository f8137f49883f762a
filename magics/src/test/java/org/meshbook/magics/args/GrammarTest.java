package org.meshbook.magics.args;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;

class GrammarTest {
    private static final Grammar SLICES =
            new Grammar(
                    "%slices",
                    List.of("N"),
                    List.of(
                            new Flag("--devices", "D", "devices of each host"),
                            new Flag("--heartbeat", "TIME", "interval of heartbeats"),
                            Flag.plain("--release", "frees the slices")));

    @Test
    void wordsAndFlagsStandInAnyOrder() {
        var given = SLICES.parse("--devices 2 4 --heartbeat=200ms --release");

        assertThat(given.word(0)).contains("4");
        assertThat(given.count("--devices", 1, 8)).contains(2);
        assertThat(given.time("--heartbeat")).contains(Duration.ofMillis(200));
        assertThat(given.has("--release")).isTrue();
    }

    @Test
    void quotesKeepBlanks() {
        assertThat(SLICES.parse("\"two words\"").word(0)).contains("two words");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "4 --devcies 2  | has no flag --devcies; did you mean --devices?",
                "4 --xyzzy      | has no flag --xyzzy; it has --devices, --heartbeat, --release",
                "4 --devices    | --devices of %slices needs a value: --devices D",
                "4 --devices --release | --devices of %slices needs a value",
                "--release=yes  | --release of %slices takes no value; 'yes' was given",
                "4 5            | %slices does not understand '5'; usage: %slices [N]",
            })
    void whatDoesNotFitIsOneLineThatNamesIt(String line, String message) {
        assertThatThrownBy(() -> SLICES.parse(line))
                .isInstanceOf(MagicException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"0", "9", "-1", "two", "2.5", "99999999999"})
    void countOutOfRangeNamesTheRange(String value) {
        var given = SLICES.parse(List.of("--devices", value));

        assertThatThrownBy(() -> given.count("--devices", 1, 8))
                .hasMessage(
                        "%slices: --devices is '" + value + "'; give a whole number from 1 to 8");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"1.5s,1500", "200ms,200", "10m,600000", "1h,3600000", "0s,0"})
    void timesCarryTheirUnit(String value, long millis) {
        assertThat(SLICES.parse(List.of("--heartbeat", value)).time("--heartbeat"))
                .contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"2", "s", "-2s", "2 s"})
    void timesWithoutSenseSayHowTheyAreWritten(String value) {
        var given = SLICES.parse(List.of("--heartbeat", value));

        assertThatThrownBy(() -> given.time("--heartbeat")).hasMessageContaining("200ms, 2s");
    }

    @Test
    void completionOffersFlagsNotYetGiven() {
        assertThat(SLICES.complete("4 --", 4))
                .containsExactly("--devices", "--heartbeat", "--release");
        assertThat(SLICES.complete("4 --devices 2 --d", 17)).isEmpty();
        assertThat(SLICES.complete("4 --he", 6)).containsExactly("--heartbeat");
        assertThat(SLICES.complete("--devices ", 10)).isEmpty();
    }

    @Test
    void swappedLettersAreOneSlip() {
        assertThat(Nearest.to("%slcies", List.of("%slices", "%events"))).contains("%slices");
        assertThat(Nearest.to("%abc", List.of("%slices", "%events"))).isEmpty();
    }
}
