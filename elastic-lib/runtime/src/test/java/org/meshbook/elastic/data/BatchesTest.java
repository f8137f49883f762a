package org.meshbook.elastic.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;

class BatchesTest {
    record Both(Array x, Array y) {}

    private final Both rows = new Both(Array.normal(1, 10, 3), Array.iota(DType.I32, 10));

    @Test
    void positionIsRowsHandedOutAndTheRestOfAnEpochIsDropped() {
        var batches = Batches.of(rows, 4);
        assertThat(batches.perEpoch()).isEqualTo(2);
        long position = 0;
        assertThat(ids(batches, position)).containsExactly(0, 1, 2, 3);
        position = batches.next(position);
        assertThat(ids(batches, position)).containsExactly(4, 5, 6, 7);
        position = batches.next(position);
        // rows 8 and 9 are too few: the next batch is the first of the next epoch
        assertThat(position).isEqualTo(8);
        assertThat(batches.epoch(position)).isEqualTo(1);
        assertThat(batches.next(position)).isEqualTo(14);
        assertThat(ids(batches, position)).containsExactly(0, 1, 2, 3);
    }

    @Test
    void rowsOfAllArraysStayTogether() {
        var batch = Batches.of(rows, 5).shuffled(3).at(5);
        assertThat(batch.x().type().shape().toArray()).containsExactly(5, 3);
        for (int i = 0; i < 5; i++) {
            int row = (int) batch.y().toHost().get(i);
            assertThat(batch.x().toHost().get(3 * i + 1))
                    .isEqualTo(rows.x().toHost().get(3 * row + 1));
        }
    }

    @Test
    void everyRowComesOnceAnEpoch() {
        for (int size : new int[] {1, 2, 3, 7, 64, 100, 1_797}) {
            var all = new HashSet<Long>();
            var batches = Batches.of(Array.iota(DType.I32, size), 1).shuffled(42);
            for (int i = 0; i < size; i++) {
                all.add(Rows.ids(batches.at(5L * size + i))[0]);
            }
            assertThat(all).hasSize(size).allMatch(row -> row >= 0 && row < size);
        }
    }

    @Test
    void orderDependsOnSeedAndEpochOnly() {
        var batches = Batches.of(Array.iota(DType.I32, 100), 100);
        assertThat(order(batches.shuffled(1), 0)).isEqualTo(order(batches.shuffled(1), 0));
        assertThat(order(batches.shuffled(1), 0)).isNotEqualTo(order(batches.shuffled(2), 0));
        assertThat(order(batches.shuffled(1), 0)).isNotEqualTo(order(batches.shuffled(1), 100));
        assertThat(order(batches.shuffled(0), 0)).isNotEqualTo(order(batches, 0));
    }

    @Test
    void consecutiveRowsOfOneClassAreSpread() {
        // the first 50 of 1000 shuffled rows come from all tenths of the data
        var tenths = new TreeSet<Long>();
        var batches = Batches.of(Array.iota(DType.I32, 1_000), 50).shuffled(0);
        for (long row : Rows.ids(batches.at(0))) {
            tenths.add(row / 100);
        }
        assertThat(tenths).hasSizeGreaterThanOrEqualTo(8);
    }

    @Test
    void treeMayBeAMap() {
        var batches = Batches.of(Map.of("y", Array.iota(DType.I64, 6)), 3);
        assertThat(batches.at(3).values())
                .singleElement()
                .matches(batch -> batch.toHost().get(0) == 3);
    }

    @Test
    void stageThatFiltersIsRefusedAndSaysWhatToDo() {
        var filtered =
                Data.of(rows)
                        .map(all -> new Both(all.x().take(Array.of(0, 1), 0), all.y()))
                        .batch(5);
        assertThatThrownBy(() -> filtered.at(0))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("map made 'x' [2,3] of 5 rows")
                .hasMessageContaining("data.keep(");
    }

    @Test
    void rowsAreKeptBeforeTheyAreCounted() {
        var kept = Data.of(rows).keep(row -> row % 3 == 0);
        assertThat(kept.count()).isEqualTo(4);
        assertThat(Rows.ids(kept.batch(4).at(0).y())).containsExactly(0, 3, 6, 9);
        assertThat(kept.fingerprint()).isNotEqualTo(Data.of(rows).fingerprint());
        var pairs = Data.of(rows.x(), rows.y()).map(pair -> pair.second()).batch(5);
        assertThat(Rows.ids(pairs.at(5))).containsExactly(5, 6, 7, 8, 9);
    }

    @Test
    void fingerprintReadsAsWhatTheRowsAre() {
        assertThat(Data.of(rows).shuffle(7).fingerprint())
                .matches("10 rows of x f32\\[3], y i32 #[0-9a-f]{8}, shuffled 7");
        assertThat(Data.of(Map.of("id", Array.iota(DType.I64, 6))).fingerprint())
                .matches("6 rows of id i64 #[0-9a-f]{8}, in order");
    }

    @Test
    void badRowsAreNamed() {
        assertThatThrownBy(() -> Batches.of(new Both(Array.zeros(4, 2), Array.zeros(5)), 2))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("'y' has 5");
        assertThatThrownBy(() -> Batches.of(rows, 11))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("choose 1 to 10");
        assertThatThrownBy(() -> Batches.of(new Both(Array.zeros(4), Array.scalar(1f)), 2))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'y'");
        assertThatThrownBy(() -> Batches.of(rows, 4).at(-3))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("position -3");
    }

    private static long[] ids(Batches<Both> batches, long position) {
        return Rows.ids(batches.at(position).y());
    }

    private static long[] order(Batches<? extends Array> batches, long position) {
        return Rows.ids(batches.at(position));
    }
}
