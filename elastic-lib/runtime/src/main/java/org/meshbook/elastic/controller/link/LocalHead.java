package org.meshbook.elastic.controller.link;

import static org.meshbook.elastic.UsageError.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.proto.GuestRequest;
import org.meshbook.elastic.wire.proto.KeepRequest;
import org.meshbook.elastic.wire.proto.StatusRequest;
import org.meshbook.elastic.wire.proto.StopRequest;

/// The head of this user on this machine: finds it, starts it, asks it, ends it.
///
/// A head that is found is one whose process lives; nothing here waits for one that hangs longer
/// than a few seconds. Thread-safe.
public final class LocalHead {
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration GUEST = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofMillis(5);

    private final RuntimeFolder folder;

    private LocalHead(RuntimeFolder folder) {
        this.folder = folder;
    }

    /// @return the head of the runtime folder that the environment names
    /// @throws org.meshbook.elastic.UsageError if the folder cannot be used
    public static LocalHead ofEnvironment() {
        return new LocalHead(RuntimeFolder.ofEnvironment());
    }

    /// @param folder a runtime folder
    /// @return its head
    /// @throws org.meshbook.elastic.UsageError if the folder cannot be used
    public static LocalHead at(Path folder) {
        return new LocalHead(RuntimeFolder.at(folder));
    }

    /// @return what the head says, or empty if none runs
    /// @throws HeadUnavailable if one runs and does not answer
    public Optional<StatusReport> status() {
        return find().map(
                        head ->
                                HeadCall.ask(
                                        head,
                                        HeadMethods.STATUS,
                                        StatusRequest.getDefaultInstance(),
                                        ANSWER))
                .map(StatusReport::of);
    }

    /// Starts a head that outlives its sessions, or makes the one that runs do so.
    ///
    /// @param idle it ends when it had no session for so long
    /// @param port where it shall listen; 0 lets the system choose
    /// @return who it is
    /// @throws HeadUnavailable if it cannot be started, or one runs at another port
    public StatusReport.Head start(Duration idle, int port) {
        var head = find().orElseGet(() -> new HeadStart(folder, port).run());
        if (port != 0 && head.port() != port) {
            throw new HeadUnavailable(
                    ("port %d asked for, but a head (pid %d) runs at port %d; end it with meshbook"
                                    + " head stop")
                            .formatted(port, head.pid(), head.port()));
        }
        var keep = KeepRequest.newBuilder().setIdleMs(idle.toMillis()).build();
        HeadCall.ask(head, HeadMethods.KEEP, keep, ANSWER);
        return new StatusReport.Head(head.pid(), head.port());
    }

    /// Ends the head and all its workers; one that does not answer is killed, and its workers die
    /// with it. Waits until its process is gone.
    ///
    /// @return its process id, or empty if none ran
    /// @throws HeadUnavailable if it cannot be ended
    public Optional<Long> stop() {
        var found = find();
        found.ifPresent(this::end);
        // One that was ending by itself has taken its state file away already.
        ends();
        return found.map(HeadFile::pid);
    }

    /// @return the tail of the log of all sessions, oldest first; empty if no head runs
    /// @param last how many entries at most
    public List<LoggedEvent> events(int last) {
        return find().map(head -> LoggedEvent.tail(head, "", last)).orElse(List.of());
    }

    /// Starts what lives in the head beside the slices, unless it runs. It ends with the head, so
    /// whoever uses it has a session.
    ///
    /// @param name its name, as `cluster`
    /// @param options what is wanted of it
    /// @return how to reach it
    /// @throws UsageError if the head refuses; one line that says why
    /// @throws HeadUnavailable if no head runs or it does not answer
    public Map<String, String> guest(String name, Map<String, String> options) {
        var head =
                find().orElseThrow(
                                () ->
                                        new HeadUnavailable(
                                                "no head runs that could have a '%s'"
                                                        .formatted(name)));
        var request = GuestRequest.newBuilder().setName(name).putAllOptions(options).build();
        var reply = HeadCall.ask(head, HeadMethods.GUEST, request, GUEST);
        require(reply.getRefusal().isEmpty(), "%s", reply.getRefusal());
        return Map.copyOf(reply.getFactsMap());
    }

    /// @return where it and its sessions are written down
    public RuntimeFolder folder() {
        return folder;
    }

    /// @return the head that runs
    public Optional<HeadFile> find() {
        return HeadFile.find(folder);
    }

    /// @return the head that runs, or a fresh one
    /// @throws HeadUnavailable if none can be started
    public HeadFile findOrStart() {
        return find().orElseGet(() -> new HeadStart(folder, 0).run());
    }

    boolean lives() {
        return folder.held();
    }

    /// Waits a moment for a head that is about to end.
    ///
    /// @param head which
    /// @return whether that head is no longer the one to be found here
    public boolean awaitEnd(HeadFile head) {
        return within(() -> find().filter(head::equals).isEmpty());
    }

    private void end(HeadFile head) {
        try {
            HeadCall.ask(head, HeadMethods.STOP, StopRequest.getDefaultInstance(), ANSWER);
        } catch (HeadUnavailable deaf) {
            head.process().ifPresent(ProcessHandle::destroyForcibly);
        }
        if (!ends()) {
            head.process().ifPresent(ProcessHandle::destroyForcibly);
            if (!ends()) {
                throw new HeadUnavailable(
                        "the head (pid %d) could not be ended; kill that process"
                                .formatted(head.pid()));
            }
        }
    }

    /// Its lock is free once its process is gone, also where nobody waits for dead processes.
    private boolean ends() {
        return within(() -> !folder.held());
    }

    private static boolean within(BooleanSupplier wanted) {
        long deadline = System.nanoTime() + END.toNanos();
        while (!wanted.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return true;
    }
}
