package org.meshbook.elastic.head;

import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.wire.proto.HostInfo;
import org.meshbook.elastic.wire.proto.WorkerHello;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// One worker process of one generation of a slice. On the head's thread only, but for its
/// identity.
final class HostProcess {
    private static final System.Logger LOG = System.getLogger(HostProcess.class.getName());

    private final SliceGroup slice;
    private final int generation;
    private final int index;
    private @Nullable ProcessHandle process;
    private boolean adopted;
    private @Nullable StreamObserver<WorkerWelcome> link;
    private @Nullable WorkerHello hello;
    private boolean killed;
    private boolean ended;
    private boolean leaving;
    private Path image = Path.of("");
    private boolean imaged;
    private long imageBytes;
    private long memoryBytes;
    private long beatNanos;

    HostProcess(SliceGroup slice, int generation, int index) {
        this.slice = slice;
        this.generation = generation;
        this.index = index;
    }

    SliceGroup slice() {
        return slice;
    }

    int generation() {
        return generation;
    }

    int index() {
        return index;
    }

    /// A process that was no longer wanted when it came up is ended here.
    void started(ProcessHandle fresh) {
        process = fresh;
        if (killed) {
            end(fresh);
        }
    }

    /// A process that somebody else started is this one from now on.
    void adopted(ProcessHandle fresh, StreamObserver<WorkerWelcome> over) {
        adopted = true;
        link = over;
        beatNanos = System.nanoTime();
        started(fresh);
    }

    boolean isAdopted() {
        return adopted;
    }

    /// @return whether there is a process
    boolean isTaken() {
        return process != null;
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    void registered(WorkerHello said, StreamObserver<WorkerWelcome> over) {
        hello = said;
        link = over;
        beat(said.getMemoryBytes());
    }

    boolean isRegistered() {
        return hello != null && !ended;
    }

    boolean speaksOver(StreamObserver<WorkerWelcome> other) {
        return link == other;
    }

    void beat(long bytes) {
        memoryBytes = bytes;
        beatNanos = System.nanoTime();
    }

    /// @return since when nothing was heard of it, on the nanosecond clock
    long beatNanos() {
        return beatNanos;
    }

    long memoryBytes() {
        return memoryBytes;
    }

    void kill() {
        killed = true;
        if (process != null) {
            end(process);
        }
    }

    private static void end(ProcessHandle which) {
        if (!which.destroyForcibly()) {
            LOG.log(Level.DEBUG, "pid {0} has ended by itself", which.pid());
        }
    }

    /// Where it puts its image, if it is suspended.
    void image(Path file) {
        image = file;
    }

    Path image() {
        return image;
    }

    void imaged(long bytes) {
        imaged = true;
        imageBytes = bytes;
    }

    boolean isImaged() {
        return imaged;
    }

    long imageBytes() {
        return imageBytes;
    }

    /// Asks it to end, as whoever runs the machines would.
    void terminate() {
        if (process != null && !ended) {
            boolean unused = process.destroy();
        }
    }

    void leaves() {
        leaving = true;
    }

    /// Tells it that it may go.
    void letGo() {
        leaving = true;
        if (link != null && !ended) {
            link.onNext(WorkerWelcome.newBuilder().setGo(true).build());
        }
    }

    boolean isLeaving() {
        return leaving;
    }

    void end() {
        ended = true;
    }

    boolean ended() {
        return ended;
    }

    long pid() {
        return process == null || ended ? 0 : process.pid();
    }

    HostInfo info(int devices) {
        var info = HostInfo.newBuilder().setPid(pid()).setDevices(devices);
        if (hello != null && !ended) {
            info.setMemoryBytes(memoryBytes)
                    .setAddress("127.0.0.1")
                    .setDispatchPort(hello.getDispatchPort())
                    .setBulkPort(hello.getBulkPort());
        }
        return info.build();
    }

    @Override
    public String toString() {
        return "session="
                + slice.lease().id()
                + " slice="
                + slice.id()
                + " generation="
                + generation
                + " host="
                + index;
    }
}
