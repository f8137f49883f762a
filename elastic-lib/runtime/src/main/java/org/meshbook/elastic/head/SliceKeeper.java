package org.meshbook.elastic.head;

import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.supply.WorkerProgram;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.proto.EventInfo;
import org.meshbook.elastic.wire.proto.ProvisionSlices;
import org.meshbook.elastic.wire.proto.WorkerAssignment;
import org.meshbook.elastic.wire.proto.WorkerHello;
import org.meshbook.elastic.wire.proto.WorkerImaged;
import org.meshbook.elastic.wire.proto.WorkerLeaving;
import org.meshbook.elastic.wire.proto.WorkerReport;
import org.meshbook.elastic.wire.proto.WorkerWelcome;

/// Keeps slices alive: starts them, finds their losses, ends what is left of them, starts them
/// again. On the head's thread only.
///
/// Loss → event at once → SIGKILL to all hosts of the slice → after the delay, and once the old
/// processes are gone, the next generation. Slices that come through a queue are not started here,
/// see [Admission].
final class SliceKeeper {
    private static final System.Logger LOG = System.getLogger(SliceKeeper.class.getName());
    private static final int MISSES = 3;
    private static final int SIGNALLED = 128;
    private static final Duration START = Duration.ofSeconds(60);

    /// A killed process closes its sockets a moment before its end can be seen.
    private static final Duration END_AFTER_LINK = Duration.ofMillis(250);

    private static final Duration END_AFTER_LEAVING = Duration.ofSeconds(1);
    private static final Duration MEMORY_PUSH = Duration.ofSeconds(2);
    private static final long MEMORY_STEP_BYTES = 1 << 20;

    private final Starter starter;
    private final EventLog log;
    private final BiConsumer<Duration, Note> later;
    private final Set<HostProcess> hosts = new HashSet<>();
    private final Spares spares;

    /// Slices that made room, and for whom, until they are back.
    private final Map<SliceGroup, Lease> displaced = new HashMap<>();

    private final Admission admission;
    private int headPort;

    SliceKeeper(Starter starter, EventLog log, BiConsumer<Duration, Note> later) {
        this.starter = starter;
        this.log = log;
        this.later = later;
        this.spares = new Spares(starter, later);
        this.admission = new Admission(this);
    }

    void open(int port, String token) {
        headPort = port;
        admission.open(token);
    }

    boolean allEnded() {
        return hosts.isEmpty();
    }

    void killAll() {
        starter.killAll();
    }

    void provision(Lease lease, ProvisionSlices what) {
        Capacity.check(lease, what, hosts.size());
        lease.provisioned(what);
        for (int id = 0; id < what.getSlices(); id++) {
            lease.slices().add(new SliceGroup(lease, id, what.getHosts(), what.getDevices()));
        }
        lease.slices().forEach(this::start);
        spares.provision(lease);
    }

    /// Slices that come through a queue: nothing is started here.
    void provisionQueued(Lease lease, ProvisionSlices what) {
        Capacity.check(lease, what, hosts.size());
        lease.provisioned(what);
        for (int id = 0; id < what.getSlices(); id++) {
            var slice = new SliceGroup(lease, id, what.getHosts(), what.getDevices());
            slice.queueUp();
            lease.slices().add(slice);
        }
        admission.expect(lease);
    }

    WorkerProgram program() {
        return starter.program();
    }

    void release(Lease lease) {
        admission.forget(lease);
        lease.slices().forEach(slice -> slice.hosts().forEach(HostProcess::kill));
        lease.slices().forEach(SliceKeeper::dropImages);
        lease.slices().forEach(displaced::remove);
        spares.release(lease);
        lease.released();
        // Who had made room for it may come back at once.
        var back = displaced.keySet().stream().filter(s -> displaced.get(s) == lease).toList();
        back.forEach(SliceGroup::restartDue);
        back.forEach(this::restart);
    }

    private static void dropImages(SliceGroup slice) {
        slice.images().forEach(WorkFolders::delete);
        if (slice.isSuspended()) {
            slice.hosts().forEach(host -> WorkFolders.delete(host.image()));
        }
    }

    void handle(Note.OfWorker note) {
        switch (note) {
            case Note.Started started -> started.host().started(started.process());
            case Note.StartFailed failed -> gone(failed.host(), failed.cause());
            case Note.Reported reported -> reported(reported.link(), reported.report());
            case Note.LinkEnded ended -> linkEnded(ended.link());
            case Note.LinkLost lost -> linkLost(lost.host());
            case Note.Exited exited -> gone(exited.host(), sentence(exited));
            case Note.BeatDue due -> beatDue(due);
            case Note.HealthyDue due -> healthyDue(due);
            case Note.RestartDue due -> restartDue(due);
            case Note.SpareDue due -> spares.due(due);
            case Note.EndDue due -> due.host().kill();
            case Note.Stood stood -> admission.stood(stood.standing());
        }
    }

    private void start(SliceGroup slice) {
        displaced.remove(slice);
        var lease = slice.lease();
        var what = lease.allocation().orElseThrow();
        for (var host : slice.nextGeneration()) {
            hosts.add(host);
            host.image(starter.imageFile());
            starter.start(host, assignment(lease, what, host), slice.isSwapped());
        }
        note(slice, slice.isRestoring() ? "restoring" : "starting", "");
        later.accept(START, new Note.HealthyDue(slice, slice.hosts()));
    }

    /// The processes of the next generation are there already, or will come by themselves.
    void expect(SliceGroup slice) {
        for (var host : slice.nextGeneration()) {
            hosts.add(host);
            host.image(starter.imageFile());
        }
        note(slice, "starting", "");
        later.accept(START, new Note.HealthyDue(slice, slice.hosts()));
    }

    void adopt(HostProcess host, ProcessHandle process, StreamObserver<WorkerWelcome> link) {
        var lease = host.slice().lease();
        host.adopted(process, link);
        link.onNext(
                WorkerWelcome.newBuilder()
                        .setAssignment(assignment(lease, lease.allocation().orElseThrow(), host))
                        .build());
    }

    private WorkerAssignment assignment(Lease lease, ProvisionSlices what, HostProcess host) {
        return WorkerAssignment.newBuilder()
                .setHeadPort(headPort)
                .setSession(lease.id())
                .setSlice(host.slice().id())
                .setGeneration(host.generation())
                .setHost(host.index())
                .setDevices(what.getDevices())
                .setFirstDevice(host.slice().firstDevice(host.index()))
                .setEngine(what.getEngine())
                .setThreads(Capacity.threads(what))
                .setToken(lease.token())
                .setObserverToken(lease.observerToken())
                .setHeartbeatMs(what.getHeartbeatMs())
                .setNoticeMs(what.getNoticeMs())
                .setImage(host.image().toString())
                .setResume(
                        host.slice().isRestoring()
                                ? host.slice().images().get(host.index()).toString()
                                : "")
                .build();
    }

    // What workers say

    private void reported(StreamObserver<WorkerWelcome> link, WorkerReport report) {
        switch (report.getReportCase()) {
            case HELLO -> hello(link, report.getHello());
            case BEAT -> speaker(link).ifPresent(h -> beat(h, report.getBeat().getMemoryBytes()));
            case LEAVING ->
                    speaker(link).ifPresent(host -> leaving(host, link, report.getLeaving()));
            case IMAGED -> speaker(link).ifPresent(host -> imaged(host, report.getImaged()));
            case ASK -> admission.asked(link, report.getAsk());
            case REPORT_NOT_SET -> LOG.log(Level.WARNING, "a worker said what is not known here");
        }
    }

    private void hello(StreamObserver<WorkerWelcome> link, WorkerHello hello) {
        var found = hosts.stream().filter(host -> fits(host, hello)).findFirst();
        if (found.isEmpty() || !found.get().slice().has(found.get())) {
            link.onCompleted();
            return;
        }
        var host = found.get();
        host.registered(hello, link);
        link.onNext(WorkerWelcome.getDefaultInstance());
        armHeartbeat(host, silence(host));
        var slice = host.slice();
        if (slice.starting() && slice.allRegistered()) {
            boolean resumed = slice.isRestoring();
            slice.returned();
            if (resumed) {
                slice.images().forEach(WorkFolders::delete);
                slice.lease().push(Optional.of(note(slice, "resumed", "")));
                return;
            }
            slice.lease().turn();
            slice.lease().push(Optional.of(joined(slice, host)));
        }
    }

    private EventInfo joined(SliceGroup slice, HostProcess host) {
        return slice.isSwapped()
                ? noted(
                        slice,
                        event(
                                        slice,
                                        "swapped",
                                        "process %d, %s, took its place"
                                                .formatted(host.pid(), slice.instead()))
                                .setInstead(slice.instead()))
                : note(slice, "joined", "");
    }

    private static boolean fits(HostProcess host, WorkerHello hello) {
        var slice = host.slice();
        return slice.lease().id().equals(hello.getSession())
                && slice.id() == hello.getSlice()
                && host.generation() == hello.getGeneration()
                && host.index() == hello.getHost()
                && TokenCheck.matches(slice.lease().token(), hello.getToken());
    }

    private Optional<HostProcess> speaker(StreamObserver<WorkerWelcome> link) {
        return hosts.stream().filter(host -> host.speaksOver(link)).findFirst();
    }

    private void beat(HostProcess host, long memoryBytes) {
        host.beat(memoryBytes);
        var slice = host.slice();
        if (slice.serves() && slice.has(host)) {
            slice.lease().pushMemory(MEMORY_PUSH, MEMORY_STEP_BYTES);
        }
    }

    private void leaving(
            HostProcess host, StreamObserver<WorkerWelcome> link, WorkerLeaving leaving) {
        var slice = host.slice();
        var notice = Duration.ofMillis(leaving.getNoticeMs());
        var cause =
                slice.evictedFor()
                        .map(lost -> "it makes room for " + lost.title())
                        .or(slice::takenAway)
                        .orElse("process %d %s".formatted(host.pid(), leaving.getCause()));
        if (notice.isPositive() && slice.lease().attached() && slice.has(host) && slice.serves()) {
            announced(host, notice, cause);
            return;
        }
        link.onNext(WorkerWelcome.getDefaultInstance());
        host.leaves();
        later.accept(END_AFTER_LEAVING, new Note.EndDue(host));
        lose(host, LossKind.ANNOUNCED, cause);
        host.letGo();
    }

    /// The slice serves on for a while, so that a program can move off it, or is put into an image.
    private void announced(HostProcess host, Duration notice, String cause) {
        var slice = host.slice();
        later.accept(notice.plus(END_AFTER_LEAVING), new Note.EndDue(host));
        if (slice.isLeaving() || slice.isDraining()) {
            return;
        }
        boolean suspend = slice.lease().allocation().orElseThrow().getSuspend();
        if (suspend) {
            slice.drains(cause);
        } else {
            slice.leaves(cause);
        }
        var until = EventLog.micros(Instant.now().plus(notice));
        tell(slice, suspend ? "draining" : "leaving", cause, until);
        slice.until(until);
    }

    private void tell(SliceGroup slice, String kind, String cause, long untilMicros) {
        var event = log.add(event(slice, kind, cause).setUntilMicros(untilMicros));
        slice.lease().push(Optional.of(event));
    }

    /// Once all its hosts have written their images, the slice is suspended: it comes back with
    /// them after the restart delay. One that cannot be suspended leaves as if it were not asked to
    /// be.
    private void imaged(HostProcess host, WorkerImaged said) {
        var slice = host.slice();
        if (!slice.has(host) || !slice.isDraining()) {
            return;
        }
        if (!said.getRefusal().isEmpty()) {
            slice.leaves(slice.cause() + ", and cannot be suspended: " + said.getRefusal());
            tell(slice, "leaving", slice.cause(), slice.until());
            return;
        }
        host.imaged(said.getBytes());
        if (!slice.allImaged()) {
            return;
        }
        slice.suspended();
        long bytes = slice.hosts().stream().mapToLong(HostProcess::imageBytes).sum();
        slice.lease()
                .push(
                        Optional.of(
                                log.add(event(slice, "suspended", slice.cause()).setBytes(bytes))));
        slice.hosts().forEach(HostProcess::letGo);
        slice.hosts().forEach(h -> later.accept(END_AFTER_LEAVING, new Note.EndDue(h)));
        var delay = Duration.ofMillis(slice.lease().allocation().orElseThrow().getRestartDelayMs());
        later.accept(Eviction.away(slice, delay), new Note.RestartDue(slice, slice.hosts()));
    }

    /// The program has moved off slices that announced their end.
    void letGo(Lease lease, Set<Integer> slices) {
        for (var slice : lease.slices()) {
            if (slices.contains(slice.id()) && slice.isLeaving()) {
                slice.hosts().forEach(HostProcess::letGo);
                slice.hosts().forEach(h -> later.accept(END_AFTER_LEAVING, new Note.EndDue(h)));
                lose(slice.hosts().getFirst(), LossKind.ANNOUNCED, slice.cause());
            }
        }
    }

    // How losses are found

    private void gone(HostProcess host, String cause) {
        host.end();
        hosts.remove(host);
        lose(host, LossKind.PROCESS_GONE, cause);
        var slice = host.slice();
        if (!slice.isSuspended() || !slice.lease().slices().contains(slice)) {
            WorkFolders.delete(host.image());
        }
        if (slice.has(host) && slice.allEnded() && slice.state() == SliceState.HUNG) {
            slice.fenced();
            slice.lease().push(Optional.empty());
        }
        if (!slice.running() && slice.allEnded()) {
            slice.evictedFor().ifPresent(lost -> takePlace(lost, slice));
        }
        restart(slice);
    }

    private void linkEnded(StreamObserver<WorkerWelcome> link) {
        admission.leftUnanswered(link);
        speaker(link).ifPresent(host -> later.accept(END_AFTER_LINK, new Note.LinkLost(host)));
    }

    private void linkLost(HostProcess host) {
        if (host.ended()) {
            return;
        }
        if (host.isAdopted() && !host.isAlive()) {
            gone(host, "process %d ended".formatted(host.pid()));
            return;
        }
        lose(host, LossKind.LINK_CLOSED, "process " + host.pid() + " closed its link to the head");
        if (host.isAdopted()) {
            // Its end is told to whoever started it, so it is looked for here.
            later.accept(END_AFTER_LINK, new Note.LinkLost(host));
        }
    }

    private void beatDue(Note.BeatDue due) {
        var host = due.host();
        if (!host.slice().has(host) || !host.slice().running()) {
            return;
        }
        long now = System.nanoTime();
        var beat = heartbeat(host);
        var left = silence(host).minusNanos(now - host.beatNanos());
        if (left.isPositive()) {
            armHeartbeat(host, left);
        } else if (now - due.dueNanos() > beat.toNanos()) {
            // The head itself stood still: it cannot know who was silent.
            host.beat(host.memoryBytes());
            armHeartbeat(host, silence(host));
        } else {
            lose(
                    host,
                    LossKind.HUNG,
                    "process %d missed %d heartbeats of %d ms"
                            .formatted(host.pid(), MISSES, beat.toMillis()));
        }
    }

    private void armHeartbeat(HostProcess host, Duration left) {
        later.accept(left, new Note.BeatDue(host, System.nanoTime() + left.toNanos()));
    }

    private static Duration heartbeat(HostProcess host) {
        return host.slice()
                .lease()
                .allocation()
                .map(what -> Duration.ofMillis(what.getHeartbeatMs()))
                .orElse(START);
    }

    private static Duration silence(HostProcess host) {
        return heartbeat(host).multipliedBy(MISSES);
    }

    private void healthyDue(Note.HealthyDue due) {
        var slice = due.slice();
        if (slice.runs(due.hosts()) && slice.starting()) {
            slice.hosts().stream()
                    .filter(host -> !host.isRegistered())
                    .findFirst()
                    .ifPresent(
                            host ->
                                    lose(
                                            host,
                                            LossKind.HUNG,
                                            "process %d did not register within %d s"
                                                    .formatted(host.pid(), START.toSeconds())));
        }
    }

    // What follows a loss

    private void lose(HostProcess host, LossKind kind, String cause) {
        var slice = host.slice();
        var lease = slice.lease();
        if (!slice.has(host) || !slice.running() || !lease.slices().contains(slice)) {
            return;
        }
        // 1. Tell it.
        boolean known = slice.state().holds();
        boolean announced = slice.isLeaving() || slice.isDraining();
        var told = announced ? LossKind.ANNOUNCED : kind;
        var why =
                slice.isDraining()
                        ? slice.cause() + ", and its image was not complete in time"
                        : slice.isLeaving() ? slice.cause() : cause;
        slice.images().forEach(WorkFolders::delete);
        slice.lost(kind == LossKind.HUNG ? SliceState.HUNG : SliceState.LOST, why);
        var delay =
                slice.restartDelay(
                        Duration.ofMillis(lease.allocation().orElseThrow().getRestartDelayMs()));
        if (known) {
            lease.turn();
            lease.push(Optional.of(lost(slice, told, why)));
        } else {
            note(slice, "failed", why);
            lease.push(Optional.empty());
        }
        // 2. End what is left of it; whoever leaves by himself has a moment to do so.
        slice.hosts().stream().filter(other -> !other.isLeaving()).forEach(HostProcess::kill);
        // 3. Start again: by a spare as soon as the old processes are gone.
        if (slice.byQueue()) {
            return;
        }
        if (spares.take(lease)) {
            slice.swap("an idle spare");
            slice.restartDue();
            restart(slice);
        } else {
            Eviction.victim(slice, delay, hosts).ifPresent(victim -> evict(victim, slice));
            later.accept(Eviction.away(slice, delay), new Note.RestartDue(slice, slice.hosts()));
        }
    }

    /// The victim hears of it as of any other notice: its program moves off it, or it is suspended.
    private void evict(SliceGroup victim, SliceGroup lost) {
        note(victim, "evicted", "makes room for " + lost.title());
        victim.evict(lost);
        victim.hosts().forEach(HostProcess::terminate);
        var end = Eviction.notice(victim).plus(END_AFTER_LEAVING);
        victim.hosts().forEach(host -> later.accept(end, new Note.EndDue(host)));
    }

    /// The lost slice takes the place of the victim, unless it is back already or released.
    private void takePlace(SliceGroup lost, SliceGroup victim) {
        victim.roomIsMade();
        displaced.put(victim, lost.lease());
        if (!lost.running() && lost.lease().slices().contains(lost)) {
            lost.swap(victim.title());
            lost.restartDue();
            restart(lost);
        }
    }

    private void restartDue(Note.RestartDue due) {
        if (due.slice().runs(due.hosts())) {
            due.slice().restartDue();
            restart(due.slice());
        }
    }

    private void restart(SliceGroup slice) {
        if (slice.byQueue()) {
            admission.ended(slice);
            return;
        }
        if (slice.canRestart() && slice.lease().slices().contains(slice)) {
            start(slice);
            slice.lease().push(Optional.empty());
        }
    }

    private static String sentence(Note.Exited exited) {
        if (exited.code() > SIGNALLED) {
            return "process %d ended by signal %d"
                    .formatted(exited.pid(), exited.code() - SIGNALLED);
        }
        var how = "process %d ended with exit code %d".formatted(exited.pid(), exited.code());
        return exited.words().isEmpty() ? how : how + ": " + exited.words();
    }

    EventInfo note(SliceGroup slice, String kind, String text) {
        return noted(slice, event(slice, kind, text));
    }

    private EventInfo noted(SliceGroup slice, EventInfo.Builder event) {
        LOG.log(
                Level.INFO,
                "session={0} slice={1} generation={2} {3} {4}",
                slice.lease().id(),
                slice.id(),
                slice.generation(),
                event.getKind(),
                event.getText());
        return log.add(event);
    }

    private EventInfo lost(SliceGroup slice, LossKind kind, String cause) {
        LOG.log(
                Level.INFO,
                "session={0} slice={1} generation={2} lost {3}: {4}",
                slice.lease().id(),
                slice.id(),
                slice.generation(),
                kind,
                cause);
        return log.add(event(slice, "lost", cause).setLoss(kind.name()));
    }

    private static EventInfo.Builder event(SliceGroup slice, String kind, String text) {
        return EventInfo.newBuilder()
                .setAtMicros(EventLog.micros(Instant.now()))
                .setSession(slice.lease().id())
                .setSlice(slice.id())
                .setGeneration(slice.generation())
                .setKind(kind)
                .setText(text);
    }
}
