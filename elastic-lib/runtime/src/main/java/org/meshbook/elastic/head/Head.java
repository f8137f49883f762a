package org.meshbook.elastic.head;

import static org.meshbook.elastic.UsageError.require;

import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
import org.meshbook.elastic.wire.SessionFile;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.proto.CloseSession;
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
    private static final long LONGEST_GRACE_MS = Duration.ofDays(7).toMillis();
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("meshbook-head").factory());
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Map<String, Lease> leases = new LinkedHashMap<>();
    private final List<StreamObserver<StopReply>> stoppers = new ArrayList<>();
    private final EventLog log;
    private final SessionFiles files;
    private final SliceKeeper keeper;
    private final Guests guests;
    private Optional<Duration> stay = Optional.empty();
    private boolean ending;
    private int idleTurn;
    private int port;

    Head(RuntimeFolder folder, WorkFolders work) {
        log = new EventLog(folder.file("events.log"));
        files = new SessionFiles(folder);
        guests = new Guests(folder);
        keeper = new SliceKeeper(new Starter(folder, work, this::post), log, this::later);
    }

    /// Opens for clients; called once the port is known.
    void open(int boundPort, String token) {
        port = boundPort;
        keeper.open(boundPort, token);
        later(FIRST_SESSION, new Note.IdleDue(0));
    }

    void post(Note note) {
        later(Duration.ZERO, note);
    }

    void awaitEnd() throws InterruptedException {
        finished.await();
        guests.close();
    }

    /// Ends all workers from any thread, when the process is being ended from outside.
    void killAll() {
        keeper.killAll();
        guests.close();
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
                case Note.GuestAsked asked -> guests.ask(asked.request(), asked.answer());
                case Note.Settled settled -> settled(settled);
                case Note.Released done -> done.link().done(done.number(), "");
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
            if (link.observing()) {
                observed(link, request);
                return;
            }
            switch (request.getAskCase()) {
                case OPEN -> open(link, request.getOpen());
                case PROVISION -> {
                    if (request.getProvision().hasQueue()) {
                        settle(link, request.getNumber(), request.getProvision());
                        return;
                    }
                    provision(leaseOf(link), request.getProvision());
                }
                case RELEASE -> {
                    var lease = leaseOf(link);
                    long number = request.getNumber();
                    release(lease, () -> post(new Note.Released(link, number)));
                    lease.push(Optional.empty());
                    files.note(lease);
                    return;
                }
                case SET_ACTIVE ->
                        leaseOf(link).active(Set.copyOf(request.getSetActive().getSlicesList()));
                case LET_GO ->
                        keeper.letGo(leaseOf(link), Set.copyOf(request.getLetGo().getSlicesList()));
                case CLOSE -> {
                    close(leaseOf(link), request.getClose());
                    link.done(request.getNumber(), "");
                    link.end();
                    return;
                }
                case PUBLISH -> {
                    var lease = leaseOf(link);
                    lease.names().put(request.getPublish().getNamed());
                    files.note(lease);
                }
                case WITHDRAW -> {
                    var lease = leaseOf(link);
                    lease.names().remove(request.getWithdraw().getName());
                    files.note(lease);
                }
                case NAMES -> {
                    link.names(request.getNumber(), leaseOf(link).names().all());
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

    /// What an observer asks: it opens, looks and leaves, and is refused everything else.
    private void observed(ClientLink link, SessionRequest request) {
        var seen = leases.values().stream().filter(l -> l.observers().contains(link)).findFirst();
        switch (request.getAskCase()) {
            case OPEN -> observe(link, request.getOpen());
            case NAMES -> link.names(request.getNumber(), required(seen).names().all());
            case CLOSE -> {
                required(seen).observers().remove(link);
                link.done(request.getNumber(), "");
                link.end();
            }
            case PROVISION, RELEASE, SET_ACTIVE, LET_GO, PUBLISH, WITHDRAW, ASK_NOT_SET ->
                    throw new UsageError(
                            "an observer can only look; '%s' is for who has session %s (%s)",
                            request.getAskCase().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                            required(seen).id(),
                            required(seen).holder());
        }
    }

    private void observe(ClientLink link, OpenSession open) {
        requireProtocol(open);
        var found =
                leases.values().stream()
                        .filter(l -> TokenCheck.matches(l.observerToken(), open.getToken()))
                        .findFirst();
        if (found.isEmpty()) {
            link.done(0, "no session is observed with this token: it is over, or never was");
            link.end();
            return;
        }
        var lease = found.get();
        lease.observers().add(link);
        note(lease, "observed", "by pid " + open.getPid());
        lease.show(link);
        link.opened(
                SessionOpened.newBuilder()
                        .setSession(lease.id())
                        .setObserverToken(lease.observerToken())
                        .setHolder(lease.attached() ? lease.holder() : "")
                        .setResumed(true)
                        .build());
    }

    private static Lease required(Optional<Lease> lease) {
        return lease.orElseThrow(
                () -> new UsageError("this stream observes no session; open one first"));
    }

    private static void requireProtocol(OpenSession open) {
        require(
                open.getProtocol().equals(HeadMethods.PROTOCOL),
                "this client speaks protocol %s, the running head (pid %d) speaks %s; end it with"
                        + " meshbook head stop",
                open.getProtocol(),
                ProcessHandle.current().pid(),
                HeadMethods.PROTOCOL);
    }

    private void open(ClientLink link, OpenSession open) {
        requireProtocol(open);
        if (ending) {
            link.unavailable();
            return;
        }
        boolean resumed = !open.getToken().isEmpty();
        var lease = resumed ? attachable(open) : fresh(open);
        lease.attach(link, open);
        idleTurn++;
        note(lease, resumed ? "attached" : "opened", "by pid " + open.getPid());
        files.note(lease);
        // Membership goes first, so that the client knows it when it is told that it is in.
        lease.push(Optional.empty());
        link.opened(
                SessionOpened.newBuilder()
                        .setSession(lease.id())
                        .setToken(lease.token())
                        .setResumed(resumed)
                        .setObserverToken(lease.observerToken())
                        .setFirstNumber(lease.nextNumbers())
                        .build());
    }

    private Lease fresh(OpenSession open) {
        var lease = new Lease("s" + files.next(), open);
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
                "session %s is in use by %s since %s; %%detach there first, or look on with"
                        + " %%attach %s --observe",
                lease.id(),
                lease.holder(),
                CLOCK.format(lease.since()),
                lease.id());
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
        files.note(lease);
    }

    /// The supply may have to look at a cluster first; its answer is a note.
    private void settle(ClientLink link, long number, ProvisionSlices what) {
        var lease = leaseOf(link);
        var request = Orders.of(lease, what);
        guests.settle(
                request,
                settled ->
                        post(
                                new Note.Settled(
                                        link, number, lease, Orders.settled(what, settled), "")),
                refusal -> post(new Note.Settled(link, number, lease, what, refusal)));
    }

    private void settled(Note.Settled settled) {
        var lease = settled.lease();
        try {
            require(settled.refusal().isEmpty(), "%s", settled.refusal());
            require(leases.containsValue(lease), "session %s is over", lease.id());
            keeper.provisionQueued(lease, settled.what());
            lease.push(Optional.empty());
            files.note(lease);
            guests.request(
                    Orders.of(lease, settled.what()),
                    keeper.program(),
                    standing -> post(new Note.Stood(standing)));
            settled.link().done(settled.number(), "");
        } catch (UsageError refusal) {
            settled.link().done(settled.number(), String.valueOf(refusal.getMessage()));
        }
    }

    /// @param released called once nothing of it is left in a queue; by any thread
    private void release(Lease lease, Runnable released) {
        boolean queued = lease.allocation().filter(ProvisionSlices::hasQueue).isPresent();
        keeper.release(lease);
        if (queued) {
            guests.withdraw(lease.id(), released);
        } else {
            released.run();
        }
    }

    private void dropped(ClientLink link) {
        leases.values().forEach(lease -> lease.observers().remove(link));
        leases.values().stream()
                .filter(lease -> lease.attachedBy(link))
                .findFirst()
                .ifPresent(lease -> detach(lease, "dropped"));
    }

    private void detach(Lease lease, String how) {
        int drop = lease.detach();
        note(lease, how, "kept for " + lease.grace().toSeconds() + " s");
        files.note(lease);
        later(lease.grace(), new Note.GraceOver(lease, drop));
    }

    private void graceOver(Note.GraceOver over) {
        var lease = over.lease();
        if (leases.containsValue(lease) && lease.stillDropped(over.drop())) {
            end(
                    lease,
                    SessionFile.State.EXPIRED,
                    "its grace period of %d s is over; %s had left it"
                            .formatted(lease.grace().toSeconds(), lease.holder()));
        }
    }

    private void close(Lease lease, CloseSession how) {
        if (how.getRestart()) {
            if (how.getGraceMs() > 0) {
                lease.keepFor(Duration.ofMillis(Math.min(how.getGraceMs(), LONGEST_GRACE_MS)));
            }
            detach(lease, "detached");
        } else {
            end(lease, SessionFile.State.CLOSED, "%s closed it".formatted(lease.holder()));
        }
    }

    private void end(Lease lease, SessionFile.State how, String why) {
        release(lease, () -> {});
        lease.detach();
        leases.remove(lease.id());
        note(lease, "closed", why);
        files.ended(lease, how, why);
        lease.observers().forEach(ClientLink::end);
        lease.observers().clear();
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
        leases.values()
                .forEach(
                        lease ->
                                files.ended(
                                        lease,
                                        SessionFile.State.CLOSED,
                                        "its head was stopped (" + why + ")"));
        leases.values().forEach(lease -> release(lease, () -> {}));
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
