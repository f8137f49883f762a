package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.SliceLost;

/// Arrays move from worker to worker, and from host copies back to devices, and are what they were.
@Timeout(120)
class MoveTest {
    private final LocalWorkers workers = LocalWorkers.of(4, 2);
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
    void anyReshardingEqualsTheHostValue() {
        var random = new Random(7);
        for (int round = 0; round < 40; round++) {
            var value = value(random);
            var placed = runtime.put(value, sharding(random));
            for (int hop = 0; hop < 3; hop++) {
                var target = sharding(random);
                var moved = runtime.put(placed, target);
                assertThat(moved.toHost().bytes())
                        .as("round %d: %s to %s", round, runtime.shardingOf(placed), target)
                        .isEqualTo(value.bytes());
                placed = moved;
            }
        }
    }

    private static HostArray value(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Array.normal(random.nextLong(), 24, 48);
            case 1 -> Array.normal(random.nextLong(), 24, 24, 12);
            case 2 -> Array.iota(DType.I64, 24 * 24).reshape(24, 24).toHost();
            default -> Array.uniform(random.nextLong(), 24, 24).gt(0.5).toHost();
        };
    }

    private Sharding sharding(Random random) {
        var slices = new ArrayList<>(List.of(0, 1, 2, 3));
        java.util.Collections.shuffle(slices, random);
        var chosen = slices.subList(0, 1 + random.nextInt(4));
        var devices = new ArrayList<>(runtime.devices());
        devices.removeIf(device -> !chosen.contains(device.slice()));
        if (random.nextBoolean()) {
            java.util.Collections.shuffle(devices, random);
        }
        var mesh = Mesh.of(devices, Axis.axis("replica", chosen.size()), Axis.axis("model", 2));
        var choices =
                List.of(
                        new String[] {},
                        new String[] {"replica"},
                        new String[] {"model"},
                        new String[] {"", "model"},
                        new String[] {"replica", "model"},
                        new String[] {"model+replica"},
                        new String[] {"", "replica+model"});
        return mesh.sharding(choices.get(random.nextInt(choices.size())));
    }

    @Test
    void growthBringsTheStateToTheNewSlice() throws InterruptedException {
        workers.lose(3);
        LossTest.awaitHealth(runtime, 3, Health.UNREACHABLE);
        var three = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
        var value = Array.normal(5, 100, 40);
        var array = runtime.put(value, three.sharding("", "model"));
        workers.revive(3);
        LossTest.awaitHealth(runtime, 3, Health.HEALTHY);
        var four = LocalWorkers.mesh(runtime, List.of(0, 1, 2, 3), "replica", "model");
        var grown = runtime.put(array, four.sharding("", "model"));
        assertThat(runtime.awaitReady(List.of(grown), Duration.ofSeconds(20))).isTrue();
        assertThat(grown.toHost().bytes()).isEqualTo(value.bytes());
        // The old one is good until it is dropped.
        assertThat(array.toHost().bytes()).isEqualTo(value.bytes());
    }

    @Test
    void hostCopyOutlivesItsArraysAndItsSlice() throws InterruptedException {
        var four = LocalWorkers.mesh(runtime, List.of(0, 1, 2, 3), "replica", "model");
        var w = Array.normal(5, 100, 40);
        var b = Array.normal(6, 40);
        var scope = runtime.openScope("attempt 1");
        var arrays =
                List.of(
                        runtime.put(w, four.sharding("", "model")),
                        runtime.put(b, four.replicated()));
        var copy = runtime.copyToHosts(arrays);
        scope.close();
        assertThat(copy.await(Duration.ofSeconds(20))).isTrue();
        assertThat(copy.bytes()).isEqualTo(4 * (w.type().bytes() + b.type().bytes()));

        workers.lose(2);
        assertThat(copy.readable(Set.of(0, 1, 2, 3))).containsExactlyInAnyOrder(0, 1, 3);
        var three = LocalWorkers.mesh(runtime, List.of(0, 1, 3), "replica", "model");
        check(
                copy.load(
                        Set.of(0, 1, 3), List.of(three.sharding("", "model"), three.replicated())),
                w,
                b);

        // A slice without a copy of its own gets it from a survivor; also cut another way.
        workers.revive(2);
        LossTest.awaitHealth(runtime, 2, Health.HEALTHY);
        check(
                copy.load(Set.of(1), List.of(four.sharding("replica"), four.sharding("model"))),
                w,
                b);
        assertThat(copy.readable(Set.of(2))).isEmpty();

        copy.release();
        copy.release();
        assertThatThrownBy(() -> copy.readable(Set.of(0))).isInstanceOf(UsageError.class);
    }

    private static void check(List<Array> loaded, HostArray... expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(loaded.get(i).toHost().bytes()).isEqualTo(expected[i].bytes());
        }
    }

    @Test
    void survivorsThatDoNotHoldAllAreRefused() throws InterruptedException {
        var four = LocalWorkers.mesh(runtime, List.of(0, 1, 2, 3), "replica", "model");
        var cut = runtime.put(Array.normal(5, 8, 4), four.sharding("replica"));
        var copy = runtime.copyToHosts(List.of(cut));
        assertThat(copy.await(Duration.ofSeconds(20))).isTrue();
        assertThatThrownBy(() -> copy.load(Set.of(0, 1), List.of(four.replicated())))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("together hold all");
    }

    @Test
    void copyOfALostArrayFails() {
        var four = LocalWorkers.mesh(runtime, List.of(0, 1, 2, 3), "replica", "model");
        var array = runtime.put(Array.normal(5, 8, 4), four.replicated());
        workers.lose(0);
        LossTest.awaitHealth(runtime, 0, Health.UNREACHABLE);
        var copy = runtime.copyToHosts(List.of(array));
        assertThatThrownBy(() -> copy.await(Duration.ofSeconds(20)))
                .isInstanceOf(SliceLost.class)
                .hasMessageContaining("slice 0");
    }

    @Test
    void loadFromALostSurvivorFailsAtOnce() throws InterruptedException {
        var four = LocalWorkers.mesh(runtime, List.of(0, 1, 2, 3), "replica", "model");
        var copy = runtime.copyToHosts(List.of(runtime.put(Array.normal(5, 8), four.replicated())));
        assertThat(copy.await(Duration.ofSeconds(20))).isTrue();
        workers.lose(1);
        LossTest.awaitHealth(runtime, 1, Health.UNREACHABLE);
        var rest = LocalWorkers.mesh(runtime, List.of(0, 2), "replica", "model");
        assertThatThrownBy(() -> copy.load(Set.of(0, 1), List.of(rest.replicated())))
                .isInstanceOf(SliceLost.class)
                .hasMessageContaining("slice 1");
        check(copy.load(Set.of(3), List.of(rest.replicated())), Array.normal(5, 8));
    }
}
