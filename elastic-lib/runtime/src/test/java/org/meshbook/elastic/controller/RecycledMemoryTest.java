package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.HostCopy;

/// A loop that frees the state it replaces, on real workers: memory that is used again must not
/// reach those who still read what it held.
@Timeout(60)
class RecycledMemoryTest {
    private static final int STEPS = 40;

    private final LocalWorkers workers = LocalWorkers.of(2, 1, 2, "onnx");
    private final MeshRuntime runtime = new MeshRuntime(workers);
    private final Mesh mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    @Test
    void stepsSnapshotsAndMovesSeeTheirOwnValues() throws InterruptedException {
        var step = jit((Array x, Array rows) -> x.mul(0.9).add(rows.mean(0)));
        var same = jit((Array x, Array y) -> x.add(y.mul(0)));
        var rows = Array.normal(1, 4, 64, 32);
        var cut = runtime.put(rows, mesh.sharding("replica"));
        Array expected = Array.normal(2, 64, 32);
        Array state = runtime.put(expected, mesh.replicated());
        var all = new ArrayList<Array>();
        var copies = new ArrayList<HostCopy>();
        var moved = new ArrayList<Array>();
        for (int i = 0; i < STEPS; i++) {
            var next = step.apply(state, cut);
            all.add(expected);
            copies.add(runtime.copyToHosts(List.of(state)));
            moved.add(runtime.put(state, mesh.sharding("", "model")));
            // An input that is a result as well, and one that is read only.
            var again = same.apply(next, state);
            runtime.free(List.of(state, next), "by the next step");
            state = again;
            expected = expected.mul(0.9).add(rows.mean(0));
        }
        assertClose(state, expected);
        for (int i = 0; i < STEPS; i++) {
            assertThat(copies.get(i).await(Duration.ofSeconds(20))).isTrue();
            assertClose(copies.get(i).load(0, Set.of(i % 2), mesh.replicated()), all.get(i));
            assertClose(moved.get(i), all.get(i));
        }
    }

    @Test
    void whatWasFreedSaysSo() {
        var state = runtime.put(Array.ones(3), mesh.replicated());
        runtime.free(List.of(state), "by free(...)");
        assertThatThrownBy(() -> state.add(1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("was freed by free(...)");
    }

    private static void assertClose(Array found, Array expected) {
        assertThat(found.toHost().floats())
                .containsExactly(expected.toHost().floats(), within(1e-4f));
    }
}
