package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.checkpoint.tier.CheckpointOptions;
import org.meshbook.elastic.checkpoint.tier.Checkpointer;
import org.meshbook.elastic.checkpoint.tier.DurableTier;
import org.meshbook.elastic.checkpoint.tier.RamTier;
import org.meshbook.elastic.checkpoint.tier.RestoreReport;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Checkpoints of real workers: bytes go from their devices to files and back without the client.
@Timeout(120)
class TierWorkersTest {
    record State(Array w, Array replicated, HostArray key, long position) {}

    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir private Path folder;
    private LocalWorkers workers;
    private MeshRuntime runtime;
    private Manager manager;

    @BeforeEach
    void start() {
        workers = LocalWorkers.of(3, 2, 1, "reference");
        runtime = new MeshRuntime(workers);
        manager = new Manager(runtime);
    }

    @AfterEach
    void close() {
        manager.close();
        runtime.close();
        workers.close();
    }

    private Checkpointer checkpointer() {
        return new Checkpointer(
                manager,
                "run",
                CheckpointOptions.DEFAULT
                        .ram(RamTier.DEFAULT.in(folder.resolve("ram")))
                        .durable(DurableTier.at(folder.resolve("durable")).everySteps(10)));
    }

    private Mesh mesh(int... slices) {
        var devices =
                runtime.devices().stream()
                        .filter(d -> IntStream.of(slices).anyMatch(s -> s == d.slice()))
                        .toList();
        return Mesh.of(devices, axis("data", slices.length), axis("fsdp", 2));
    }

    private static HostArray values(ArrayType type, int seed) {
        var array = HostArray.zeros(type);
        var bytes = array.bytes();
        IntStream.range(0, bytes.limit()).forEach(i -> bytes.put(i, (byte) (i * 13 + seed)));
        return array;
    }

    private State state(Mesh mesh, int seed) {
        return new State(
                runtime.put(
                        values(ArrayType.of(DType.F32, 12, 6), seed),
                        mesh.sharding("data", "fsdp")),
                runtime.put(values(ArrayType.of(DType.I32, 5), seed + 1), mesh.replicated()),
                values(ArrayType.of(DType.I64, 2), seed),
                seed);
    }

    private static List<Object> content(State state) {
        return List.of(
                state.w().toHost(), state.replicated().toHost(), state.key(), state.position());
    }

    static final class Bytes implements HostFunction {
        @Override
        public byte[] call(Host host, byte[] arguments) {
            var bytes = host.arrays().getFirst().getFirst().data().bytes();
            var copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        }
    }

    @Test
    void aStateCutOverBothAxesComesBackAfterALossOnFewerSlices() throws InterruptedException {
        var checkpoints = checkpointer();
        var all = mesh(0, 1, 2);
        var state = state(all, 7);
        var whole = content(state);
        assertThat(checkpoints.save(9, state).await(SOON)).isTrue();
        workers.lose(1);
        var fewer = mesh(0, 2);
        var back = checkpoints.load(fewer, state(fewer, 0));
        assertThat(content(back)).isEqualTo(whole);
        assertThat(checkpoints.lastRestore()).map(RestoreReport::tier).contains(Tier.PEER);
        // All replicas are equal, not only the one that was asked for its value.
        var replicas =
                runtime.onHosts(HostCall.of(Bytes.class, fewer).with(List.of(back.replicated())))
                        .values();
        assertThat(replicas)
                .hasSize(4)
                .allSatisfy(b -> assertThat(b).isEqualTo(replicas.getFirst()));
        assertThat(checkpoints.save(11, back).await(SOON)).isTrue();
        workers.revive(1);
        assertThat(content(checkpoints.load(all, state(all, 0)))).isEqualTo(whole);
        checkpoints.close();
    }

    @Test
    void aDurableStepComesBackWhenAllDisksAreEmpty() {
        var checkpoints = checkpointer();
        var all = mesh(0, 1, 2);
        var state = state(all, 3);
        assertThat(checkpoints.save(10, state).await(SOON)).isTrue();
        var elsewhere =
                new Checkpointer(
                        manager,
                        "run",
                        CheckpointOptions.DEFAULT
                                .ram(RamTier.DEFAULT.in(folder.resolve("other")))
                                .durable(DurableTier.at(folder.resolve("durable"))));
        var one = mesh(2);
        assertThat(content(elsewhere.load(one, state(one, 0)))).isEqualTo(content(state));
        assertThat(elsewhere.lastRestore()).map(RestoreReport::tier).contains(Tier.DURABLE);
    }

    @Test
    void aHundredSavesWithABarrierBetweenDoNotHang() throws InterruptedException {
        var checkpoints = checkpointer();
        var all = mesh(0, 1, 2);
        var state = state(all, 3);
        for (int step = 1; step <= 100; step++) {
            var next = new State(state.w().add(state.w()), state.replicated(), state.key(), step);
            checkpoints.save(step, next);
            assertThat(runtime.awaitReady(List.of(next.w()), SOON)).isTrue();
        }
        checkpoints.close();
        assertThat(checkpoints.latest()).contains(100L);
    }

    @Test
    void aSaveReadsTheStateOfItsStepAlthoughTheNextStepsGoOn() {
        var checkpoints = checkpointer();
        var all = mesh(0, 1, 2);
        var state = state(all, 3);
        var whole = content(state);
        var save = checkpoints.save(10, state);
        var w = state.w();
        for (int i = 0; i < 20; i++) {
            w = w.add(w);
        }
        runtime.free(List.of(state.w(), state.replicated()), "with its step");
        assertThat(save.await(SOON)).isTrue();
        assertThat(content(checkpoints.load(all, state(all, 0)))).isEqualTo(whole);
    }
}
