package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.meshbook.elastic.jit.Jit.jit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;

/// The loss model: spec/elastic.md 1.1 to 1.8.
@Timeout(60)
class LossTest {
    private final LocalWorkers workers = LocalWorkers.of(3, 2);
    private MeshRuntime runtime;
    private Mesh all;
    private Mesh healthy;

    @BeforeEach
    void link() {
        runtime = new MeshRuntime(workers);
        all = LocalWorkers.mesh(runtime, List.of(0, 1, 2), "replica", "model");
        healthy = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
    }

    @AfterEach
    void end() {
        runtime.close();
        workers.close();
    }

    private Array onAll() {
        return runtime.put(Array.normal(1, 6, 4), all.sharding("replica"));
    }

    @Test
    void arrayOnALostSliceIsUnreadableAndSaysWhy() {
        var array = onAll();
        workers.lose(2);
        var lost = catchThrowableOfType(SliceLost.class, array::toHost);
        assertThat(lost.kind()).isEqualTo(LossKind.PROCESS_GONE);
        assertThat(lost.slices()).containsExactly(2);
        assertThat(lost.certain()).isTrue();
        assertThat(lost.generation()).isEqualTo(1);
        assertThat(lost)
                .hasMessageMatching(
                        "array f32\\[6,4\\] is lost with slice 2 \\(process 4711 ended by signal 9"
                                + " at \\d\\d:\\d\\d:\\d\\d\\); run the cell that made it again or"
                                + " restore a snapshot");
        assertThat(array).hasToString("f32[6,4] lost (slice 2)");
    }

    @Test
    void poisonStaysWhenTheSliceReturnsThoughNobodyLooked() {
        var array = onAll();
        workers.lose(2);
        workers.revive(2);
        awaitHealthy(2);
        assertThatThrownBy(array::toHost).isInstanceOf(SliceLost.class);
    }

    @Test
    void devicesAreThoseOfTheAllocationForEver() {
        var before = runtime.devices();
        workers.lose(2);
        awaitLost(2);
        assertThat(runtime.devices()).isEqualTo(before).hasSize(6);
    }

    @Test
    void arraysOfHealthySlicesStayReadable() {
        var value = Array.normal(1, 6, 4);
        var array = runtime.put(value, healthy.sharding("replica"));
        workers.lose(2);
        assertThat(array.toHost().bytes()).isEqualTo(value.bytes());
    }

    @Test
    void newArraysOnAReturnedSliceAreFine() {
        workers.lose(2);
        workers.revive(2);
        awaitHealthy(2);
        var value = Array.normal(1, 6, 4);
        assertThat(runtime.put(value, all.sharding("replica")).toHost().bytes())
                .isEqualTo(value.bytes());
        assertThat(jit((Array a) -> a.sum()).apply(onAll()).toHost().type().shape().rank())
                .isZero();
    }

    @Test
    void arraysBornOnALostSliceArePoisoned() {
        workers.lose(2);
        awaitLost(2);
        assertThatThrownBy(onAll()::toHost).isInstanceOf(SliceLost.class);
    }

    @Test
    void poisonPropagatesWhileDispatchSucceeds() {
        var array = onAll();
        workers.lose(2);
        awaitLost(2);
        var sum = jit((Array a) -> a.mul(2).sum()).apply(array);
        var again = jit((Array a) -> a.add(1)).apply(sum);
        assertThatThrownBy(again::toHost)
                .isInstanceOf(SliceLost.class)
                .hasMessageContaining("f32[] is lost with slice 2");
        // ... also to a mesh that the lost slice is no part of.
        var moved = runtime.put(array, healthy.sharding("replica"));
        assertThatThrownBy(moved::toHost)
                .isInstanceOf(SliceLost.class)
                .hasMessageContaining("slice 2");
    }

    @Test
    void aClosedLinkIsALossThatTheHeadExplainsLater() {
        var array = onAll();
        workers.kill(2);
        Awaitility.await().until(() -> array.toString().contains("lost"));
        var guessed = catchThrowableOfType(SliceLost.class, array::toHost);
        assertThat(guessed.kind()).isEqualTo(LossKind.LINK_CLOSED);
        workers.tellLost(2, LossKind.PROCESS_GONE, "process 1 ended by signal 9");
        Awaitility.await()
                .untilAsserted(
                        () -> {
                            var told = catchThrowableOfType(SliceLost.class, array::toHost);
                            assertThat(told.kind()).isEqualTo(LossKind.PROCESS_GONE);
                            assertThat(told).hasMessageContaining("signal 9");
                        });
    }

    @Test
    void wordOfReplacedProcessesIsNotBelieved() {
        workers.lose(2);
        workers.revive(2);
        awaitHealthy(2);
        var manager = new Manager(runtime);
        var events = new CopyOnWriteArrayList<ElasticEvent>();
        manager.onEvent(events::add);
        var array = onAll();
        workers.tellStaleLoss(2);
        workers.lose(0);
        Awaitility.await().until(() -> !events.isEmpty());
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        ElasticEvent.SliceDown.class, down -> assertThat(down.slice()).isZero());
        assertThat(manager.roster().health()).containsEntry(2, Health.HEALTHY);
        assertThat(catchThrowableOfType(SliceLost.class, array::toHost).slices())
                .containsExactly(0);
        manager.close();
    }

    @Test
    void lossDuringCollectivesFreesTheSurvivors() {
        var f = jit((Array a) -> a.matmul(a.transpose()).sum());
        Array array = runtime.put(Array.normal(1, 600, 60), all.sharding("replica"));
        var sums = new ArrayList<Array>();
        for (int i = 0; i < 20; i++) {
            sums.add(f.apply(array));
        }
        workers.lose(1);
        assertThatThrownBy(() -> sums.forEach(Array::toHost)).isInstanceOf(SliceLost.class);
        // The survivors compute on, behind whatever was waiting.
        var rest = LocalWorkers.mesh(runtime, List.of(0, 2), "replica", "model");
        var x = Array.normal(3, 4, 4);
        var got = f.apply(runtime.put(x, rest.sharding("replica")));
        MeshRuntimeTest.assertClose(got.toHost(), f.apply(x).toHost());
    }

    @Test
    void lossOfOneHostLosesTheSlice() throws InterruptedException {
        try (var two = LocalWorkers.of(2, 2, 1, "reference");
                var linked = new MeshRuntime(two)) {
            var mesh = LocalWorkers.mesh(linked, List.of(0, 1), "replica", "model");
            var array = linked.put(Array.normal(1, 4, 4), mesh.sharding("replica", "model"));
            assertThat(array.toHost().bytes()).isEqualTo(Array.normal(1, 4, 4).bytes());
            two.killHost(1, 1);
            assertThatThrownBy(array::toHost).isInstanceOf(SliceLost.class);
            assertThat(linked.probe(Set.of(0, 1), Duration.ofSeconds(5)))
                    .containsEntry(0, Health.HEALTHY)
                    .containsEntry(1, Health.UNREACHABLE);
        }
    }

    @Test
    void listenersHearOfEventsWhenTheViewShowsThem() {
        var heard = new ArrayList<String>();
        try (var _ =
                runtime.watch(
                        event -> {
                            synchronized (heard) {
                                heard.add(
                                        event.getClass().getSimpleName()
                                                + event.slice()
                                                + runtime.view().healthy());
                            }
                        })) {
            workers.lose(1);
            workers.revive(1);
            Awaitility.await()
                    .untilAsserted(
                            () -> {
                                synchronized (heard) {
                                    assertThat(heard)
                                            .containsExactly("Lost1[0, 2]", "Joined1[0, 1, 2]");
                                }
                            });
        }
        assertThat(SliceEvent.class.isSealed()).isTrue();
    }

    private void awaitHealthy(int slice) {
        awaitHealth(runtime, slice, Health.HEALTHY);
    }

    private void awaitLost(int slice) {
        awaitHealth(runtime, slice, Health.UNREACHABLE);
    }

    static void awaitHealth(MeshRuntime runtime, int slice, Health health) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(
                        () ->
                                runtime.probe(Set.of(slice), Duration.ofSeconds(5)).get(slice)
                                        == health);
    }
}
