package org.meshbook.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantityTest {
    @ParameterizedTest(name = "{0} is written {1}")
    @CsvSource({
        "0, 0",
        "0Gi, 0",
        "., 0",
        "100m, 100m",
        "0.5, 500m",
        "1.5, 1500m",
        "1500m, 1500m",
        "2000m, 2",
        "+4, 4",
        "-1500m, -1500m",
        "1e3, 1e3",
        "1E3, 1e3",
        "12e4, 120e3",
        "1.5e0, 1500e-3",
        "1000, 1k",
        "1024, 1024",
        "1000M, 1G",
        "1Ki, 1Ki",
        "1024Mi, 1Gi",
        "1Gi, 1Gi",
        "800Mi, 800Mi",
        "0.5Gi, 512Mi",
        "1.5Gi, 1536Mi",
        "2.5Ki, 2560",
        ".001Ki, 1024m",
        ".000000000001Ki, 2n",
        "0.0000000001, 1n",
        "1n, 1n",
        "16Ei, 9223372036854775807",
        "1e99, 9223372036854775807",
        "1e-999999999999, 1e-9",
        "9223372036854775807, 9223372036854775807",
        "1E, 1E",
        "00012, 12"
    })
    void isWrittenInItsCanonicalForm(String text, String canonical) {
        assertThat(Quantity.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"", "abc", "1KB", "1 Gi", "1.2.3", "0x10"})
    void refusesWhatIsNoQuantityWithTheServersText(String text) {
        assertThatThrownBy(() -> Quantity.parse(text))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage(
                        "quantities must match the regular expression"
                                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"1mm", "1Pii", "1K", "1e", "1Me3", "1-", "--1"})
    void refusesASuffixThatDoesNotExist(String text) {
        assertThatThrownBy(() -> Quantity.parse(text))
                .hasMessage("unable to parse quantity's suffix");
    }

    @Test
    void addsAndSubtractsExactly() {
        var tenth = Quantity.parse("0.1");
        var sum = Quantity.ZERO;
        for (int i = 0; i < 10; i++) {
            sum = sum.plus(tenth);
        }
        assertThat(sum).isEqualTo(Quantity.units(1)).hasToString("1");
        assertThat(sum.minus(Quantity.parse("1001m"))).hasToString("-1m");
        assertThat(Quantity.parse("16Gi").times(4)).hasToString("64Gi");
    }

    @Test
    void nothingTakesTheFormOfWhatIsAddedToIt() {
        assertThat(Quantity.ZERO.plus(Quantity.parse("1Gi"))).hasToString("1Gi");
        assertThat(Quantity.parse("1Gi").plus(Quantity.units(1024))).hasToString("1048577Ki");
    }

    @Test
    void comparesAmountsNotTexts() {
        assertThat(Quantity.parse("1Gi")).isEqualTo(Quantity.parse("1073741824"));
        assertThat(Quantity.parse("1Gi")).hasSameHashCodeAs(Quantity.parse("1073741824"));
        assertThat(Quantity.parse("1G")).isLessThan(Quantity.parse("1Gi"));
        assertThat(Quantity.parse("999m")).isLessThan(Quantity.units(1));
    }

    @Test
    void roundsUpToWholeUnits() {
        assertThat(Quantity.parse("1001m").units()).isEqualTo(2);
        assertThat(Quantity.parse("1u").milli()).isEqualTo(1);
        assertThat(Quantity.parse("-1u").milli()).isEqualTo(-1);
        assertThat(Quantity.parse("16Ei").milli()).isEqualTo(Long.MAX_VALUE);
        assertThat(Quantity.milli(2500)).hasToString("2500m");
        assertThat(Quantity.bytes(800 << 20)).hasToString("800Mi");
    }
}
