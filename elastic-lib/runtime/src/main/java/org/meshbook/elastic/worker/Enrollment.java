package org.meshbook.elastic.worker;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.meshbook.elastic.transport.Gate;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.proto.WorkerAsk;
import org.meshbook.elastic.wire.proto.WorkerAssignment;
import org.meshbook.elastic.wire.proto.WorkerBeat;
import org.meshbook.elastic.wire.proto.WorkerHello;
import org.meshbook.elastic.wire.proto.WorkerImaged;
import org.meshbook.elastic.wire.proto.WorkerLeaving;
import org.meshbook.elastic.wire.proto.WorkerReport;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// A worker's link to its head: registration, heartbeats, the announcement of its end.
final class Enrollment implements StreamObserver<WorkerWelcome> {
    private static final Duration ACKNOWLEDGED = Duration.ofMillis(200);

    private final CompletableFuture<Optional<WorkerAssignment>> assigned =
            new CompletableFuture<>();
    private volatile WorkerAssignment assignment = WorkerAssignment.getDefaultInstance();
    private final ManagedChannel channel;
    private final StreamObserver<WorkerReport> reports;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean announced = new AtomicBoolean();

    /// The head needs no word of this process's end.
    private volatile boolean over;

    // The head answers the registration first and the announcement second.
    private final CountDownLatch acknowledged = new CountDownLatch(2);

    private Enrollment(int headPort) {
        this.channel =
                NettyChannelBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), headPort))
                        .usePlaintext()
                        .directExecutor()
                        .build();
        this.reports =
                ClientCalls.asyncBidiStreamingCall(
                        channel.newCall(HeadMethods.ENROLL, CallOptions.DEFAULT), this);
    }

    static Enrollment connect(WorkerAssignment assignment) {
        var enrollment = connect(assignment.getHeadPort());
        enrollment.assignment = assignment;
        return enrollment;
    }

    static Enrollment connect(int headPort) {
        return new Enrollment(headPort);
    }

    /// Asks the head what to do, and waits until it knows: a slice's last processes may still be
    /// ending.
    ///
    /// @return empty if it has nothing to do for this process
    Optional<WorkerAssignment> ask(WorkerAsk question) throws InterruptedException {
        send(WorkerReport.newBuilder().setAsk(question));
        try {
            var answer = assigned.get();
            answer.ifPresent(what -> assignment = what);
            return answer;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// @return whether this process was asked to end
    boolean isAnnounced() {
        return announced.get();
    }

    void hello(WorkerServer server) {
        send(
                WorkerReport.newBuilder()
                        .setHello(
                                WorkerHello.newBuilder()
                                        .setToken(assignment.getToken())
                                        .setSession(assignment.getSession())
                                        .setSlice(assignment.getSlice())
                                        .setGeneration(assignment.getGeneration())
                                        .setHost(assignment.getHost())
                                        .setPid(ProcessHandle.current().pid())
                                        .setDispatchPort(server.dispatchPort())
                                        .setBulkPort(server.bulkPort())
                                        .setMemoryBytes(server.memoryBytes())));
    }

    /// Sends heartbeats until the link ends.
    void beat(WorkerServer server) throws InterruptedException {
        while (!ended.await(assignment.getHeartbeatMs(), TimeUnit.MILLISECONDS)) {
            send(
                    WorkerReport.newBuilder()
                            .setBeat(WorkerBeat.newBuilder().setMemoryBytes(server.memoryBytes())));
        }
    }

    /// Announces that this process was asked to end, and lets it serve on until the head lets it go
    /// or the notice is over; a second call ends it at once.
    void announce() {
        if (!announced.compareAndSet(false, true) || assignment.getNoticeMs() == 0) {
            ended.countDown();
            return;
        }
        leaving(assignment.getNoticeMs());
        Thread.ofVirtual()
                .name("meshbook-worker-notice")
                .start(
                        () -> {
                            try {
                                ended.await(assignment.getNoticeMs(), TimeUnit.MILLISECONDS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            ended.countDown();
                        });
    }

    /// Announces the end of this process that is ending already, if somebody still listens.
    void leave() {
        if (over) {
            return;
        }
        leaving(0);
        try {
            acknowledged.await(ACKNOWLEDGED.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.shutdownNow();
    }

    /// What this process holds is in its image, or why it cannot be.
    void imaged(long bytes, String refusal) {
        send(
                WorkerReport.newBuilder()
                        .setImaged(WorkerImaged.newBuilder().setBytes(bytes).setRefusal(refusal)));
    }

    private void leaving(long noticeMillis) {
        send(
                WorkerReport.newBuilder()
                        .setLeaving(
                                WorkerLeaving.newBuilder()
                                        .setCause("was asked to end")
                                        .setNoticeMs(noticeMillis)));
    }

    private void send(WorkerReport.Builder report) {
        Gate.ofProcess().pass();
        synchronized (this) {
            reports.onNext(report.build());
        }
    }

    @Override
    public void onNext(WorkerWelcome welcome) {
        Gate.ofProcess().pass();
        if (welcome.hasAssignment()) {
            assigned.complete(Optional.of(welcome.getAssignment()));
            return;
        }
        acknowledged.countDown();
        if (welcome.getGo()) {
            over();
        }
    }

    @Override
    public void onError(Throwable failure) {
        over();
    }

    @Override
    public void onCompleted() {
        over();
    }

    private void over() {
        over = true;
        assigned.complete(Optional.empty());
        ended.countDown();
    }
}
