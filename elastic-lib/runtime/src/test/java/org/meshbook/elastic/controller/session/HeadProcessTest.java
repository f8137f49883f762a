package org.meshbook.elastic.controller.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.controller.link.HeadUnavailable;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.link.LoggedEvent;
import org.meshbook.elastic.controller.link.StatusReport;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.SliceState;

/// A head and workers that are real processes, through losses and ends of all kinds.
@Timeout(120)
@Tag("chaos")
final class HeadProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Path folder = Path.of("");
    private final Set<Long> pids = new HashSet<>();

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("meshbook-test-");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        heads().stop();
        assertThat(pids).allMatch(HeadProcessTest::isGone);
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    @Test
    void killingOneHostLosesTheWholeSliceWhichReturnsAsTheNextGeneration() throws Exception {
        try (var session = open()) {
            session.provision(request(2).withHosts(2).withDevices(2));
            var events = events(session);
            var before = hosts(session, 0);
            assertThat(before).hasSize(2).allMatch(host -> host.devices() == 2);
            assertThat(session.membership().now().workers()).hasSize(4);

            kill("KILL", before.get(1).pid());

            var lost = (SliceEvent.Lost) next(events);
            assertThat(lost.kind()).isEqualTo(LossKind.PROCESS_GONE);
            assertThat(lost.slice()).isZero();
            assertThat(lost.generation()).isEqualTo(1);
            assertThat(lost.cause())
                    .isEqualTo("process %d ended by signal 9".formatted(before.get(1).pid()));
            var joined = (SliceEvent.Joined) next(events);
            assertThat(joined.slice()).isZero();
            assertThat(joined.generation()).isEqualTo(2);
            assertThat(isGone(before.get(0).pid())).isTrue();
            var view = session.membership().now().view();
            assertThat(view.healthy()).containsExactly(0, 1);
            assertThat(view.slices().get(1).generation()).isEqualTo(1);
            assertThat(view.generation()).isEqualTo(4);
            assertThat(session.events(100))
                    .extracting(LoggedEvent::kind)
                    .contains("opened", "starting", "joined", "lost");
            note(session);
        }
    }

    @Test
    void stoppedProcessIsFoundByItsMissingHeartbeatsAndReplaced() throws Exception {
        try (var session = open()) {
            session.provision(request(1).withHeartbeat(Duration.ofMillis(200)));
            var events = events(session);
            long pid = hosts(session, 0).getFirst().pid();

            kill("STOP", pid);

            var lost = (SliceEvent.Lost) next(events);
            assertThat(lost.kind()).isEqualTo(LossKind.HUNG);
            assertThat(lost.cause()).contains("missed 3 heartbeats of 200 ms");
            assertThat(next(events)).isInstanceOf(SliceEvent.Joined.class);
            assertThat(isGone(pid)).isTrue();
            note(session);
        }
    }

    @Test
    void terminatedProcessServesOnUntilItIsLetGo() throws Exception {
        try (var session = open()) {
            var runtime = session.provision(request(2).withNotice(Duration.ofMinutes(1)));
            var events = events(session);
            long pid = hosts(session, 1).getFirst().pid();
            var mesh = Mesh.of(runtime.devices(), Axis.axis("replica", 2));
            var array = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));

            kill("TERM", pid);

            var leaving = (SliceEvent.Leaving) next(events);
            assertThat(leaving.slice()).isEqualTo(1);
            assertThat(leaving.cause()).isEqualTo("process %d was asked to end".formatted(pid));
            assertThat(session.membership().now().view().slices().get(1).state())
                    .isEqualTo(SliceState.LEAVING);
            assertThat(array.toHost().bytes()).isEqualTo(Array.normal(1, 4, 4).bytes());
            runtime.letGo(Set.of(0, 1));

            var lost = (SliceEvent.Lost) next(events);
            assertThat(lost.slice()).isEqualTo(1);
            assertThat(lost.kind()).isEqualTo(LossKind.ANNOUNCED);
            assertThat(next(events)).isInstanceOf(SliceEvent.Joined.class);
            assertThat(isGone(pid)).isTrue();
            assertThat(session.membership().now().view().slices().getFirst().generation())
                    .isEqualTo(1);
            note(session);
        }
    }

    @Test
    void terminatedProcessThatNobodyLetsGoEndsWhenItsNoticeIsOver() throws Exception {
        try (var session = open()) {
            session.provision(request(1).withNotice(Duration.ofMillis(300)));
            var events = events(session);

            kill("TERM", hosts(session, 0).getFirst().pid());

            assertThat(next(events)).isInstanceOf(SliceEvent.Leaving.class);
            assertThat(((SliceEvent.Lost) next(events)).kind()).isEqualTo(LossKind.ANNOUNCED);
            assertThat(next(events)).isInstanceOf(SliceEvent.Joined.class);
            note(session);
        }
    }

    @Test
    void spareTakesThePlaceOfALostSliceAtItsIndexWithoutWaitingForItsReturn() throws Exception {
        try (var session = open()) {
            var runtime =
                    session.provision(
                            request(2).withRestartDelay(Duration.ofHours(1)).withSpares(1));
            var events = events(session);
            note(session);
            var mesh = Mesh.of(runtime.devices(), Axis.axis("replica", 2));
            var array = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));
            runtime.awaitReady(List.of(array), PATIENCE);

            kill("KILL", hosts(session, 1).getFirst().pid());

            assertThat(next(events)).isInstanceOf(SliceEvent.Lost.class);
            var joined = (SliceEvent.Joined) next(events);
            assertThat(joined.swapped()).isTrue();
            assertThat(joined.slice()).isEqualTo(1);
            assertThat(joined.generation()).isEqualTo(2);
            assertThat(session.events(100))
                    .filteredOn(event -> event.kind().equals("swapped"))
                    .singleElement()
                    .satisfies(
                            event ->
                                    assertThat(event.text())
                                            .isEqualTo(
                                                    "process %d, an idle spare, took its place"
                                                            .formatted(
                                                                    hosts(session, 1)
                                                                            .getFirst()
                                                                            .pid())));
            // what lay on the lost one stays lost; the same mesh works for what is new
            assertThatThrownBy(array::toHost).isInstanceOf(SliceLost.class);
            var fresh = runtime.put(Array.normal(1, 4, 4), mesh.sharding("replica"));
            assertThat(fresh.toHost().bytes()).isEqualTo(Array.normal(1, 4, 4).bytes());
            note(session);
        }
    }

    @Test
    void oneSpareReplacesOneOfTwoLostSlicesAndComesBackAfterTheDelay() throws Exception {
        try (var session = open()) {
            session.provision(request(2).withSpares(1));
            var events = events(session);
            note(session);

            kill("KILL", hosts(session, 0).getFirst().pid());
            kill("KILL", hosts(session, 1).getFirst().pid());

            var swaps = swaps(events, 2);
            assertThat(swaps).isEqualTo(1);
            note(session);
            // the lost slice's own place is the spare now
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    ProcessHandle.of(session.headPid())
                                                    .orElseThrow()
                                                    .children()
                                                    .count()
                                            == 3);

            kill("KILL", hosts(session, 0).getFirst().pid());

            assertThat(swaps(events, 1)).isEqualTo(1);
            note(session);
        }
    }

    /// Waits for slices to join, and counts the spares among them.
    private static int swaps(BlockingQueue<SliceEvent> events, int joins) throws Exception {
        int swaps = 0;
        for (int joined = 0; joined < joins; ) {
            if (next(events) instanceof SliceEvent.Joined come) {
                joined++;
                swaps += come.swapped() ? 1 : 0;
            }
        }
        return swaps;
    }

    @Test
    void closingTheLastSessionEndsWorkersAndHead() throws Exception {
        var session = open();
        session.provision(request(2));
        note(session);

        session.close();

        await().atMost(PATIENCE).until(() -> pids.stream().allMatch(HeadProcessTest::isGone));
        assertThat(heads().status()).isEmpty();
    }

    @Test
    void droppedSessionIsKeptForItsGraceAndCanBeAttachedToAgain() throws Exception {
        var session = open();
        session.provision(request(1));
        note(session);
        long pid = hosts(session, 0).getFirst().pid();

        session.abandon();

        await().atMost(PATIENCE)
                .until(() -> "detached".equals(status().sessions().getFirst().state()));
        try (var again = Session.open(options().withToken(session.token()))) {
            assertThat(again.resumed()).isTrue();
            assertThat(again.id()).isEqualTo(session.id());
            assertThat(hosts(again, 0).getFirst().pid()).isEqualTo(pid);
            assertThat(again.allocation()).isPresent();
            again.close(true);
        }
        assertThat(isGone(pid)).isFalse();
        assertThat(status().slices()).hasSize(1);
    }

    @Test
    void droppedSessionEndsAfterItsGrace() throws Exception {
        var session = Session.open(options().withGrace(Duration.ofMillis(300)));
        session.provision(request(1));
        note(session);

        session.abandon();

        await().atMost(PATIENCE).until(() -> pids.stream().allMatch(HeadProcessTest::isGone));
        assertThatThrownBy(() -> Session.open(options().withToken(session.token())))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("no head runs");
    }

    @Test
    void workersDieWithAKilledHeadAlsoStoppedOnes() throws Exception {
        try (var session = open()) {
            session.provision(request(2));
            var events = events(session);
            note(session);
            kill("STOP", hosts(session, 1).getFirst().pid());

            kill("KILL", status().head().pid());

            await().atMost(PATIENCE).until(() -> pids.stream().allMatch(HeadProcessTest::isGone));
            assertThat(List.of(next(events), next(events)))
                    .allMatch(event -> event instanceof SliceEvent.Lost)
                    .extracting(SliceEvent::slice)
                    .containsExactly(0, 1);
            assertThat(session.membership().now().view().slices())
                    .allMatch(slice -> slice.state() == SliceState.LOST);
            assertThatThrownBy(session::release)
                    .isInstanceOf(HeadUnavailable.class)
                    .hasMessageContaining("is gone");
        }
    }

    @Test
    void staleTokensAreRefusedInOneLine() throws Exception {
        try (var session = open()) {
            assertThat(session.resumed()).isFalse();
            assertThatThrownBy(() -> Session.open(options().withToken("0123")))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("no session has this token")
                    .hasMessageNotContaining("\n");
            var state = folder.resolve("head.state");
            var text = Files.readString(state);
            Files.writeString(state, text.replaceAll("token=.*", "token=0123"));
            assertThatThrownBy(this::open)
                    .isInstanceOf(HeadUnavailable.class)
                    .hasMessageContaining("refused this token")
                    .hasMessageNotContaining("\n");
            Files.writeString(state, text);
        }
    }

    @Test
    void stopLeavesNothingWhoeverIsAttached() throws Exception {
        heads().start(Duration.ofMinutes(5), 0);
        var session = open();
        session.provision(request(2));
        note(session);
        var events = events(session);

        assertThat(heads().stop()).contains(session.headPid());

        assertThat(pids).allMatch(HeadProcessTest::isGone);
        assertThat(next(events)).isInstanceOf(SliceEvent.Lost.class);
        session.close();
        assertThat(heads().stop()).isEmpty();
        assertThat(folder.resolve("head.state")).doesNotExist();
    }

    @Test
    void headThatStaysOutlivesItsSessionsUntilItWasIdle() throws Exception {
        heads().start(Duration.ofMinutes(5), 0);
        try (var session = open()) {
            pids.add(session.headPid());
        }
        assertThat(status().sessions()).isEmpty();

        heads().start(Duration.ofMillis(50), 0);

        await().atMost(PATIENCE).until(() -> pids.stream().allMatch(HeadProcessTest::isGone));
    }

    @Test
    void sessionsSideBySideCountTheirOwnSlices() throws Exception {
        try (var one = open();
                var other = open()) {
            one.provision(request(1));
            other.provision(request(1));
            note(one);
            note(other);
            assertThat(one.id()).isNotEqualTo(other.id());
            assertThat(status().slices())
                    .extracting(StatusReport.Slice::id, StatusReport.Slice::session)
                    .containsExactlyInAnyOrder(
                            Tuple.tuple(0, one.id()), Tuple.tuple(0, other.id()));

            one.release();

            assertThat(one.membership().now().view().slices()).isEmpty();
            assertThat(other.membership().now().view().healthy()).containsExactly(0);
            one.active(Set.of());
        }
    }

    @Test
    void requestsThatCannotBeMetChangeNothing() throws Exception {
        try (var session = open()) {
            assertThatThrownBy(() -> session.provision(request(5000)))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("5000 slices asked for")
                    .hasMessageContaining("has room for");
            assertThatThrownBy(() -> request(0)).isInstanceOf(UsageError.class);
            session.provision(request(1));
            note(session);
            long pid = hosts(session, 0).getFirst().pid();
            assertThatThrownBy(() -> session.provision(request(2)))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("1 are provisioned already");
            assertThat(hosts(session, 0).getFirst().pid()).isEqualTo(pid);
        }
    }

    @Test
    void portInUseIsSaidInOneLine() throws Exception {
        try (var taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThatThrownBy(() -> heads().start(Duration.ofMinutes(1), taken.getLocalPort()))
                    .isInstanceOf(HeadUnavailable.class)
                    .hasMessageContaining("port " + taken.getLocalPort())
                    .hasMessageContaining("in use")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void statusIsReadableByPrograms() throws Exception {
        try (var session = open()) {
            var runtime = session.provision(request(1).withHosts(2).withDevices(3));
            note(session);
            assertThat(runtime.devices()).hasSize(6);
            assertThat(CurrentSlices.find()).containsSame(runtime);
            assertThat(runtime.probe(Set.of(0), PATIENCE)).containsEntry(0, Health.HEALTHY);
            session.active(Set.of(0));
            var slice = status().slices().getFirst();
            assertThat(status().json())
                    .startsWith("{\"head\":{\"pid\":" + session.headPid() + ",\"port\":")
                    .contains("\"id\":0,\"generation\":1,\"state\":\"healthy\",\"active\":true")
                    .contains("\"pid\":" + slice.hosts().getFirst().pid() + ",\"devices\":6");
        }
    }

    private LocalHead heads() {
        return LocalHead.at(folder);
    }

    private StatusReport status() {
        return heads().status().orElseThrow();
    }

    private SessionOptions options() {
        return SessionOptions.named("test").withFolder(folder);
    }

    private Session open() {
        return Session.open(options());
    }

    private static ProvisionRequest request(int slices) {
        return ProvisionRequest.of(slices).withRestartDelay(Duration.ofMillis(100));
    }

    private static List<HostView> hosts(Session session, int slice) {
        return session.membership().now().view().slices().get(slice).hosts();
    }

    /// Remembers processes that must be gone in the end.
    private void note(Session session) {
        pids.add(session.headPid());
        session.membership()
                .now()
                .view()
                .slices()
                .forEach(slice -> slice.hosts().forEach(host -> pids.add(host.pid())));
        pids.remove(0L);
        ProcessHandle.of(session.headPid())
                .ifPresent(head -> head.children().forEach(child -> pids.add(child.pid())));
    }

    private static BlockingQueue<SliceEvent> events(Session session) {
        var events = new LinkedBlockingQueue<SliceEvent>();
        session.membership().watch((_, event) -> event.ifPresent(events::add));
        return events;
    }

    private static SliceEvent next(BlockingQueue<SliceEvent> events) throws InterruptedException {
        return Optional.ofNullable(events.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .orElseThrow(() -> new AssertionError("no event came"));
    }

    private static void kill(String signal, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor())
                .isZero();
    }

    /// A dead process that its adopter has not waited for yet counts as gone.
    private static boolean isGone(long pid) {
        if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()) {
            return true;
        }
        try {
            var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).startsWith("Z");
        } catch (IOException none) {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
        }
    }
}
