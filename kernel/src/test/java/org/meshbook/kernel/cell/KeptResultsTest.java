package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is kept of the values of cells, and what is said of those that are not.
class KeptResultsTest {
    private final KeptResults results = new KeptResults();

    /// Counts as 32 MB and a header: two are more than is kept.
    private static Object half() {
        return new Pixels(4096, 2048);
    }

    /// Says that it is large, and is one pixel.
    private static final class Pixels extends BufferedImage {
        private final int width;
        private final int height;

        Pixels(int width, int height) {
            super(1, 1, TYPE_BYTE_GRAY);
            this.width = width;
            this.height = height;
        }

        @Override
        public int getWidth() {
            return width;
        }

        @Override
        public int getHeight() {
            return height;
        }
    }

    private List<Integer> put(int cell, @Nullable Object value) {
        return results.put(cell, value, "");
    }

    @Test
    void valuesAreFoundByTheirCell() {
        assertThat(put(1, "one")).isEmpty();
        assertThat(put(2, null)).isEmpty();
        assertThat(results.of(1)).isEqualTo("one");
        assertThat(results.of(2)).isNull();
        assertThat(results.last()).isNull();
        assertThat(results.has(2)).isTrue();
        assertThat(results.has(3)).isFalse();
        assertThat(results.isGone(1)).isFalse();
        assertThat(results.isGone(3)).isFalse();
    }

    @Test
    void theExpressionIsKnownIfThereWasOne() {
        results.put(1, 42, "6 * 7");
        put(2, "of a magic");
        assertThat(results.source(1)).contains("6 * 7");
        assertThat(results.source(2)).isEmpty();
        assertThat(results.source(3)).isEmpty();
    }

    @Test
    void aCellThatRunsAgainIsTheLast() {
        put(1, "one");
        put(2, "two");
        put(1, "again");
        assertThat(results.last()).isEqualTo("again");
        assertThat(results.of(1)).isEqualTo("again");
    }

    @Test
    void whatIsNotThereIsSaidSo() {
        assertThatThrownBy(results::last).hasMessage("no cell has a result yet");
        assertThatThrownBy(() -> results.of(9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cell 9 has no result; no cell has one yet");
        for (var cell : List.of(7, 3, 4, 6, 5, 2)) {
            put(cell, cell);
        }
        assertThat(results.why(9))
                .isEqualTo("cell 9 has no result; the latest cells with one are 2, 3, 4, 5, 6");
    }

    @Test
    void theOldestIsLetGoWhenTogetherTheyAreTooLarge() {
        assertThat(put(1, half())).isEmpty();
        assertThat(put(2, half())).containsExactly(1);
        assertThat(put(3, half())).containsExactly(2);
    }

    @Test
    void theLastIsKeptHoweverLarge() {
        var large = new Pixels(1 << 14, 1 << 14);
        put(1, "small");
        assertThat(put(2, large)).containsExactly(1);
        assertThat(results.last()).isSameAs(large);
        assertThat(put(3, "small")).containsExactly(2);
        assertThat(put(4, "small")).isEmpty();
    }

    @Test
    void whatIsReplacedWeighsNothing() {
        for (var i = 0; i < 5; i++) {
            assertThat(put(1, half())).isEmpty();
        }
        assertThat(put(2, "small")).isEmpty();
    }

    @Test
    void whatIsLetGoIsFoundWhileSomethingHoldsIt() {
        var held = half();
        put(1, held);
        put(2, half());
        assertThat(results.has(1)).isTrue();
        assertThat(results.isGone(1)).isFalse();
        assertThat(results.of(1)).isSameAs(held);
        assertThat(results.source(1)).isEmpty();
    }

    @Test
    void whatIsGoneSaysWhatIsKept() {
        put(1, null);
        var old = IntStream.rangeClosed(2, 1_001).mapToObj(cell -> put(cell, cell));
        assertThat(old.flatMap(List::stream)).containsExactly(1);
        assertThat(results.has(1)).isFalse();
        assertThat(results.isGone(1)).isTrue();
        assertThatThrownBy(() -> results.of(1))
                .hasMessage(
                        "the result of cell 1 was let go: the last 1000 are kept, 64 MB at most;"
                                + " run the cell again, or keep what you need in a variable");
        put(1, "again");
        assertThat(results.of(1)).isEqualTo("again");
        assertThat(results.isGone(1)).isFalse();
    }

    @Test
    void whatIsGoneForLongIsForgotten() {
        for (var cell = 1; cell <= 2_001; cell++) {
            put(cell, null);
        }
        assertThat(results.isGone(1)).isFalse();
        assertThat(results.isGone(2)).isTrue();
        assertThat(results.why(1)).startsWith("cell 1 has no result;");
    }

    @Test
    void itIsToldOnce() {
        assertThat(results.tellOnce()).isTrue();
        assertThat(results.tellOnce()).isFalse();
        assertThat(results.tellOnce()).isFalse();
    }

    @Test
    void clearingForgetsEverything() {
        put(1, half());
        put(2, half());
        results.threw(new IllegalStateException());
        results.clear();
        assertThat(results.has(1)).isFalse();
        assertThat(results.has(2)).isFalse();
        assertThat(results.isGone(1)).isFalse();
        assertThat(results.why(1)).isEqualTo("cell 1 has no result; no cell has one yet");
        assertThat(results.lastException()).isEmpty();
        assertThat(put(3, new Pixels(2048, 2048))).isEmpty();
        assertThat(put(4, new Pixels(2048, 2048))).isEmpty();
        assertThat(put(5, new Pixels(2048, 1024))).isEmpty();
    }

    @Test
    void whatWasThrownIsHeldForTwentyCells() {
        assertThat(results.lastException()).isEmpty();
        results.threw(new IllegalStateException("first"));
        endCells(20);
        results.threw(new IllegalStateException("boom"));
        endCells(20);
        System.gc();
        assertThat(results.lastException()).get().extracting("message").isEqualTo("boom");
        endCells(1);
        for (var left = 20; left > 0 && results.lastException().isPresent(); left--) {
            System.gc();
        }
        assertThat(results.lastException()).isEmpty();
    }

    @Test
    void whatWasThrownStaysWhileSomebodyHoldsIt() {
        var held = new IllegalStateException("boom");
        results.threw(held);
        endCells(21);
        assertThat(results.lastException()).containsSame(held);
    }

    private void endCells(int count) {
        for (var cell = 0; cell < count; cell++) {
            results.cellEnded();
        }
    }
}
