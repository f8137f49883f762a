package org.meshbook.elastic.controller.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.link.LoggedEvent;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.Priority;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceState;

/// A lost slice that takes the place of one with a lower priority, with real processes.
@Timeout(180)
class EvictionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Path folder = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("meshbook-evict-");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        LocalHead.at(folder).stop();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    private Session open(String name) {
        return Session.open(SessionOptions.named(name).withFolder(folder));
    }

    private static ProvisionRequest request(String priority) {
        return ProvisionRequest.of(1)
                .withPriority(Priority.of(priority))
                .withNotice(PATIENCE)
                .withRestartDelay(Duration.ofHours(1))
                .withHeartbeat(Duration.ofSeconds(10))
                .force();
    }

    @Test
    void lostSliceTakesThePlaceOfOneWithALowerPriorityWhichComesBackAfterIt() throws Exception {
        try (var low = open("low")) {
            var lowRuntime = low.provision(request("low").withSuspend(true));
            var lowEvents = events(lowRuntime);
            var kept = lowRuntime.put(Array.normal(1, 8, 8), mesh(lowRuntime).replicated());
            try (var high = open("high")) {
                var runtime = high.provision(request("2000"));
                var events = events(runtime);
                var old = runtime.put(Array.scalar(7f), mesh(runtime).replicated());
                assertThat(old.item()).isEqualTo(7);

                kill(high);

                // 1. the victim gets a notice, and is suspended, as it asked to be
                assertThat(next(events)).isInstanceOf(SliceEvent.Lost.class);
                var draining = (SliceEvent.Draining) next(lowEvents);
                assertThat(draining.cause())
                        .isEqualTo(
                                "it makes room for slice 0 of session %s (priority 2000)"
                                        .formatted(high.id()));
                assertThat(next(lowEvents)).isInstanceOf(SliceEvent.Suspended.class);
                // 2. its place has the index of the lost one; what lay there stays lost
                var joined = (SliceEvent.Joined) next(events);
                assertThat(joined.slice()).isZero();
                assertThat(joined.instead())
                        .isEqualTo("slice 0 of session %s (priority low)".formatted(low.id()));
                assertThatThrownBy(old::item).hasMessageContaining("signal 9");
                assertThat(runtime.put(Array.scalar(8f), mesh(runtime).replicated()).item())
                        .isEqualTo(8);
                assertThat(low.membership().now().view().slices().getFirst().state())
                        .isEqualTo(SliceState.SUSPENDED);
            }
            // 3. it is back once the place is free, and lost nothing
            assertThat(next(lowEvents)).isInstanceOf(SliceEvent.Resumed.class);
            assertThat(kept.toHost()).isEqualTo(Array.normal(1, 8, 8));
        }
    }

    @Test
    void victimThatIsNotSuspendedLeaves() throws Exception {
        try (var low = open("low");
                var high = open("high")) {
            var lowRuntime = low.provision(request("very-low"));
            var lowEvents = events(lowRuntime);
            var events = events(high.provision(request("medium")));
            kill(high);
            assertThat(next(lowEvents)).isInstanceOf(SliceEvent.Leaving.class);
            lowRuntime.letGo(Set.of(0));
            assertThat(((SliceEvent.Lost) next(lowEvents)).kind()).isEqualTo(LossKind.ANNOUNCED);
            assertThat(next(events)).isInstanceOf(SliceEvent.Lost.class);
            assertThat(((SliceEvent.Joined) next(events)).swapped()).isTrue();
        }
    }

    @Test
    void nobodyMakesRoomForAnEqualPriorityOrForWhoIsBackSooner() throws Exception {
        try (var first = open("first");
                var second = open("second");
                var third = open("third")) {
            first.provision(request("medium"));
            second.provision(request("medium"));
            var events = events(third.provision(request("high").withRestartDelay(Duration.ZERO)));
            kill(second);
            await().atMost(PATIENCE).until(() -> state(second) == SliceState.LOST);
            kill(third);
            assertThat(next(events)).isInstanceOf(SliceEvent.Lost.class);
            assertThat(((SliceEvent.Joined) next(events)).swapped()).isFalse();
            assertThat(state(first)).isEqualTo(SliceState.HEALTHY);
            assertThat(first.events(100))
                    .extracting(LoggedEvent::kind)
                    .doesNotContain("evicted", "leaving");
        }
    }

    @Test
    void prioritiesHaveNamesAndValues() {
        assertThat(Priority.of("very-high")).isGreaterThan(Priority.of("high"));
        assertThat(Priority.of("2000")).hasToString("2000");
        assertThat(Priority.MEDIUM).hasToString("medium");
        assertThatThrownBy(() -> Priority.of("hihg"))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "'hihg' is no priority; give a whole number, or one of very-low, low,"
                                + " medium, high, very-high");
    }

    private static SliceState state(Session session) {
        return session.membership().now().view().slices().getFirst().state();
    }

    private static Mesh mesh(MeshRuntime runtime) {
        return Mesh.of(runtime.devices(), Axis.axis("replica", 1));
    }

    private static BlockingQueue<SliceEvent> events(MeshRuntime runtime) {
        var events = new LinkedBlockingQueue<SliceEvent>();
        runtime.watch(events::add);
        return events;
    }

    private static SliceEvent next(BlockingQueue<SliceEvent> events) throws InterruptedException {
        var event = events.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    private static void kill(Session session) throws IOException, InterruptedException {
        var hosts = session.membership().now().view().slices().getFirst().hosts();
        long pid = List.copyOf(hosts).getFirst().pid();
        assertThat(pid).isPositive();
        assertThat(new ProcessBuilder("kill", "-KILL", Long.toString(pid)).start().waitFor())
                .isZero();
    }
}
