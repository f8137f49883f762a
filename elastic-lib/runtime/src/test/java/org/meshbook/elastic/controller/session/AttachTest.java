package org.meshbook.elastic.controller.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.WorkerAddress;
import org.meshbook.elastic.controller.link.HeadLink;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.names.Named;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.SessionFile;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.WorkerMethods;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.HostRelease;
import org.meshbook.elastic.wire.proto.OpenSession;
import org.meshbook.elastic.wire.proto.ProvisionSlices;
import org.meshbook.elastic.wire.proto.ReleaseSlices;
import org.meshbook.elastic.wire.proto.SessionReply;
import org.meshbook.elastic.wire.proto.SessionRequest;
import org.meshbook.elastic.wire.proto.StatusRequest;
import org.meshbook.elastic.wire.proto.WithdrawName;

/// Sessions that outlive their client, with a head and workers that are real processes.
@Timeout(120)
@Tag("chaos")
final class AttachTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Path folder = Path.of("");
    private final List<ManagedChannel> channels = new ArrayList<>();

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("meshbook-test-");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        channels.forEach(ManagedChannel::shutdownNow);
        LocalHead.at(folder).stop();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    @Test
    void droppedSessionIsResumedByItsIdWithItsArrays() throws Exception {
        var x = Array.normal(1, 8, 4);
        var first = provisioned(2);
        Named.publish("x", placed(first, x));
        first.abandon();
        awaitState(SessionFile.State.DETACHED);

        try (var again = Session.attach("s1", options())) {
            assertThat(again.resumed()).isTrue();
            assertThat(Named.published()).containsExactly("x");
            assertThat(Named.lookup("x", Array.class).toHost().bytes()).isEqualTo(x.bytes());
            assertThat(known().names()).containsExactly("x");
        }
    }

    @Test
    void secondLinkOrSessionOfThisProcessIsRefusedAndTheFirstGoesOn() throws Exception {
        try (var first = provisioned(2)) {
            var x = placed(first, Array.normal(1, 8, 4));
            assertThatThrownBy(() -> new MeshRuntime(first.membership()))
                    .isInstanceOf(UsageError.class)
                    .hasMessageStartingWith("these slices are linked already")
                    .hasMessageContaining("CurrentSlices.get()");
            assertThatThrownBy(() -> Session.attach("s1", options()))
                    .isInstanceOf(UsageError.class)
                    .hasMessage(
                            "this process has session s1 already; use that one, or close it first");
            assertThat(x.toHost()).isEqualTo(Array.normal(1, 8, 4));
            first.runtime().orElseThrow().close();
            // Closed, it can be linked again.
            new MeshRuntime(first.membership()).close();
        }
    }

    @Test
    void expiredSessionSaysSoAndIsToldFromOneThatNeverWas() throws Exception {
        LocalHead.at(folder).start(Duration.ofMinutes(1), 0);
        var session = Session.open(options().withGrace(Duration.ofMillis(200)));
        session.abandon();
        awaitState(SessionFile.State.EXPIRED);

        assertThatThrownBy(() -> Session.attach("s1", options()))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("session s1 expired at ")
                .hasMessageContaining("its grace period of 0 s is over; test, pid ")
                .hasMessageContaining("as in %slices 4")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> Session.attach("s7", options()))
                .hasMessage(
                        "no session is called 's7'; none is there, so provision slices, as in"
                                + " %slices 4");
        assertThatThrownBy(() -> Session.attach("../head.state", options()))
                .hasMessageContaining("no session is called '../head.state'");
    }

    @Test
    void sessionOfAKilledHeadSaysSo() throws Exception {
        var session = Session.open(options());
        long head = session.headPid();
        ProcessHandle.of(head).orElseThrow().destroyForcibly();
        await().atMost(PATIENCE).until(() -> LocalHead.at(folder).find().isEmpty());
        session.abandon();

        assertThatThrownBy(() -> Session.attach("s1", options()))
                .hasMessageContaining("session s1 ended at ")
                .hasMessageContaining("its head (pid " + head + ") was killed");
        try (var next = Session.open(options())) {
            assertThat(next.id()).as("ids are not used twice").isEqualTo("s2");
        }
    }

    @Test
    void closedSessionFreesItsSlicesAtOnceAndItsTokensAreForgotten() throws Exception {
        var session = provisioned(1);
        var pid = session.membership().now().view().slices().getFirst().hosts().getFirst().pid();
        var file = folder.resolve("session-s1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).contains(session.token(), session.observerToken());
        assertThat(known().toString()).doesNotContain(session.token());

        session.close();

        await().atMost(PATIENCE)
                .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
        assertThat(Files.readString(file))
                .doesNotContain(session.token())
                .doesNotContain(session.observerToken())
                .contains("state=closed");
        for (var log : List.of("head.log", "events.log", "head.out")) {
            if (Files.exists(folder.resolve(log))) {
                assertThat(Files.readString(folder.resolve(log))).doesNotContain(session.token());
            }
        }
    }

    @Test
    void secondWriterIsRefusedWithWhoHoldsIt() throws Exception {
        try (var session = Session.open(options())) {
            var message =
                    OpenSession.newBuilder()
                            .setProtocol(HeadMethods.PROTOCOL)
                            .setName("another kernel")
                            .setPid(ProcessHandle.current().pid() + 1)
                            .setGraceMs(1000)
                            .setToken(session.token())
                            .build();
            var heads = LocalHead.at(folder);
            assertThatThrownBy(() -> HeadLink.open(heads, heads.find().orElseThrow(), message))
                    .isInstanceOf(UsageError.class)
                    .hasMessageMatching(
                            ("session s1 is in use by test, pid %d since [0-9:]{8}; %%detach there"
                                            + " first, or look on with %%attach s1 --observe")
                                    .formatted(ProcessHandle.current().pid()));
        }
    }

    @Test
    void detachedSessionIsKeptAsLongAsWasAsked() throws Exception {
        var session = provisioned(1);
        session.detach(Optional.of(Duration.ofHours(2)));

        awaitState(SessionFile.State.DETACHED);
        assertThat(known().grace()).isEqualTo(Duration.ofHours(2));
        assertThat(Known.waiting(options())).extracting(SessionFile::id).containsExactly("s1");
        Session.attach("s1", options()).close();
        assertThat(Known.waiting(options())).isEmpty();
    }

    @Test
    void observerSeesMembershipEventsAndPublishedArrays() throws Exception {
        var x = Array.normal(1, 8, 4);
        try (var session = provisioned(2)) {
            Named.publish("x", placed(session, x));
            try (var observer = Session.observe("s1", options())) {
                assertThat(observer.observes()).isTrue();
                assertThat(observer.holder()).startsWith("test, pid ");
                assertThat(observer.membership().now().view().healthy()).containsExactly(0, 1);
                assertThat(observer.events(50)).isNotEmpty();
                var seen = observer.runtime().orElseThrow();
                var array = seen.names().find("x").orElseThrow().arrays().getFirst();
                assertThat(array.toHost().bytes()).isEqualTo(x.bytes());
                assertThatThrownBy(observer::release).hasMessageContaining("can only look");
                assertThatThrownBy(() -> observer.provision(ProvisionRequest.of(1)))
                        .hasMessageContaining("can only look");
                var writer = session.runtime().orElseThrow();
                CurrentSlices.set(Optional.of(writer));
                Named.publish("y", placed(session, x));
                assertThat(seen.names().list()).containsExactly("x", "y");
            }
            assertThat(session.isOpen()).isTrue();
            assertThat(Named.lookup("x", Array.class).toHost().bytes()).isEqualTo(x.bytes());
        }
    }

    @Test
    void observersTokenWritesNowhere() throws Exception {
        var x = Array.normal(1, 8, 4);
        try (var session = provisioned(1)) {
            Named.publish("x", placed(session, x));
            var token = session.observerToken();
            var head = HeadFile.find(RuntimeFolder.at(folder)).orElseThrow();
            // 1. the head: neither as a caller nor as a session's token, nor behind its own door
            assertThat(statusWith(head.port(), token)).isEqualTo(Status.Code.UNAUTHENTICATED);
            var heads = LocalHead.at(folder);
            assertThatThrownBy(() -> HeadLink.open(heads, head, open(token)))
                    .hasMessageContaining("no session has this token");
            var link = HeadLink.observe(heads, head, open(token));
            for (var ask :
                    List.of(
                            SessionRequest.newBuilder()
                                    .setProvision(ProvisionSlices.newBuilder().setSlices(1)),
                            SessionRequest.newBuilder()
                                    .setRelease(ReleaseSlices.getDefaultInstance()),
                            SessionRequest.newBuilder()
                                    .setWithdraw(WithdrawName.newBuilder().setName("x")))) {
                assertThatThrownBy(() -> link.ask(ask))
                        .isInstanceOf(UsageError.class)
                        .hasMessageContaining("an observer can only look");
            }
            link.abandon();
            assertThatThrownBy(() -> HeadLink.observe(heads, head, open(session.token())))
                    .hasMessageContaining("no session is observed with this token");
            // 2. the workers: the writers' door is shut, and behind the other one nothing is done
            var worker = session.membership().now().workers().getFirst();
            assertThat(dispatchWith(worker, WorkerMethods.DISPATCH, token))
                    .isEqualTo(Status.Code.UNAUTHENTICATED);
            release(worker, token);
            assertThat(Named.lookup("x", Array.class).toHost().bytes()).isEqualTo(x.bytes());
        }
    }

    @Test
    void portsRefuseWithoutAToken() throws Exception {
        try (var session = provisioned(1)) {
            var head = HeadFile.find(RuntimeFolder.at(folder)).orElseThrow();
            for (var token : List.of("", "guess", session.token())) {
                assertThat(statusWith(head.port(), token)).isEqualTo(Status.Code.UNAUTHENTICATED);
            }
            var worker = session.membership().now().workers().getFirst();
            for (var method : List.of(WorkerMethods.DISPATCH, WorkerMethods.OBSERVE)) {
                for (var token : List.of("", "guess", head.token())) {
                    assertThat(dispatchWith(worker, method, token))
                            .isEqualTo(Status.Code.UNAUTHENTICATED);
                }
            }
        }
    }

    @Test
    void headKeepsNoNameThatIsNone() throws Exception {
        try (var session = provisioned(1)) {
            var x = placed(session, Array.normal(1, 8, 4));
            for (var name : List.of("", "../x", "a b", "x\n", "-x", "x".repeat(65))) {
                assertThatThrownBy(() -> Named.publish(name, x))
                        .as(name)
                        .isInstanceOf(UsageError.class)
                        .hasMessageContaining("cannot be a name");
            }
            var large = Array.normal(1, 1024, 1024, 5);
            assertThatThrownBy(() -> Named.publish("large", List.of(large)))
                    .hasMessageContaining("put large arrays on a mesh");
        }
    }

    @Test
    void printingAsksNoWorker() throws Exception {
        try (var session = provisioned(2)) {
            var runtime = session.runtime().orElseThrow();
            var mesh = mesh(runtime);
            var array = runtime.put(Array.normal(1, 8, 4), mesh.sharding("replica"));
            assertThat(array.toHost()).isNotNull();
            for (var host : runtime.view().slices()) {
                signal("STOP", host.hosts().getFirst().pid());
            }
            var before = System.nanoTime();
            assertThat(array.toString()).contains("f32[8,4]").contains("Mesh(replica=2");
            assertThat(mesh.toString()).isEqualTo("Mesh(replica=2, model=1)");
            assertThat(runtime.devices().toString()).contains("device 1 (slice 1)");
            assertThat(runtime.view().toString()).isNotBlank();
            assertThat(runtime.shardingOf(array).toString()).contains("replica");
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .as("stopped workers answer nothing")
                    .isLessThan(Duration.ofSeconds(1));
            for (var host : runtime.view().slices()) {
                signal("CONT", host.hosts().getFirst().pid());
            }
        }
    }

    // ---- what the tests are made of

    private SessionOptions options() {
        return SessionOptions.named("test").withFolder(folder);
    }

    private Session provisioned(int slices) throws InterruptedException {
        var session = Session.open(options());
        session.provision(ProvisionRequest.of(slices).withEngine("reference"));
        return session;
    }

    private static Array placed(Session session, Array value) {
        var runtime = session.runtime().orElseThrow();
        return runtime.put(value, mesh(runtime).sharding("replica"));
    }

    private static Mesh mesh(MeshRuntime runtime) {
        int slices = runtime.view().slices().size();
        return Mesh.of(
                runtime.devices(),
                Axis.axis("replica", slices),
                Axis.axis("model", runtime.devices().size() / slices));
    }

    private SessionFile known() {
        return Known.all(options()).getFirst();
    }

    private void awaitState(SessionFile.State state) {
        await().atMost(PATIENCE).until(() -> known().state() == state);
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
                .isZero();
    }

    private static OpenSession open(String token) {
        return OpenSession.newBuilder()
                .setProtocol(HeadMethods.PROTOCOL)
                .setName("intruder")
                .setPid(ProcessHandle.current().pid())
                .setToken(token)
                .build();
    }

    private Channel channel(InetSocketAddress address, String token) {
        var channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
        channels.add(channel);
        return ClientInterceptors.intercept(channel, TokenCheck.showing(token));
    }

    private Status.Code statusWith(int port, String token) {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try {
            ClientCalls.blockingUnaryCall(
                    channel(address, token),
                    HeadMethods.STATUS,
                    CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
                    StatusRequest.getDefaultInstance());
            return Status.Code.OK;
        } catch (io.grpc.StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private Status.Code dispatchWith(
            WorkerAddress worker, MethodDescriptor<Command, ?> method, String token)
            throws InterruptedException {
        var ends = new LinkedBlockingQueue<Status>();
        stream(worker, method, token, ends).onNext(Command.getDefaultInstance());
        return Optional.ofNullable(ends.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .orElseThrow()
                .getCode();
    }

    /// Asks, as an observer, to free everything.
    private void release(WorkerAddress worker, String token) throws InterruptedException {
        var ends = new LinkedBlockingQueue<Status>();
        var out = stream(worker, WorkerMethods.OBSERVE, token, ends);
        for (long number = 1; number < 50; number++) {
            out.onNext(Command.newBuilder().addFree(number).build());
            out.onNext(
                    Command.newBuilder()
                            .setRelease(HostRelease.newBuilder().setCopy(number))
                            .build());
        }
        out.onCompleted();
        assertThat(ends.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(Status.OK);
    }

    private <A> StreamObserver<Command> stream(
            WorkerAddress worker,
            MethodDescriptor<Command, A> method,
            String token,
            BlockingQueue<Status> ends) {
        var address = new InetSocketAddress(worker.address(), worker.dispatchPort());
        return ClientCalls.asyncBidiStreamingCall(
                channel(address, token).newCall(method, CallOptions.DEFAULT),
                new StreamObserver<A>() {
                    @Override
                    public void onNext(A report) {
                        assertThat(report).isNotInstanceOf(SessionReply.class);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        ends.add(Status.fromThrowable(failure));
                    }

                    @Override
                    public void onCompleted() {
                        ends.add(Status.OK);
                    }
                });
    }
}
