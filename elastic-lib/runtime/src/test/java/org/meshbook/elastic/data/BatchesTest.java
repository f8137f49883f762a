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
    record Rows(Array x, Array y) {}

    private final Rows rows = new Rows(Array.normal(1, 10, 3), Array.iota(DType.I32, 10));

    @Test
    void positionIsRowsHandedOutAndTheRestOfAnEpochIsDropped() {
        var batches = Batches.of(rows, 4);
        assertThat(batches.perEpoch()).isEqualTo(2);
        long position = 0;
        assertThat(ids(batches, position)).containsExactly(0, 1, 2, 3);
        position = batches.next(position);
        assertThat(ids(batches, position)).containsExactly(4, 5, 6, 7);
        position = batches.next(position);
        assertThat(position).isEqualTo(8);
        assertThat(batches.epoch(position)).isEqualTo(1);
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
            var all = new HashSet<Integer>();
            var batches = Batches.of(Array.iota(DType.I32, size), 1).shuffled(42);
            for (int i = 0; i < size; i++) {
                all.add(batches.row(5, i));
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
        var tenths = new TreeSet<Integer>();
        var batches = Batches.of(Array.iota(DType.I32, 1_000), 50).shuffled(0);
        for (int row : ids(batches.at(0))) {
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
    void badRowsAreNamed() {
        assertThatThrownBy(() -> Batches.of(new Rows(Array.zeros(4, 2), Array.zeros(5)), 2))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("'y' has 5");
        assertThatThrownBy(() -> Batches.of(rows, 11))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("choose 1 to 10");
        assertThatThrownBy(() -> Batches.of(new Rows(Array.zeros(4), Array.scalar(1f)), 2))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'y'");
        assertThatThrownBy(() -> Batches.of(rows, 4).at(3))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("position 3");
    }

    private static int[] ids(Batches<Rows> batches, long position) {
        return ids(batches.at(position).y());
    }

    private static int[] order(Batches<? extends Array> batches, long position) {
        return ids(batches.at(position));
    }

    private static int[] ids(Array array) {
        var host = array.toHost();
        var ids = new int[Math.toIntExact(host.type().shape().size())];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (int) host.get(i);
        }
        return ids;
    }
}
