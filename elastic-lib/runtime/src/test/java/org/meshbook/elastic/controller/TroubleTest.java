package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.Owners;

/// What goes wrong on a device without the loss of a slice.
@Timeout(60)
class TroubleTest {
    private final LocalWorkers workers = LocalWorkers.of(2, 1, 2, "faulty");
    private MeshRuntime runtime;
    private Mesh mesh;

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(workers);
        mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
    }

    @AfterEach
    void end() {
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        runtime.close();
        workers.close();
    }

    @Test
    void wrongValueIsSuspectedCorruption() throws InterruptedException {
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.WRONG_VALUES);
        assertThat(runtime.probe(Set.of(0, 1), Duration.ofSeconds(10)))
                .containsEntry(0, Health.SUSPECT_SDC)
                .containsEntry(1, Health.SUSPECT_SDC);
    }

    @Test
    void longStepIsNoHang() throws InterruptedException {
        var f = jit((Array a) -> a.mul(a).sum());
        var x = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.SLOW);
        var slow = f.apply(x);
        assertThat(runtime.probe(Set.of(0, 1), Duration.ofSeconds(20)))
                .containsEntry(0, Health.HEALTHY)
                .containsEntry(1, Health.HEALTHY);
        assertThat(runtime.awaitRuns(Duration.ZERO)).isFalse();
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        assertThat(slow.toHost().get(0)).isPositive();
    }

    @Test
    void failureWhoseTextSaysInternalIsNotRetried() {
        var manager = new Manager(runtime);
        var f = jit((Array a) -> a.mul(a).sum());
        var attempts = new AtomicInteger();
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        assertThatThrownBy(
                        () ->
                                manager.elasticRetry(
                                        Retry.atLeast(1),
                                        attempt -> {
                                            attempts.incrementAndGet();
                                            var x =
                                                    runtime.put(
                                                            Array.normal(1, 4, 4),
                                                            mesh.sharding("replica"));
                                            FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.FAILS);
                                            return f.apply(x).toHost();
                                        }))
                .isInstanceOf(RunFailed.class)
                .hasMessageContaining("INTERNAL");
        assertThat(attempts).hasValue(1);
        manager.close();
    }

    @Test
    void failureOfAnEngineIsNoLossAndPassesOn() {
        var f = jit((Array a) -> a.mul(a).sum());
        var x = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.FAILS);
        var bad = f.apply(x);
        var worse = jit((Array a) -> a.add(1)).apply(bad);
        assertThatThrownBy(bad::toHost)
                .isInstanceOf(RunFailed.class)
                .hasMessageContaining("unit 3 is on fire")
                .hasMessageContaining("device");
        assertThatThrownBy(worse::toHost)
                .isInstanceOf(RunFailed.class)
                .hasMessageContaining("on fire");
        assertThat(bad.toString()).contains("failed (run of");
        // The workers have survived, and so have the inputs.
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        assertThat(f.apply(x).toHost().get(0)).isPositive();
    }

    @Test
    void wantOfMemoryIsReportedAndSurvived() {
        var f = jit((Array a) -> a.mul(a).sum());
        var x = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NO_MEMORY);
        assertThatThrownBy(f.apply(x)::toHost)
                .isInstanceOf(RunFailed.class)
                .hasMessageContaining("out of memory in run of");
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        assertThat(f.apply(x).toHost().get(0)).isPositive();
    }

    @Test
    void wantOfMemoryListsTheLargestArraysWithTheirOwners() {
        var cell = new AtomicReference<>("cell 3");
        Owners.set(cell::get);
        try {
            var large = runtime.put(Array.zeros(1024, 512), mesh.replicated());
            cell.set("cell 4");
            try (var _ = runtime.openScope("attempt 2")) {
                var x = runtime.put(Array.normal(1, 64, 64), mesh.sharding("replica"));
                FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NO_MEMORY);
                var f = jit((Array a) -> a.mul(a).sum());
                assertThatThrownBy(f.apply(x)::toHost)
                        .isInstanceOf(RunFailed.class)
                        .hasMessageContaining("out of memory in run of")
                        .hasMessageContaining(
                                "; the largest of 3 arrays: %d MiB array f32[1024,512] of cell 3, "
                                        .formatted(2 * mesh.devices().size()))
                        .hasMessageContaining("array f32[64,64] of cell 4, attempt 2")
                        .hasMessageNotContaining("\n");
            }
            assertThat(large.type().bytes()).isEqualTo(2 << 20);
        } finally {
            Owners.set(() -> "");
            FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        }
    }
}
