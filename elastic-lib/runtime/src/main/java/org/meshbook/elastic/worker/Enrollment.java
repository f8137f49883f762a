package org.meshbook.elastic.worker;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.proto.WorkerAssignment;
import org.meshbook.elastic.wire.proto.WorkerBeat;
import org.meshbook.elastic.wire.proto.WorkerHello;
import org.meshbook.elastic.wire.proto.WorkerLeaving;
import org.meshbook.elastic.wire.proto.WorkerReport;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// A worker's link to its head: registration, heartbeats, the announcement of its end.
final class Enrollment implements StreamObserver<WorkerWelcome> {
    private static final Duration ACKNOWLEDGED = Duration.ofMillis(200);

    private final WorkerAssignment assignment;
    private final ManagedChannel channel;
    private final StreamObserver<WorkerReport> reports;
    private final CountDownLatch ended = new CountDownLatch(1);
    // The head answers the registration first and the announcement second.
    private final CountDownLatch acknowledged = new CountDownLatch(2);

    private Enrollment(WorkerAssignment assignment) {
        this.assignment = assignment;
        this.channel =
                NettyChannelBuilder.forAddress(
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), assignment.getHeadPort()))
                        .usePlaintext()
                        .directExecutor()
                        .build();
        this.reports =
                ClientCalls.asyncBidiStreamingCall(
                        channel.newCall(HeadMethods.ENROLL, CallOptions.DEFAULT), this);
    }

    static Enrollment connect(WorkerAssignment assignment) {
        return new Enrollment(assignment);
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

    /// Announces the end of this process, if somebody still listens.
    void leave() {
        if (ended.getCount() == 0) {
            return;
        }
        send(
                WorkerReport.newBuilder()
                        .setLeaving(WorkerLeaving.newBuilder().setCause("it was asked to end")));
        try {
            acknowledged.await(ACKNOWLEDGED.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.shutdownNow();
    }

    private synchronized void send(WorkerReport.Builder report) {
        reports.onNext(report.build());
    }

    @Override
    public void onNext(WorkerWelcome welcome) {
        acknowledged.countDown();
    }

    @Override
    public void onError(Throwable failure) {
        ended.countDown();
    }

    @Override
    public void onCompleted() {
        ended.countDown();
    }
}
