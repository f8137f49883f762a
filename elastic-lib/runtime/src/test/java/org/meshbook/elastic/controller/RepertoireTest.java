package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.jit.Jitted;
import org.meshbook.elastic.slices.Health;

/// What is compiled when, as the size of the mesh changes.
@Timeout(60)
class RepertoireTest {
    private final LocalWorkers workers = LocalWorkers.of(4, 2);
    private final Jitted.Of2<Array, Array, Array> step =
            jit((Array w, Array x) -> w.mul(0.5).add(x.matmul(x.transpose()).sum()));
    private MeshRuntime runtime;

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(workers);
    }

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    @Test
    void sizeSeenBeforeCompilesNothingWhicheverSlicesItIsMadeOf() {
        // 1. four, then three: a program each
        run(0, 1, 2, 3);
        awaitCompiles(1);
        workers.lose(2);
        LossTest.awaitHealth(runtime, 2, Health.UNREACHABLE);
        run(0, 1, 3);
        awaitCompiles(2);
        // 2. the slice that comes compiles both beside the training, before it is needed
        workers.revive(2);
        LossTest.awaitHealth(runtime, 2, Health.HEALTHY);
        awaitCompiles(4);
        // 3. four again, then three others
        run(0, 1, 2, 3);
        workers.lose(0);
        LossTest.awaitHealth(runtime, 0, Health.UNREACHABLE);
        run(1, 2, 3);
        assertThat(compiles()).isEqualTo(4);
        assertThat(step.traces()).isEqualTo(1);
    }

    private void run(Integer... slices) {
        var mesh = LocalWorkers.mesh(runtime, List.of(slices), "replica", "model");
        var w = runtime.put(Array.scalar(1f), mesh.replicated());
        var x = runtime.put(Array.normal(1, 12, 4), mesh.sharding("replica"));
        assertThat(step.apply(w, x).toHost().type().shape().rank()).isZero();
    }

    /// A result may be here before the last worker has said that it compiled.
    private void awaitCompiles(long count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(50))
                .untilAsserted(() -> assertThat(compiles()).isEqualTo(count));
    }

    /// Programs compiled, each by all the workers that were told of it together.
    private long compiles() {
        return runtime.timeline().between(Duration.ZERO, runtime.clock().elapsed()).stream()
                .filter(span -> span.phase().equals("compile"))
                .count();
    }
}
