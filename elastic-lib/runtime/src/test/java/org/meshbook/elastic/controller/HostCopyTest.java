package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Mesh;

/// Host copies on real workers are copies: nothing that happens to their sources reaches them.
@Timeout(60)
class HostCopyTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final LocalWorkers workers = LocalWorkers.of(2, 1, 2, "faulty");
    private final MeshRuntime runtime = new MeshRuntime(workers);
    private final Mesh mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");

    @AfterEach
    void end() {
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        runtime.close();
        workers.close();
    }

    @Test
    void snapshotHasTheOldBytesWhenItsSourceIsOverwritten() throws InterruptedException {
        var value = Array.normal(1, 64, 33);
        var placed = runtime.put(value, mesh.replicated());
        var copy = runtime.copyToHosts(List.of(placed));
        assertThat(copy.await(SOON)).isTrue();
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.OVERWRITES_INPUTS);
        jit((Array x) -> x.add(1)).apply(placed).toHost();
        FaultyEngine.TROUBLE.set(FaultyEngine.Trouble.NONE);
        assertThat(placed.toHost().bytes()).isNotEqualTo(value.bytes());
        assertThat(copy.readable(Set.of(0, 1))).containsExactly(0, 1);
        var loaded = copy.load(Set.of(0, 1), List.of(mesh.sharding("replica")));
        assertThat(loaded.getFirst().toHost().bytes()).isEqualTo(value.bytes());
    }

    @Test
    void sourceMayBeFreedBeforeItsCopyIsComplete() throws InterruptedException {
        var value = Array.normal(1, 500, 501);
        for (int round = 0; round < 10; round++) {
            var placed = runtime.put(value, mesh.sharding("", ""));
            var copy = runtime.copyToHosts(List.of(placed));
            runtime.free(List.of(placed), "by the next step");
            assertThat(copy.await(SOON)).isTrue();
            assertThat(copy.pending()).isEmpty();
            var loaded = copy.load(0, Set.of(round % 2), mesh.replicated());
            assertThat(loaded.toHost().bytes()).isEqualTo(value.bytes());
            copy.release();
        }
    }

    @Test
    void loadedArrayOutlivesTheCopyItCameFrom() throws InterruptedException {
        var first = Array.normal(1, 200, 200);
        var copy = runtime.copyToHosts(List.of(runtime.put(first, mesh.replicated())));
        assertThat(copy.await(SOON)).isTrue();
        var loaded = copy.load(0, Set.of(0, 1), mesh.replicated());
        copy.release();
        var second = Array.normal(2, 200, 200);
        var other = runtime.copyToHosts(List.of(runtime.put(second, mesh.replicated())));
        assertThat(other.await(SOON)).isTrue();
        assertThat(loaded.toHost().bytes()).isEqualTo(first.bytes());
    }
}
