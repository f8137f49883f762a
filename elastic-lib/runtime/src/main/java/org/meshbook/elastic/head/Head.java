package org.meshbook.elastic.head;

import static org.meshbook.elastic.UsageError.require;

import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.proto.EventInfo;
import org.meshbook.elastic.wire.proto.EventsReply;
import org.meshbook.elastic.wire.proto.KeepReply;
import org.meshbook.elastic.wire.proto.OpenSession;
import org.meshbook.elastic.wire.proto.ProvisionSlices;
import org.meshbook.elastic.wire.proto.SessionOpened;
import org.meshbook.elastic.wire.proto.SessionRequest;
import org.meshbook.elastic.wire.proto.StatusReply;
import org.meshbook.elastic.wire.proto.StopReply;

/// The head's state and its one thread: sessions come and go here; [SliceKeeper] keeps their
/// slices.
///
/// Every change is a [Note] that is handled on that thread, so that nothing here is locked.
final class Head {
    private static final System.Logger LOG = System.getLogger(Head.class.getName());

    /// A head that nobody asked to stay waits so long for a first session.
    private static final Duration FIRST_SESSION = Duration.ofSeconds(10);

    private static final Duration STOP = Duration.ofSeconds(3);

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("meshbook-head").factory());
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Map<String, Lease> leases = new LinkedHashMap<>();
    private final List<StreamObserver<StopReply>> stoppers = new ArrayList<>();
    private final EventLog log;
    private final SliceKeeper keeper;
    private Optional<Duration> stay = Optional.empty();
    private boolean ending;
    private int sessions;
    private int idleTurn;
    private int port;

    Head(RuntimeFolder folder, WorkFolders work) {
        log = new EventLog(folder.file("events.log"));
        keeper = new SliceKeeper(new Starter(folder, work, this::post), log, this::later);
    }

    /// Opens for clients; called once the port is known.
    void open(int boundPort) {
        port = boundPort;
        keeper.open(boundPort);
        later(FIRST_SESSION, new Note.IdleDue(0));
    }

    void post(Note note) {
        later(Duration.ZERO, note);
    }

    void awaitEnd() throws InterruptedException {
        finished.await();
    }

    /// Ends all workers from any thread, when the process is being ended from outside.
    void killAll() {
        keeper.killAll();
    }

    private void later(Duration delay, Note note) {
        try {
            thread.schedule(() -> handle(note), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.log(Level.DEBUG, "too late for {0}", note);
        }
    }

    private void handle(Note note) {
        try {
            switch (note) {
                case Note.Asked asked -> asked(asked.link(), asked.request());
                case Note.Dropped dropped -> dropped(dropped.link());
                case Note.GraceOver over -> graceOver(over);
                case Note.IdleDue due -> idleDue(due);
                case Note.StatusAsked asked -> answer(asked.answer(), status());
                case Note.EventsAsked asked -> answer(asked.answer(), events(asked));
                case Note.KeepAsked asked -> keep(asked);
                case Note.StopAsked asked -> stop(asked);
                case Note.StopDue _ -> finished.countDown();
                case Note.OfWorker ofWorker -> keeper.handle(ofWorker);
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a note to the head failed", e);
        }
        if (ending && keeper.allEnded()) {
            finish();
        }
    }

    // Sessions

    private void asked(ClientLink link, SessionRequest request) {
        try {
            switch (request.getAskCase()) {
                case OPEN -> open(link, request.getOpen());
                case PROVISION -> provision(leaseOf(link), request.getProvision());
                case RELEASE -> {
                    var lease = leaseOf(link);
                    keeper.release(lease);
                    lease.push(Optional.empty());
                }
                case SET_ACTIVE ->
                        leaseOf(link).active(Set.copyOf(request.getSetActive().getSlicesList()));
                case LET_GO ->
                        keeper.letGo(leaseOf(link), Set.copyOf(request.getLetGo().getSlicesList()));
                case CLOSE -> {
                    close(leaseOf(link), request.getClose().getRestart());
                    link.done(request.getNumber(), "");
                    link.end();
                    return;
                }
                case ASK_NOT_SET ->
                        throw new UsageError("the head does not know what the client asks");
            }
            if (!request.hasOpen()) {
                link.done(request.getNumber(), "");
            }
        } catch (UsageError refusal) {
            link.done(request.getNumber(), String.valueOf(refusal.getMessage()));
        }
    }

    private void open(ClientLink link, OpenSession open) {
        require(
                open.getProtocol().equals(HeadMethods.PROTOCOL),
                "this client speaks protocol %s, the running head (pid %d) speaks %s; end it with"
                        + " meshbook head stop",
                open.getProtocol(),
                ProcessHandle.current().pid(),
                HeadMethods.PROTOCOL);
        if (ending) {
            link.unavailable();
            return;
        }
        boolean resumed = !open.getToken().isEmpty();
        var lease = resumed ? attachable(open) : fresh(open);
        lease.attach(link, open);
        idleTurn++;
        note(lease, resumed ? "attached" : "opened", "by pid " + open.getPid());
        // Membership goes first, so that the client knows it when it is told that it is in.
        lease.push(Optional.empty());
        link.opened(
                SessionOpened.newBuilder()
                        .setSession(lease.id())
                        .setToken(lease.token())
                        .setResumed(resumed)
                        .build());
    }

    private Lease fresh(OpenSession open) {
        var lease = new Lease("s" + ++sessions, open);
        leases.put(lease.id(), lease);
        return lease;
    }

    private Lease attachable(OpenSession open) {
        var lease =
                leases.values().stream()
                        .filter(l -> TokenCheck.matches(l.token(), open.getToken()))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new UsageError(
                                                "no session has this token: its grace period is"
                                                        + " over or its head is gone; open a new"
                                                        + " session"));
        require(
                !lease.attached() || lease.client().getPid() == open.getPid(),
                "session %s is in use by pid %d; close it there first",
                lease.id(),
                lease.client().getPid());
        return lease;
    }

    private Lease leaseOf(ClientLink link) {
        return leases.values().stream()
                .filter(lease -> lease.attachedBy(link))
                .findFirst()
                .orElseThrow(() -> new UsageError("this stream has no session; open one first"));
    }

    private void provision(Lease lease, ProvisionSlices what) {
        keeper.provision(lease, what);
        lease.push(Optional.empty());
    }

    private void dropped(ClientLink link) {
        leases.values().stream()
                .filter(lease -> lease.attachedBy(link))
                .findFirst()
                .ifPresent(lease -> detach(lease, "dropped"));
    }

    private void detach(Lease lease, String how) {
        int drop = lease.detach();
        note(lease, how, "kept for " + lease.grace().toSeconds() + " s");
        later(lease.grace(), new Note.GraceOver(lease, drop));
    }

    private void graceOver(Note.GraceOver over) {
        var lease = over.lease();
        if (leases.containsValue(lease) && lease.stillDropped(over.drop())) {
            end(lease, "its grace period is over");
        }
    }

    private void close(Lease lease, boolean restart) {
        if (restart) {
            detach(lease, "detached");
        } else {
            end(lease, "by its client");
        }
    }

    private void end(Lease lease, String why) {
        keeper.release(lease);
        lease.detach();
        leases.remove(lease.id());
        note(lease, "closed", why);
        if (leases.isEmpty()) {
            idleTurn++;
            stay.ifPresentOrElse(
                    idle -> later(idle, new Note.IdleDue(idleTurn)), () -> beginToEnd("idle"));
        }
    }

    // The head's own life

    private void idleDue(Note.IdleDue due) {
        if (due.turn() == idleTurn && leases.isEmpty()) {
            beginToEnd("idle");
        }
    }

    private void keep(Note.KeepAsked asked) {
        var idle = Duration.ofMillis(asked.request().getIdleMs());
        stay = Optional.of(idle);
        idleTurn++;
        later(idle, new Note.IdleDue(idleTurn));
        answer(asked.answer(), KeepReply.getDefaultInstance());
    }

    private void stop(Note.StopAsked asked) {
        stoppers.add(asked.answer());
        beginToEnd("asked to stop");
    }

    private void beginToEnd(String why) {
        if (ending) {
            return;
        }
        LOG.log(Level.INFO, "head ends: {0}", why);
        ending = true;
        leases.values().forEach(keeper::release);
        later(STOP, new Note.StopDue());
    }

    private void finish() {
        var reply = StopReply.newBuilder().setPid(ProcessHandle.current().pid()).build();
        stoppers.forEach(stopper -> answer(stopper, reply));
        stoppers.clear();
        finished.countDown();
    }

    private StatusReply status() {
        var status = StatusReply.newBuilder().setPid(ProcessHandle.current().pid()).setPort(port);
        for (var lease : leases.values()) {
            lease.slices().forEach(slice -> status.addSlices(slice.info()));
            status.addSessions(lease.info());
        }
        return status.build();
    }

    private EventsReply events(Note.EventsAsked asked) {
        var request = asked.request();
        return EventsReply.newBuilder()
                .addAllEvents(log.last(request.getSession(), request.getLast()))
                .build();
    }

    private void note(Lease lease, String kind, String text) {
        LOG.log(Level.INFO, "session={0} {1} {2}", lease.id(), kind, text);
        log.add(
                EventInfo.newBuilder()
                        .setAtMicros(EventLog.micros(Instant.now()))
                        .setSession(lease.id())
                        .setSlice(-1)
                        .setKind(kind)
                        .setText(text));
    }

    private static <A> void answer(StreamObserver<A> asker, A reply) {
        asker.onNext(reply);
        asker.onCompleted();
    }
}
