package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;

@Timeout(60)
class MeshRuntimeTest {
    private final LocalWorkers workers = LocalWorkers.of(3, 2);
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

    @Test
    void valueComesBackAsItWentOut() {
        var value = Array.normal(1, 12, 4);
        for (var dims :
                List.of(
                        List.of(""),
                        List.of("replica"),
                        List.of("", "model"),
                        List.of("model", ""),
                        List.of("replica+model"),
                        List.of("replica", "model"))) {
            var placed = runtime.put(value, mesh.sharding(dims.toArray(String[]::new)));
            assertThat(placed.toHost().bytes()).as("%s", dims).isEqualTo(value.bytes());
        }
    }

    @Test
    void failedCellPinsNothing() {
        var before = runtime.arrayBytes();
        assertThatThrownBy(this::failing).hasMessage("as asked");

        await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> {
                            System.gc();
                            return runtime.arrayBytes() == before;
                        });
        assertThat(runtime.arrays()).isZero();
    }

    private void failing() {
        var first = runtime.put(Array.normal(1, 12, 64), mesh.sharding("replica", "model"));
        var second = jit((Array a) -> a.mul(2)).apply(first);
        assertThat(runtime.arrayBytes()).isEqualTo(2 * 12 * 64 * 4);
        throw new IllegalStateException("as asked", new IllegalStateException(second.toString()));
    }

    @Test
    void arrayLargerThanAChunkComesBack() {
        var value = Array.normal(2, 3, 700_001);
        for (var sharding : List.of(mesh.replicated(), mesh.sharding("replica"))) {
            assertThat(runtime.put(value, sharding).toHost().bytes()).isEqualTo(value.bytes());
        }
    }

    @Test
    void scalarAndEmptyArraysTravel() {
        assertThat(runtime.put(Array.scalar(3f), mesh.replicated()).item()).isEqualTo(3);
        var empty = Array.zeros(0, 5);
        assertThat(runtime.put(empty, mesh.replicated()).toHost().type()).isEqualTo(empty.type());
    }

    @Test
    void programRunsOnShards() {
        var x = Array.normal(3, 12, 4);
        var w = Array.normal(4, 4, 6);
        var f = jit((Array a, Array b) -> a.matmul(b).tanh().sum(0));
        var expected = f.apply(x, w).toHost();
        var got =
                f.apply(
                        runtime.put(x, mesh.sharding("replica")),
                        runtime.put(w, mesh.sharding("", "model")));
        assertClose(got.toHost(), expected);
    }

    @Test
    void textNeedsNoDevice() {
        var replicated = runtime.put(Array.zeros(64, 128), mesh.replicated());
        assertThat(replicated).hasToString("f32[64,128] on Mesh(replica=3, model=2), replicated");
        var cut = runtime.put(Array.zeros(6, 128), mesh.sharding("replica"));
        assertThat(cut).hasToString("f32[6,128] on Mesh(replica=3, model=2), cut (replica)");
    }

    @Test
    void scopeFreesWhatItDidNotKeep() {
        var outside = runtime.put(Array.scalar(1f), mesh.replicated());
        var scope = runtime.openScope("attempt 3");
        var inside = runtime.put(Array.scalar(2f), mesh.replicated());
        var kept = runtime.put(Array.scalar(3f), mesh.replicated());
        scope.keep(kept);
        scope.close();
        assertThat(outside.item()).isEqualTo(1);
        assertThat(kept.item()).isEqualTo(3);
        assertThatThrownBy(inside::toHost)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("attempt 3")
                .hasMessageContaining("f32[]");
        assertThatThrownBy(() -> jit((Array a) -> a.add(1)).apply(inside))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("attempt 3");
        assertThat(inside.toString()).contains("freed");
    }

    @Test
    void scopeThatIsLeftFreesNothing() {
        var scope = runtime.openScope("attempt 1");
        var inside = runtime.put(Array.scalar(2f), mesh.replicated());
        scope.leave();
        scope.close();
        assertThat(inside.item()).isEqualTo(2);
    }

    @Test
    void probeFindsAllHealthy() throws InterruptedException {
        assertThat(runtime.probe(Set.of(0, 1, 2), Duration.ofSeconds(5)))
                .containsOnlyKeys(0, 1, 2)
                .allSatisfy((slice, health) -> assertThat(health).isEqualTo(Health.HEALTHY));
    }

    @Test
    void whatDoesNotDivideIsRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> runtime.put(Array.zeros(10, 2), mesh.sharding("replica")))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("10 rows");
    }

    @Test
    void hostArrayIsNoPlacedArray() {
        assertThatThrownBy(() -> runtime.shardingOf(Array.scalar(1f)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("put it on a mesh");
    }

    @Test
    void readyArraysNeedNoCopy() throws InterruptedException {
        var placed = runtime.put(Array.normal(1, 8, 8), mesh.replicated());
        var sum = jit((Array a) -> a.sum()).apply(placed);
        assertThat(runtime.awaitReady(List.of(placed, sum), Duration.ofSeconds(20))).isTrue();
    }

    static void assertClose(HostArray got, HostArray expected) {
        assertThat(got.type()).isEqualTo(expected.type());
        for (int i = 0; i < expected.type().shape().size(); i++) {
            double scale = Math.max(1, Math.abs(expected.get(i)));
            assertThat(Math.abs(got.get(i) - expected.get(i)) / scale)
                    .as("element %d: %s and %s", i, got.get(i), expected.get(i))
                    .isLessThan(1e-5);
        }
    }
}
