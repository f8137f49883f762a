package org.meshbook.cluster.local.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.cluster.local.supply.QueuedHead.PATIENCE;
import static org.meshbook.cluster.local.supply.QueuedHead.awaitEnded;
import static org.meshbook.cluster.local.supply.QueuedHead.awaitHealthy;
import static org.meshbook.cluster.local.supply.QueuedHead.awaitNoTrace;
import static org.meshbook.cluster.local.supply.QueuedHead.events;
import static org.meshbook.cluster.local.supply.QueuedHead.pids;
import static org.meshbook.cluster.local.supply.QueuedHead.queue;
import static org.meshbook.cluster.local.supply.QueuedHead.slices;
import static org.meshbook.elastic.jit.Jit.jit;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.cluster.Kinds;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.controller.session.QueueRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.manager.Attempt;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;

/// Slices that come and go through a queue: a real head, its cluster, and workers that are pods.
@Timeout(300)
class QueuedSlicesTest {
    private static QueuedHead head;

    @BeforeAll
    static void open() throws IOException {
        head = new QueuedHead();
    }

    @AfterAll
    static void close() throws IOException {
        head.close();
    }

    @Test
    void trainingLosesASliceToAMoreImportantJobGoesOnAndGrowsBack() throws Exception {
        try (var session = head.open("preempted")) {
            var runtime = session.provision(slices(2, queue("gone", 2)));
            awaitHealthy(session, 2);
            try (var manager = new Manager(runtime)) {
                var program = new Program(manager);
                var thread = Thread.ofVirtual().start(program::run);
                program.awaitStep(5);

                head.applyUrgent("urgent-one");
                until(() -> manager.activeSliceCount() == 1);
                program.awaitMore();
                assertThat(session.membership().now().view().slices())
                        .extracting(SliceView::state)
                        .contains(SliceState.HEALTHY);

                head.delete(Kinds.JOB_SET, "urgent-one");
                until(() -> manager.activeSliceCount() == 2);
                program.awaitMore();
                program.end(thread);

                // An announced leave costs no step, and nothing was done twice.
                assertThat(program.steps).doesNotHaveDuplicates();
                assertThat(program.last).isEqualTo((double) program.steps.size());
            }
            assertThat(events(session, "preempted"))
                    .singleElement()
                    .asString()
                    .startsWith("by urgent-one due to prioritization");
            assertThat(events(session, "leaving")).hasSize(1);
            assertThat(events(session, "leaving").getFirst())
                    .isEqualTo("preempted " + events(session, "preempted").getFirst());
            assertThat(events(session, "admitted"))
                    .hasSize(3)
                    .allMatch(text -> text.startsWith("by ClusterQueue main, flavor plain"));
            assertThat(events(session, "joined")).hasSize(3);
        } finally {
            head.delete(Kinds.JOB_SET, "urgent-one");
        }
        awaitNoTrace(head.cluster(), "gone");
    }

    @Test
    void whatHasNoRoomWaitsAtItsPositionAndComesWhenThereIsSome() throws Exception {
        head.applyUrgent("first");
        try (var session = head.open("waiting")) {
            session.provision(slices(2, queue("wait", 1)));
            awaitHealthy(session, 1);
            assertThat(
                            session.await(
                                    now ->
                                            now.slices().stream()
                                                    .anyMatch(s -> position(s).equals(1)),
                                    PATIENCE))
                    .isTrue();
            var waiting =
                    session.membership().now().view().slices().stream()
                            .filter(slice -> slice.state() == SliceState.QUEUED)
                            .findFirst()
                            .orElseThrow();
            assertThat(waiting.place().orElseThrow().job()).isEqualTo("wait-slice-" + waiting.id());
            assertThat(waiting.cause())
                    .contains("insufficient unused quota for cpu in flavor plain, 1 more needed");
            assertThat(waiting.devices()).isEqualTo(1);

            head.delete(Kinds.JOB_SET, "first");
            awaitHealthy(session, 2);
        } finally {
            head.delete(Kinds.JOB_SET, "first");
        }
        awaitNoTrace(head.cluster(), "wait");
    }

    private static Integer position(SliceView slice) {
        return slice.place().map(SliceView.Place::position).orElse(-1);
    }

    @Test
    void killedWorkerComesBackInItsPodAsTheNextGeneration() throws Exception {
        try (var session = head.open("killed")) {
            session.provision(slices(2, queue("crash", 2)));
            awaitHealthy(session, 2);
            var before = pids(session);
            ProcessHandle.of(before.getFirst()).orElseThrow().destroyForcibly();
            assertThat(
                            session.await(
                                    now ->
                                            now.healthy().size() == 2
                                                    && now.slices().getFirst().generation() == 2,
                                    PATIENCE))
                    .isTrue();
            assertThat(events(session, "lost")).hasSize(1);
            assertThat(events(session, "preempted")).isEmpty();
        }
    }

    @Test
    void releasedSlicesLeaveNothingInTheQueueAndCanBeAskedForAgain() throws Exception {
        try (var session = head.open("released")) {
            session.provision(slices(3, queue("again", 1)));
            awaitHealthy(session, 2);
            var pids = pids(session);
            assertThat(head.jobs()).contains("again-slice-0", "again-slice-1", "again-slice-2");
            session.release();
            awaitNoTrace(head.cluster(), "again");
            awaitEnded(pids);

            session.provision(slices(1, queue("again", 1)));
            awaitHealthy(session, 1);
        }
        awaitNoTrace(head.cluster(), "again");
    }

    @Test
    void sessionThatNobodyComesBackToLeavesNothingInTheQueue() throws Exception {
        var session = Session.open(head.options("left").withGrace(Duration.ofSeconds(1)));
        session.provision(slices(3, queue("left", 1)));
        awaitHealthy(session, 2);
        var pids = pids(session);
        session.detach(Optional.empty());
        awaitNoTrace(head.cluster(), "left");
        awaitEnded(pids);
    }

    @Test
    void waitingRequestIsKeptForWhoeverAttaches() throws Exception {
        var first = head.open("leaver");
        first.provision(slices(3, queue("kept", 1)));
        awaitHealthy(first, 2);
        var id = first.id();
        first.detach(Optional.empty());
        try (var second = Session.attach(id, head.options("comer"))) {
            assertThat(second.allocation().orElseThrow().queue())
                    .contains(new QueueRequest("user", "", "", 1, "kept"));
            assertThat(second.membership().now().view().healthy()).hasSize(2);
        }
        awaitNoTrace(head.cluster(), "kept");
    }

    @ParameterizedTest(name = "{3}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    usr  |       |        | no queue 'usr' in namespace 'default'; there is user
                    user | spot  |        | queue 'user' (ClusterQueue 'main') has no flavor 'spot'; it has plain
                    user |       | higher | no WorkloadPriorityClass 'higher'; there is urgent
                    """)
    void whatIsNotThereIsSaidInOneLine(
            String queue, String flavor, String priority, String message) {
        var request =
                new QueueRequest(
                        queue,
                        flavor == null ? "" : flavor,
                        priority == null ? "" : priority,
                        1,
                        "never");
        refused(1, request, message);
    }

    @Test
    void whatCanNeverFitIsRefusedBeforeAnythingIsMade() {
        refused(
                3,
                queue("never", 3),
                "3 slices at once never fit: ClusterQueue 'main' holds 2 of 1 cpu each; ask for 2,"
                        + " or go on with fewer by --at-least 2");
        try (var session = head.open("large")) {
            assertThatThrownBy(() -> session.provision(slices(1, queue("never", 1)).withHosts(3)))
                    .isInstanceOf(UsageError.class)
                    .hasMessage(
                            "a slice asks for 3 cpu, and no flavor of ClusterQueue 'main' ever has"
                                    + " more than 2; ask for less, or raise the quota");
        }
        assertThat(head.jobs()).noneMatch(name -> name.startsWith("never"));
    }

    private static void refused(int count, QueueRequest request, String message) {
        try (var session = head.open("refused")) {
            assertThatThrownBy(() -> session.provision(slices(count, request)))
                    .isInstanceOf(UsageError.class)
                    .hasMessage(message);
            assertThat(session.allocation()).isEmpty();
        }
        assertThat(head.jobs()).noneMatch(name -> name.startsWith("never"));
    }

    @Test
    void killedHeadTakesItsWorkersWithItAndTheNextOneSweepsTheQueue() throws Exception {
        try (var other = new QueuedHead()) {
            var session = other.open("doomed");
            session.provision(slices(2, queue("doomed", 2)));
            awaitHealthy(session, 2);
            var pids = pids(session);
            assertThat(pids).hasSize(2);

            ProcessHandle.of(other.headPid()).orElseThrow().destroyForcibly();
            awaitEnded(pids);

            try (var next = other.open("next");
                    var cluster = other.reconnect(next)) {
                assertThat(cluster.list(Kinds.JOB_SET, "default")).isEmpty();
                assertThat(cluster.list(Kinds.LOCAL_QUEUE, "default")).hasSize(1);
                awaitNoTrace(cluster, "doomed");
                next.provision(slices(2, queue("doomed", 2)));
                awaitHealthy(next, 2);
            }
        }
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await().atMost(PATIENCE).until(condition);
    }

    /// Counts its steps in an array on the slices, and notes each.
    private static final class Program {
        private final Manager manager;
        private final ConcurrentLinkedQueue<Long> steps = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
        private volatile double last;

        private record State(Array count) {}

        Program(Manager manager) {
            this.manager = manager;
        }

        void run() {
            try {
                last = manager.elasticRetry(Retry.atLeast(1), this::attempt);
            } catch (RuntimeException e) {
                failure.set(e);
            }
        }

        private double attempt(Attempt attempt) {
            var step = jit((Array count) -> count.add(1));
            var devices = manager.activeDevices();
            var mesh = Mesh.of(devices, Axis.axis("replica", devices.size()));
            var state = new State(manager.slices().put(Array.scalar(0f), mesh.replicated()));
            for (long k = 0; !over.get(); k++) {
                state = new State(step.apply(state.count()));
                var unused = state.count().toHost();
                steps.add(k);
                attempt.completed(k);
                var now = manager.resizeIfNeeded(mesh, state);
                mesh = now.mesh();
                state = now.state();
            }
            return state.count().item();
        }

        void awaitStep(int count) {
            until(
                    () -> {
                        if (failure.get() != null) {
                            throw failure.get();
                        }
                        return steps.size() >= count;
                    });
        }

        void awaitMore() {
            awaitStep(steps.size() + 5);
        }

        void end(Thread thread) throws InterruptedException {
            over.set(true);
            assertThat(thread.join(PATIENCE)).isTrue();
            assertThat(failure.get()).isNull();
        }
    }
}
