package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.checkpoint.Snapshot;
import org.meshbook.elastic.checkpoint.SnapshotOptions;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.manager.Manager;

/// Saves back to back on real workers, beside runs that reduce over all devices.
@Timeout(120)
class SnapshotStressTest {
    record State(Array w, long step) {}

    private static final Duration SOON = Duration.ofSeconds(30);

    private final LocalWorkers workers = LocalWorkers.of(2, 2);
    private final MeshRuntime runtime = new MeshRuntime(workers);

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    @Test
    void fiveHundredSavesWithABarrierBetweenEnd() {
        var manager = new Manager(runtime);
        var snapshots = new Snapshotter(manager);
        var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
        var step = jit((Array w) -> w.add(w.sum().mul(0)).add(1));
        var w = runtime.put(Array.zeros(64, 64), mesh.sharding("", "model"));
        for (int k = 1; k <= 500; k++) {
            w = step.apply(w);
            snapshots.save(k, new State(w, k));
            if (k % 5 == 0) {
                assertThat(w.toHost().get(0)).isEqualTo(k);
            }
        }
        // Who waits for whom is in the message of a failure.
        assertThat(snapshots.join(SOON)).as(snapshots::toString).isTrue();
        var stats = snapshots.stats();
        assertThat(stats.failed()).isZero();
        assertThat(stats.completed() + stats.skipped()).isEqualTo(500);
        var latest = snapshots.latest().map(Snapshot::step).orElseThrow();
        var back = snapshots.load(mesh, new State(w, 0));
        assertThat(back.step()).isEqualTo(latest);
        assertThat(back.w().toHost().get(0)).isEqualTo(latest.floatValue());
        manager.close();
    }

    @Test
    void differenceIsComputedByTheWorkers() {
        var manager = new Manager(runtime);
        var snapshots = new Snapshotter(manager, SnapshotOptions.DEFAULT.keep(2));
        var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
        for (int k = 1; k <= 2; k++) {
            var w = Array.of(new float[][] {{k, 0}, {0, 3 * k}});
            snapshots.save(k, new State(runtime.put(w, mesh.sharding("", "model")), k));
            snapshots.join();
        }
        var whole = snapshots.diff(1, 2);
        assertThat(whole.leaves().getFirst().max()).isEqualTo(3);
        assertThat(whole.norm()).isEqualTo(Math.sqrt(10), within(1e-6));
        workers.lose(0);
        assertThat(snapshots.diff(1, 2).leaves()).isEqualTo(whole.leaves());
        manager.close();
    }
}
