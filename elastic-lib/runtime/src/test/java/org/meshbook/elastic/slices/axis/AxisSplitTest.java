package org.meshbook.elastic.slices.axis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.sim.Simulation;
import org.meshbook.elastic.slices.SliceLost;

class AxisSplitTest {
    private final Simulation sim = Simulation.of(4, 2).withoutReturns();
    private final Mesh mesh = mesh(0, 4);
    private final AxisSplit replicas = AxisSplit.along(sim, "replica");

    @Test
    void replicatedArrayKeepsItsShapeAtEveryPosition() {
        var parts = replicas.of(sim.put(Array.iota(DType.F32, 8), mesh.sharding("model")));
        assertThat(parts).hasSize(4);
        for (int i = 0; i < 4; i++) {
            assertThat(parts.get(i).toHost()).isEqualTo(Array.iota(DType.F32, 8));
            assertThat(sim.shardingOf(parts.get(i))).isEqualTo(mesh(i, i + 1).sharding("model"));
        }
    }

    @Test
    void arrayThatIsCutOverTheAxisShrinks() {
        var whole = Array.iota(DType.F32, 24).reshape(8, 3);
        var parts = replicas.into(2).of(sim.put(whole, mesh.sharding("replica")));
        assertThat(parts)
                .extracting(Array::toHost)
                .containsExactly(whole.slice(0, 0, 4).toHost(), whole.slice(0, 4, 8).toHost());
    }

    @Test
    void boundariesCutUnequalParts() {
        var whole = Array.iota(DType.I32, 8);
        var parts = replicas.at(1, 3).of(sim.put(whole, mesh.sharding("replica+model")));
        assertThat(parts)
                .extracting(Array::toHost)
                .containsExactly(
                        whole.slice(0, 0, 2).toHost(),
                        whole.slice(0, 2, 6).toHost(),
                        whole.slice(0, 6, 8).toHost());
    }

    @Test
    void partOnLiveSlicesIsReadableWhenTheWholeIsLost() {
        var whole = sim.put(Array.iota(DType.F32, 8), mesh.replicated());
        whole.toHost();
        var before = replicas.of(whole);
        sim.kill(2);
        var after = replicas.of(whole);
        assertThatThrownBy(whole::toHost).isInstanceOf(SliceLost.class);
        for (int i : new int[] {0, 1, 3}) {
            assertThat(before.get(i).toHost()).isEqualTo(Array.iota(DType.F32, 8));
            assertThat(after.get(i).toHost()).isEqualTo(Array.iota(DType.F32, 8));
        }
        assertThatThrownBy(before.get(2)::toHost).isInstanceOf(SliceLost.class);
        assertThatThrownBy(after.get(2)::toHost).isInstanceOf(SliceLost.class);
    }

    @Test
    void joiningThePartsGivesTheWholeAndFreesThem() {
        var rows = Array.iota(DType.F32, 16).reshape(8, 2);
        var tree =
                new Pair<>(
                        sim.put(rows, mesh.sharding("replica", "model")),
                        sim.put(rows, mesh.replicated()));
        var parts = replicas.of(tree);
        var whole = replicas.join(parts);
        assertThat(whole.first().toHost()).isEqualTo(rows.toHost());
        assertThat(whole.second().toHost()).isEqualTo(rows.toHost());
        assertThat(sim.shardingOf(whole.first())).isEqualTo(mesh.sharding("replica", "model"));
        assertThatThrownBy(() -> parts.getFirst().first().toHost())
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("freed");
    }

    @Test
    void survivorsJoinToASmallerReplicaAxis() {
        var parts = replicas.of(sim.put(Array.iota(DType.F32, 8), mesh.replicated()));
        var joined = replicas.join(List.of(parts.get(0), parts.get(3)));
        assertThat(sim.shardingOf(joined).mesh().size("replica")).isEqualTo(2);
        assertThat(joined.toHost()).isEqualTo(Array.iota(DType.F32, 8));
    }

    @Test
    void wholeIsFreedOnlyWhenItIsDonated() {
        var whole = sim.put(Array.scalar(1), mesh.replicated());
        replicas.of(whole);
        assertThat(whole.item()).isEqualTo(1);
        replicas.donating().of(whole);
        assertThatThrownBy(whole::toHost).isInstanceOf(UsageError.class);
    }

    @Test
    void partsThatDoNotFitAreRefused() {
        var whole = sim.put(Array.zeros(8), mesh.replicated());
        assertThatThrownBy(() -> replicas.into(3).of(whole))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("does not divide into 3 sections");
        for (var cuts : List.of(List.of(0), List.of(4), List.of(2, 2), List.of(3, 1))) {
            assertThatThrownBy(() -> replicas.at(cuts.toArray(Integer[]::new)).of(whole))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("ascend strictly between 0 and 4");
        }
        assertThatThrownBy(() -> AxisSplit.along(sim, "data").of(whole))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("no axis 'data'");
    }

    @Test
    void arraysOfDifferentMeshesAreRefusedByName() {
        var tree =
                Map.of(
                        "a", sim.put(Array.zeros(8), mesh.replicated()),
                        "b", sim.put(Array.zeros(8), mesh(0, 2).replicated()));
        assertThatThrownBy(() -> replicas.of(tree))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'[a]'")
                .hasMessageContaining("'[b]'");
    }

    @Test
    void partsWithOtherAxesCannotBeJoined() {
        var one = sim.put(Array.zeros(8), mesh(0, 1).replicated());
        var devices = sim.devices().subList(2, 4);
        var other = Mesh.of(devices, new Axis("replica", 2), axis("model", 1));
        var two = sim.put(Array.zeros(8), other.replicated());
        assertThatThrownBy(() -> replicas.join(List.of(one, two)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("all other axes must be equal");
        assertThatThrownBy(() -> replicas.join(List.of(one, one))).isInstanceOf(UsageError.class);
    }

    private Mesh mesh(int from, int to) {
        var devices = IntStream.range(2 * from, 2 * to).mapToObj(sim.devices()::get).toList();
        return Mesh.of(devices, axis("replica", to - from), axis("model", 2));
    }
}
