package org.meshbook.elastic.controller;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.WorkerMethods;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Report;

/// The stream to one worker. Commands leave in the order in which they are sent; sending to a link
/// that has ended does nothing. Thread-safe.
final class WorkerLink implements ClientResponseObserver<Command, Report> {
    private static final int WINDOW_BYTES = 8 << 20;

    private final WorkerAddress address;
    private final int firstDevice;
    private final ManagedChannel channel;
    private final BiConsumer<WorkerLink, Report> onReport;
    private final BiConsumer<WorkerLink, String> onEnd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();

    /// Arrays to free; `due` are those that no operation under way reads.
    private final List<Long> unreachable = new ArrayList<>();

    private final List<Long> due = new ArrayList<>();

    /// What the worker was told of; used only where operations are numbered.
    private final Set<String> programs = new HashSet<>();

    private final Set<Long> meshes = new HashSet<>();
    private @Nullable ClientCallStreamObserver<Command> stream;
    private volatile boolean ended;

    private WorkerLink(
            WorkerAddress address,
            int firstDevice,
            String token,
            BiConsumer<WorkerLink, Report> onReport,
            BiConsumer<WorkerLink, String> onEnd) {
        this.address = address;
        this.firstDevice = firstDevice;
        this.onReport = onReport;
        this.onEnd = onEnd;
        this.channel =
                NettyChannelBuilder.forAddress(
                                new InetSocketAddress(address.address(), address.dispatchPort()))
                        .usePlaintext()
                        .directExecutor()
                        .flowControlWindow(WINDOW_BYTES)
                        .maxInboundMessageSize(WorkerMethods.MESSAGE_BYTES)
                        .intercept(TokenCheck.showing(token))
                        .build();
    }

    /// Opens a stream; commands may be sent before it stands.
    ///
    /// @param observing whether it is an observer's, which fetches only
    /// @param onReport called on gRPC's thread, in order; must not block
    /// @param onEnd called at most once, with the reason, unless [#close()] ended it
    static WorkerLink open(
            WorkerAddress address,
            int firstDevice,
            String token,
            boolean observing,
            BiConsumer<WorkerLink, Report> onReport,
            BiConsumer<WorkerLink, String> onEnd) {
        var link = new WorkerLink(address, firstDevice, token, onReport, onEnd);
        ClientCalls.asyncBidiStreamingCall(
                link.channel.newCall(
                        observing ? WorkerMethods.OBSERVE : WorkerMethods.DISPATCH,
                        CallOptions.DEFAULT),
                link);
        return link;
    }

    WorkerAddress address() {
        return address;
    }

    int firstDevice() {
        return firstDevice;
    }

    boolean owns(int device) {
        return device >= firstDevice && device < firstDevice + address.devices();
    }

    boolean ended() {
        return ended;
    }

    boolean knowsProgram(String fingerprint) {
        return programs.contains(fingerprint);
    }

    void toldProgram(String fingerprint) {
        programs.add(fingerprint);
    }

    /// @return whether the worker has not been told of this mesh yet; it counts as told now
    boolean newMesh(long mesh) {
        return meshes.add(mesh);
    }

    void send(Command.Builder command) {
        lock.lock();
        try {
            if (!ended && stream != null) {
                command.addAllFree(due);
                due.clear();
                stream.onNext(command.build());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Notes an array to be freed once no operation that may read it is being sent.
    void free(long array) {
        lock.lock();
        try {
            if (!ended) {
                unreachable.add(array);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Called between operations: what was noted so far goes with the next command. An array that
    /// becomes unreachable while an operation is sent worker by worker must not be freed by the
    /// very command that reads it.
    void betweenOperations() {
        lock.lock();
        try {
            due.addAll(unreachable);
            unreachable.clear();
        } finally {
            lock.unlock();
        }
    }

    /// Tells the worker what to free, if anything; called between operations.
    void flush() {
        lock.lock();
        try {
            betweenOperations();
            if (!due.isEmpty()) {
                send(Command.newBuilder());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the network takes more.
    ///
    /// @return false if the link has ended
    boolean awaitReady() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!ended && stream != null && !stream.isReady()) {
                ready.await();
            }
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Command> requests) {
        stream = requests;
        requests.setOnReadyHandler(this::wake);
    }

    @Override
    public void onNext(Report report) {
        onReport.accept(this, report);
    }

    @Override
    public void onError(Throwable failure) {
        var status = Status.fromThrowable(failure);
        var detail = status.getDescription();
        if (end()) {
            onEnd.accept(
                    this,
                    "link to host %d closed: %s"
                            .formatted(
                                    address.host(),
                                    detail == null ? status.getCode().toString() : detail));
        }
    }

    @Override
    public void onCompleted() {
        if (end()) {
            onEnd.accept(this, "host %d closed its link".formatted(address.host()));
        }
    }

    /// Ends the link from this side, without a word to its owner.
    void close() {
        end();
    }

    private boolean end() {
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            ended = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
        channel.shutdownNow();
        return true;
    }

    private void wake() {
        lock.lock();
        try {
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "link to slice " + address.slice() + " host " + address.host();
    }
}
