package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.SliceLost;

/// What an error says of an array that is lost: its path, the step, the slice and the cause.
@Timeout(60)
class PoisonTest {
    record Params(Array w1, Array w2) {}

    record State(Params params, Array loss) {}

    private final LocalWorkers workers = LocalWorkers.of(3, 1);
    private final Jitted.Of1<Params, State> step =
            jit((Params p) -> new State(new Params(p.w1.mul(0.5), p.w2.add(p.w1)), p.w1.sum()));
    private MeshRuntime runtime;
    private Mesh all;

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(workers);
        all = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
    }

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    @Test
    void lostArraySaysItsPathTheStepTheSliceAndTheCause() throws InterruptedException {
        var state = stateAfter(129);
        workers.lose(2);
        assertThatThrownBy(state.params().w1()::toHost)
                .isInstanceOf(SliceLost.class)
                .hasMessageMatching(
                        "array 'params.w1' f32\\[6,4\\] is lost because of step 130 on slice 2"
                                + " \\(process 4711 ended by signal 9 at [0-9:]{8}\\);"
                                + " run the cell .*");
        assertThat(state.loss()).hasToString("f32[] lost (slice 2, step 130)");
    }

    @Test
    void whatIsComputedFromItNamesTheStepThatWasLostNotItsOwn() throws InterruptedException {
        var state = stateAfter(129);
        workers.lose(2);
        Awaitility.await()
                .atMost(Duration.ofSeconds(50))
                .until(() -> state.loss().toString().contains("lost"));
        runtime.reached(200);
        var later = step.apply(state.params());
        assertThatThrownBy(later.params().w2()::toHost)
                .hasMessageContaining(
                        "'params.w2' f32[6,4] is lost because of step 130 on slice 2");
        // ... also when the slice is back, on another mesh, and lost again
        workers.revive(2);
        LossTest.awaitHealth(runtime, 2, Health.HEALTHY);
        var two = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
        var moved = runtime.put(later.params().w1(), two.replicated());
        workers.lose(2);
        LossTest.awaitHealth(runtime, 2, Health.UNREACHABLE);
        assertThatThrownBy(moved::toHost)
                .hasMessageContaining(
                        "'params.w1' f32[6,4] is lost because of step 130 on slice 2");
    }

    @Test
    void restoredArraysKeepTheirPaths() throws InterruptedException {
        var state = stateAfter(3);
        var copy = runtime.copyToHosts(List.of(state.params().w2()));
        assertThat(copy.await(Duration.ofSeconds(30))).isTrue();
        var loaded = copy.load(java.util.Set.of(0, 1, 2), List.of(all.replicated())).getFirst();
        runtime.reached(7);
        workers.lose(0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(50))
                .until(() -> loaded.toString().contains("lost"));
        assertThatThrownBy(loaded::toHost)
                .hasMessageContaining("'params.w2' f32[6,4] is lost because of step 8 on slice 0");
    }

    private State stateAfter(long completed) throws InterruptedException {
        runtime.reached(completed - 1);
        var start =
                new Params(
                        runtime.put(Array.normal(1, 6, 4), all.replicated()),
                        runtime.put(Array.normal(2, 6, 4), all.replicated()));
        var state = step.apply(start);
        // one device's value says nothing of the others: a loss before they are done is this step's
        assertThat(runtime.awaitRuns(Duration.ofSeconds(30))).isTrue();
        runtime.reached(completed);
        return step.apply(state.params());
    }
}
