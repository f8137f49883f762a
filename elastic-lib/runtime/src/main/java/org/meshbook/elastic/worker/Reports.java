package org.meshbook.elastic.worker;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.Gate;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.Answer;
import org.meshbook.elastic.wire.proto.CallProgress;
import org.meshbook.elastic.wire.proto.Compiled;
import org.meshbook.elastic.wire.proto.Done;
import org.meshbook.elastic.wire.proto.FaultProto;
import org.meshbook.elastic.wire.proto.FetchChunk;
import org.meshbook.elastic.wire.proto.Report;

/// The way back to the client of one stream. Thread-safe; what is said after the client has left is
/// dropped.
final class Reports {
    private final ServerCallStreamObserver<Report> stream;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private boolean closed;

    Reports(ServerCallStreamObserver<Report> stream) {
        this.stream = stream;
        stream.setOnReadyHandler(this::wake);
        stream.setOnCancelHandler(this::close);
    }

    void done(long op, Fault... fault) {
        var done = Done.newBuilder().setOp(op);
        for (var one : fault) {
            done.setFault(encode(one));
        }
        send(Report.newBuilder().setDone(done).build());
    }

    void compiled(String fingerprint, long micros, Fault... fault) {
        var compiled = Compiled.newBuilder().setFingerprint(fingerprint).setMicros(micros);
        for (var one : fault) {
            compiled.setFault(encode(one));
        }
        send(Report.newBuilder().setCompiled(compiled).build());
    }

    void answer(Answer.Builder answer, Fault... fault) {
        for (var one : fault) {
            answer.setFault(encode(one));
        }
        send(Report.newBuilder().setAnswer(answer).build());
    }

    void progress(long request, long bytes) {
        send(
                Report.newBuilder()
                        .setProgress(CallProgress.newBuilder().setRequest(request).setBytes(bytes))
                        .build());
    }

    void fetchFailed(long request, Fault fault) {
        send(
                Report.newBuilder()
                        .setChunk(
                                FetchChunk.newBuilder().setRequest(request).setFault(encode(fault)))
                        .build());
    }

    /// Sends a value. A small one goes at once; a large one in chunks on a thread of its own, as
    /// fast as the client takes them, while the device works on.
    void fetched(long request, HostArray value) {
        if (value.type().bytes() <= ArrayCodec.CHUNK_BYTES) {
            send(chunk(request, value, 0));
            return;
        }
        Thread.ofVirtual().name("fetch " + request).start(() -> sendChunks(request, value));
    }

    private void sendChunks(long request, HostArray value) {
        try {
            for (long at = 0; at < value.type().bytes(); at += ArrayCodec.CHUNK_BYTES) {
                if (!awaitReady()) {
                    return;
                }
                send(chunk(request, value, at));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Report chunk(long request, HostArray value, long offset) {
        var bytes = value.bytes();
        int from = Math.toIntExact(offset);
        int length = Math.min(ArrayCodec.CHUNK_BYTES, bytes.remaining() - from);
        return Report.newBuilder()
                .setChunk(
                        FetchChunk.newBuilder()
                                .setRequest(request)
                                .setTotal(value.type().bytes())
                                .setOffset(offset)
                                .setData(ArrayCodec.wrap(bytes.slice(from, length))))
                .build();
    }

    private void send(Report report) {
        Gate.ofProcess().pass();
        lock.lock();
        try {
            if (!closed) {
                stream.onNext(report);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitReady() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !stream.isReady()) {
                ready.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Ends the stream from this side.
    void complete() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                ready.signalAll();
                stream.onCompleted();
            }
        } finally {
            lock.unlock();
        }
    }

    private static FaultProto encode(Fault fault) {
        return FaultProto.newBuilder()
                .setKind(fault.kind().name())
                .addAllSlices(fault.slices())
                .setMessage(fault.message())
                .build();
    }
}
