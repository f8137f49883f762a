package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.axis.AxisSplit;

/// Splitting and joining along a mesh axis on real workers.
@Timeout(60)
class AliasTest {
    private final LocalWorkers workers = LocalWorkers.of(3, 2);
    private final MeshRuntime runtime = new MeshRuntime(workers);
    private final AxisSplit replicas = AxisSplit.along(runtime, "replica");

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    @Test
    void splitAndJoinedArraysHaveTheBytesOfTheWhole() {
        var mesh = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
        var value = Array.normal(1, 12, 4);
        for (var sharding :
                List.of(
                        mesh.sharding("replica", "model"),
                        mesh.sharding("replica+model"),
                        mesh.sharding("", "model"),
                        mesh.replicated())) {
            var whole = runtime.put(value, sharding);
            var parts = replicas.of(whole);
            boolean cut = !sharding.replicatedAlong("replica");
            for (int i = 0; i < 3; i++) {
                var expected = cut ? value.slice(0, 4 * i, 4 * i + 4) : value;
                assertThat(parts.get(i).toHost().bytes()).isEqualTo(expected.toHost().bytes());
            }
            assertThat(replicas.join(parts).toHost().bytes()).isEqualTo(value.bytes());
        }
    }

    @Test
    void partsOnLiveSlicesAreReadableAfterALoss() {
        var mesh = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
        var value = Array.normal(1, 12, 4);
        var whole = runtime.put(value, mesh.sharding("", "model"));
        whole.toHost();
        workers.lose(1);
        assertThatThrownBy(whole::toHost).isInstanceOf(SliceLost.class);
        var parts = replicas.of(whole);
        assertThatThrownBy(parts.get(1)::toHost).isInstanceOf(SliceLost.class);
        var joined = replicas.join(List.of(parts.get(0), parts.get(2)));
        assertThat(joined.toHost().bytes()).isEqualTo(value.bytes());
        assertThatThrownBy(() -> parts.getFirst().toHost())
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("freed when it was joined along 'replica'");
    }

    @Test
    void everyReplicaHoldsTheSameBytesAfterALoad() throws InterruptedException {
        var mesh = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
        var value = Array.normal(1, 12, 4);
        var copy = runtime.copyToHosts(List.of(runtime.put(value, mesh.sharding("", "model"))));
        assertThat(copy.await(Duration.ofSeconds(20))).isTrue();
        workers.lose(0);
        var rest = LocalWorkers.mesh(runtime, List.of(1, 2), "replica", "model");
        var loaded = copy.load(0, Set.of(1, 2), rest.sharding("", "model"));
        for (var part : replicas.of(loaded)) {
            assertThat(part.toHost().bytes()).isEqualTo(value.bytes());
        }
    }
}
