package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.spi.Workspace.Entry;

class PastCellsTest {
    private final PastCells past = new PastCells();

    @Test
    void aCellThatRunsHasNoTimeYet() {
        var unused = past.began(3, "code");
        assertThat(past.entries())
                .containsExactly(new Entry(3, "code", java.util.Optional.empty(), false));
    }

    @Test
    void howACellEndedIsKept() {
        past.began(1, "a").ended(true);
        past.began(1, "b").ended(false);
        assertThat(past.entries()).extracting(Entry::code).containsExactly("a", "b");
        assertThat(past.entries()).extracting(Entry::failed).containsExactly(true, false);
        assertThat(past.entries())
                .allSatisfy(
                        entry ->
                                assertThat(entry.took().orElseThrow())
                                        .isBetween(Duration.ZERO, Duration.ofMinutes(1)));
    }

    @Test
    void theLastFiveThousandAreKept() {
        for (var number = 1; number <= 5_001; number++) {
            var unused = past.began(number, "");
        }
        assertThat(past.entries()).hasSize(5_000);
        assertThat(past.entries().getFirst().number()).isEqualTo(2);
        assertThat(past.entries().getLast().number()).isEqualTo(5_001);
    }
}
