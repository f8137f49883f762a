package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.meshbook.elastic.collective.Collective.allGather;
import static org.meshbook.elastic.collective.Collective.allToAll;
import static org.meshbook.elastic.collective.Collective.axisIndex;
import static org.meshbook.elastic.collective.Collective.pmean;
import static org.meshbook.elastic.collective.Collective.psum;
import static org.meshbook.elastic.collective.Collective.reduceScatter;
import static org.meshbook.elastic.collective.Collective.rotate;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.Spmd.shardMap;
import static org.meshbook.elastic.jit.Spmd.visualize;
import static org.meshbook.elastic.jit.Spmd.withSharding;
import static org.meshbook.elastic.mesh.PartitionSpec.spec;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.jit.Fn2;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.SliceLost;

/// What workers say to each other over sockets is what one process computes alone.
@Timeout(60)
class ShardMapWorkersTest {
    private final LocalWorkers workers = LocalWorkers.of(3, 1, 2, "onnx");
    private MeshRuntime runtime;
    private Mesh mesh;

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(workers);
        mesh = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
    }

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    /// Every collective, over both axes.
    private static Array device(Array w, Array x) {
        var passed = rotate(x, "replica", 1).matmul(w).tanh();
        var moved = allToAll(passed, "replica", 1, 0);
        var whole = allGather(moved, "model", 0);
        var piece = reduceScatter(whole, "model", 0);
        var place = axisIndex("replica").cast(DType.F32).add(1);
        return psum(pmean(piece.square().sum().mul(place), "replica"), "model");
    }

    @Test
    void everyCollectiveAndItsGradientCrossesWorkers() {
        var w = Array.normal(1, 4, 6);
        var x = Array.normal(2, 12, 4);
        Fn2<Array, Array, Array> loss =
                shardMap(
                        mesh,
                        List.of(spec(), spec("replica+model")),
                        List.of(spec()),
                        ShardMapWorkersTest::device);
        var wanted = valueAndGrad(loss).apply(w, x);
        var found =
                valueAndGrad(loss)
                        .apply(
                                runtime.put(w, mesh.replicated()),
                                runtime.put(x, mesh.sharding("replica+model")));
        MeshRuntimeTest.assertClose(found.value().toHost(), wanted.value().toHost());
        MeshRuntimeTest.assertClose(found.grad().toHost(), wanted.grad().toHost());
    }

    @Test
    void aConstraintMovesTheCutBetweenWorkers() {
        var x = Array.normal(3, 6, 6);
        var placed = runtime.put(x, mesh.sharding("replica", "model"));
        var moved = jit((Array a) -> withSharding(a, spec(null, "model+replica"))).apply(placed);
        assertThat(moved.toHost()).isEqualTo(x);
        assertThat(visualize(moved).rows().getFirst()).hasSize(6);
    }

    @Test
    void aPictureMarksWhatIsLostWithoutAskingADevice() {
        var placed = runtime.put(Array.normal(4, 6, 4), mesh.sharding("replica"));
        assertThat(placed.toHost()).isNotNull();
        workers.lose(1);
        await().until(() -> visualize(placed).lost().contains(1));
        assertThat(visualize(placed).toString()).contains("slice 1: 2 3, lost");
        assertThatThrownBy(placed::toHost).isInstanceOf(SliceLost.class);
    }
}
