package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.mesh.Axis.axis;
import static org.meshbook.elastic.slices.Placement.put;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.data.Batches;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Recovery;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.CurrentSlices;

/// The loop of the first notebook over real workers: loss, shrink, return, growth.
@Timeout(120)
class ElasticTrainingTest {
    record State(Array w, long step, long position) {}

    private static final int STEPS = 60;

    private final LocalWorkers workers = LocalWorkers.of(4, 2);
    private final Batches<HostArray> batches =
            Batches.of(Array.iota(DType.F32, 96), 24).shuffled(7);
    private final List<ElasticEvent> events = new CopyOnWriteArrayList<>();
    private MeshRuntime runtime;

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(workers);
        CurrentSlices.set(Optional.of(runtime));
    }

    @AfterEach
    void end() {
        CurrentSlices.set(Optional.empty());
        runtime.close();
        workers.close();
    }

    @Test
    void lossAndReturnInTheMiddleOfTrainingChangeNoResult() {
        var manager = new Manager(runtime);
        manager.onEvent(events::add);
        var snapshots = new Snapshotter(manager);
        var step = jit((Array w, Array x) -> w.mul(0.5).add(x.sum()));
        var sizes = new ArrayList<Integer>();
        var last =
                manager.elasticRetry(
                        Retry.atLeast(2),
                        attempt -> {
                            var mesh =
                                    Mesh.of(
                                            manager.activeDevices(),
                                            axis("replica", manager.activeSliceCount()),
                                            axis("model", 2));
                            State state =
                                    snapshots.restoreLatestOr(
                                            mesh, fresh -> put(start(), fresh.replicated()));
                            while (state.step() < STEPS) {
                                var batch =
                                        put(batches.at(state.position()), mesh.sharding("replica"));
                                state =
                                        new State(
                                                step.apply(state.w(), batch),
                                                state.step() + 1,
                                                batches.next(state.position()));
                                state.w().toHost();
                                sizes.add(mesh.size("replica"));
                                disturb(attempt.number(), state.step(), manager);
                                if (state.step() % 10 == 0) {
                                    snapshots.save(state.step(), state);
                                    snapshots.join();
                                }
                                attempt.completed(state.step());
                                var grown = manager.growIfAvailable(mesh, state);
                                mesh = grown.mesh();
                                state = grown.state();
                            }
                            return state;
                        });
        assertThat(last.w().item()).isEqualTo(expected());
        assertThat(sizes).contains(4, 3).last().isEqualTo(4);
        assertThat(manager.recoveries().all())
                .extracting(Recovery::growth)
                .containsExactly(false, true);
        var loss = manager.recoveries().all().getFirst();
        assertThat(loss.slices()).containsExactly(2);
        assertThat(loss.phase(Recovery.Phase.RESTORE)).isPositive();
        assertThat(events).anyMatch(ElasticEvent.Grew.class::isInstance);
        manager.close();
    }

    /// Kills a slice after step 25 of the first attempt, and brings it back after step 35 of the
    /// second; then waits until it can be grown onto.
    private void disturb(int attempt, long step, Manager manager) {
        if (attempt == 1 && step == 25) {
            workers.lose(2);
        }
        if (attempt == 2 && step == 35) {
            workers.revive(2);
            try {
                assertThat(
                                runtime.clock()
                                        .await(
                                                Duration.ofSeconds(30),
                                                () -> !manager.availableInactiveSlices().isEmpty()))
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static State start() {
        return new State(Array.scalar(1f), 0, 0);
    }

    private double expected() {
        float w = 1;
        long position = 0;
        for (int i = 0; i < STEPS; i++) {
            float sum = 0;
            var batch = batches.at(position);
            for (int row = 0; row < 24; row++) {
                sum += (float) batch.get(row);
            }
            w = w * 0.5f + sum;
            position = batches.next(position);
        }
        return w;
    }
}
