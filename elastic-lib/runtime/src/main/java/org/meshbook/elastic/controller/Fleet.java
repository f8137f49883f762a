package org.meshbook.elastic.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Hello;
import org.meshbook.elastic.wire.proto.Lost;
import org.meshbook.elastic.wire.proto.Peer;
import org.meshbook.elastic.wire.proto.Report;
import org.meshbook.elastic.wire.proto.Roster;
import org.meshbook.elastic.wire.proto.Suspend;

/// The workers of an allocation, and the links to those that are reachable.
///
/// Changes happen on one thread, `mesh control`: what the head says and what links report. A slice
/// is live while all its hosts are linked; if one link ends, the slice is lost as a whole, all
/// others are told, and unless the head says so too, it is linked again after a moment.
final class Fleet implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Fleet.class.getName());
    private static final long RELINK_MILLIS = 1000;
    private static final long FLUSH_MILLIS = 100;

    private final MembershipSource source;
    private final LossBook losses;
    private final Operations operations;
    private final Progress progress;
    private final BiConsumer<WorkerLink, Report> onReport;
    private final Consumer<WorkerLink> onCome;
    private final List<Device> devices;

    /// By the id of the worker's first device.
    private final ConcurrentSkipListMap<Integer, WorkerLink> links = new ConcurrentSkipListMap<>();

    /// Only on the control thread.
    private final Map<Integer, Pause> pauses = new HashMap<>();

    /// What the hosts of each suspended slice have to hear when they are back.
    private final Map<Integer, Queue<Word>> owed = new ConcurrentHashMap<>();

    private volatile Predicate<List<WorkerLink>> quiet = _ -> true;

    private final List<Consumer<SliceEvent>> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService control =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("mesh control").factory());
    private final Slices.Subscription subscription;
    private volatile Membership membership;
    private volatile boolean closed;

    private record Word(int worker, Consumer<WorkerLink> saying) {}

    private record Pause(int generation, long until) {}

    Fleet(
            MembershipSource source,
            LossBook losses,
            Operations operations,
            Progress progress,
            BiConsumer<WorkerLink, Report> onReport,
            Consumer<WorkerLink> onCome) {
        this.source = source;
        this.losses = losses;
        this.operations = operations;
        this.progress = progress;
        this.onReport = onReport;
        this.onCome = onCome;
        this.membership = source.now();
        this.devices = devices(membership.view());
        reconcile();
        if (!source.observes()) {
            control.scheduleWithFixedDelay(
                    this::flush, FLUSH_MILLIS, FLUSH_MILLIS, TimeUnit.MILLISECONDS);
        }
        this.subscription = source.watch((now, event) -> onControl(() -> changed(now, event)));
    }

    private static List<Device> devices(ClusterView view) {
        var devices = new ArrayList<Device>();
        for (var slice : view.slices()) {
            for (int host = 0; host < slice.hosts().size(); host++) {
                for (int i = 0; i < slice.hosts().get(host).devices(); i++) {
                    devices.add(new Device(devices.size(), slice.id(), host, i));
                }
            }
        }
        return List.copyOf(devices);
    }

    List<Device> devices() {
        return devices;
    }

    ClusterView view() {
        return membership.view();
    }

    Slices.Subscription watch(Consumer<SliceEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    boolean observing() {
        return source.observes();
    }

    /// @return the worker processes' generation of each slice that is linked
    Map<Integer, Integer> generations() {
        var generations = new TreeMap<Integer, Integer>();
        links.values()
                .forEach(
                        link ->
                                generations.put(
                                        link.address().slice(), link.address().generation()));
        return generations;
    }

    /// @return the link to the worker of a device, if its slice is live
    Optional<WorkerLink> link(int device) {
        var entry = links.floorEntry(device);
        return entry != null && entry.getValue().owns(device)
                ? Optional.of(entry.getValue())
                : Optional.empty();
    }

    /// @return links to all workers that are reachable
    List<WorkerLink> links() {
        return List.copyOf(links.values());
    }

    /// @return links to all hosts of a slice; empty if it is lost
    List<WorkerLink> links(int slice) {
        return links.values().stream().filter(link -> link.address().slice() == slice).toList();
    }

    /// @return links to all workers of a mesh, fewer if some are lost
    List<WorkerLink> links(Mesh mesh) {
        var all = new TreeMap<Integer, WorkerLink>();
        for (var device : mesh.devices()) {
            link(device.id()).ifPresent(link -> all.put(link.firstDevice(), link));
        }
        return List.copyOf(all.values());
    }

    /// @param workers by their first devices
    /// @return their links, fewer if some are lost
    List<WorkerLink> linksOf(Collection<Integer> workers) {
        return workers.stream().flatMap(worker -> link(worker).stream()).toList();
    }

    /// @return first device of the worker that owns a device
    int workerOf(int device) {
        var one = devices.get(device);
        return device - one.index();
    }

    void letGo(Set<Integer> slices) {
        source.letGo(slices);
    }

    /// @param test whether nothing is under way to or from some workers
    void quietWhen(Predicate<List<WorkerLink>> test) {
        quiet = test;
    }

    /// Tells workers something that need not be in order with operations; those of a suspended
    /// slice hear it when they are back, those of a lost one never.
    ///
    /// @param workers by their first devices
    void tell(Collection<Integer> workers, Consumer<WorkerLink> saying) {
        for (int worker : workers) {
            var later = owed.get(devices.get(worker).slice());
            if (later != null) {
                later.add(new Word(worker, saying));
            }
            link(worker).ifPresent(saying);
        }
    }

    /// Tells workers what to free now, not with the next command.
    void flush() {
        operations.between(_ -> links.values().forEach(WorkerLink::flush));
    }

    /// @throws UsageError if a device is not of this allocation
    void requireOurs(Mesh mesh) {
        for (var device : mesh.devices()) {
            UsageError.require(
                    device.id() < devices.size() && devices.get(device.id()).equals(device),
                    "%s of %s is not one of the %d devices provisioned now; make the mesh again",
                    device,
                    mesh,
                    devices.size());
        }
    }

    // ---- on the control thread, or in the constructor

    private void changed(Membership now, Optional<SliceEvent> event) {
        // 1. a loss is told with its cause; a suspended slice is none
        event.ifPresent(
                happened -> {
                    switch (happened) {
                        case SliceEvent.Lost lost -> lost(lost, now.view().generation());
                        case SliceEvent.Draining draining -> drain(draining);
                        case SliceEvent.Suspended gone -> suspended(gone.slice());
                        case SliceEvent.Leaving leaving -> goesOn(leaving.slice());
                        case SliceEvent.Joined _, SliceEvent.Resumed _ -> {
                            // The membership says it.
                        }
                    }
                });
        // 2. everything else is in the membership; what was read at the start may be newer than
        // what is still being told
        if (now.view().generation() >= membership.view().generation()) {
            membership = now;
            reconcile();
        }
        // 3. whoever listens sees the view that shows it
        event.ifPresent(happened -> listeners.forEach(listener -> tell(listener, happened)));
    }

    private void lost(SliceEvent.Lost lost, long viewGeneration) {
        boolean ours =
                links(lost.slice()).stream()
                        .allMatch(link -> link.address().generation() <= lost.generation());
        if (ours) {
            lose(
                    new Loss(
                            lost.slice(),
                            lost.kind(),
                            lost.cause(),
                            lost.at(),
                            viewGeneration,
                            true));
        }
    }

    /// Nothing more is dispatched; what is under way ends; then the workers write their images. If
    /// that takes too long, the head says that the slice is lost.
    private void drain(SliceEvent.Draining draining) {
        int slice = draining.slice();
        owed.put(slice, new ConcurrentLinkedQueue<>());
        operations.hold(slice);
        if (source.observes()) {
            return;
        }
        var left = Duration.between(Instant.now(), draining.until());
        Thread.ofVirtual().name("mesh drain " + slice).start(() -> awaitQuiet(slice, left));
    }

    private void awaitQuiet(int slice, Duration left) {
        try {
            var links = links(slice);
            if (progress.await(left, () -> !owed.containsKey(slice) || quiet.test(links))) {
                onControl(() -> links.forEach(link -> writeImage(slice, link)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeImage(int slice, WorkerLink link) {
        if (owed.containsKey(slice)) {
            operations.between(
                    _ -> link.send(Command.newBuilder().setSuspend(Suspend.getDefaultInstance())));
        }
    }

    private void suspended(int slice) {
        for (var link : links(slice)) {
            links.remove(link.firstDevice(), link);
            link.close();
        }
    }

    /// It serves, with all that it had: also if it cannot be suspended after all.
    private void goesOn(int slice) {
        var words = owed.remove(slice);
        if (words != null) {
            words.forEach(word -> link(word.worker()).ifPresent(word.saying()));
            operations.release(slice);
        }
    }

    private void reconcile() {
        var view = membership.view();
        boolean joined = false;
        var resumed = new ArrayList<Integer>();
        for (int slice : allocated()) {
            var seen = view.slices().stream().filter(s -> s.id() == slice).findFirst();
            var addresses = membership.workers().stream().filter(w -> w.slice() == slice).toList();
            var linked = links(slice);
            boolean away =
                    owed.containsKey(slice)
                            && seen.filter(s -> s.state() != SliceState.HEALTHY).isPresent();
            boolean whole = !away && !addresses.isEmpty() && addresses.size() == hosts(slice);
            if (whole && !same(linked, addresses) && !pausing(slice, addresses)) {
                if (!linked.isEmpty()) {
                    lose(
                            gone(
                                    slice,
                                    seen,
                                    "replaced by generation " + addresses.getFirst().generation()));
                }
                addresses.forEach(this::open);
                if (owed.containsKey(slice)) {
                    resumed.add(slice);
                } else {
                    losses.joined(slice);
                }
                joined = true;
            } else if (!linked.isEmpty() && !whole && seen.map(Fleet::down).orElse(true)) {
                lose(gone(slice, seen, "released"));
            }
        }
        if (joined) {
            sendRoster();
        }
        resumed.forEach(this::goesOn);
    }

    private TreeSet<Integer> allocated() {
        var slices = new TreeSet<Integer>();
        devices.forEach(device -> slices.add(device.slice()));
        return slices;
    }

    private int hosts(int slice) {
        return 1
                + devices.stream()
                        .filter(d -> d.slice() == slice)
                        .mapToInt(Device::host)
                        .max()
                        .orElse(-1);
    }

    /// A worker whose link has just ended is most likely dead, and the head about to say so.
    private boolean pausing(int slice, List<WorkerAddress> addresses) {
        var pause = pauses.get(slice);
        return pause != null
                && pause.generation() == addresses.getFirst().generation()
                && System.nanoTime() - pause.until() < 0;
    }

    private static boolean same(List<WorkerLink> linked, List<WorkerAddress> addresses) {
        return linked.stream().map(WorkerLink::address).toList().equals(addresses);
    }

    private static boolean down(SliceView slice) {
        return switch (slice.state()) {
            case LOST, RETURNING, HUNG, QUEUED -> true;
            case HEALTHY, LEAVING, DRAINING, SUSPENDED, RESTORING -> false;
        };
    }

    private Loss gone(int slice, Optional<SliceView> seen, String otherwise) {
        var kind =
                seen.filter(s -> s.state() == SliceState.HUNG).isPresent()
                        ? LossKind.HUNG
                        : LossKind.PROCESS_GONE;
        var cause = seen.map(SliceView::cause).filter(c -> !c.isEmpty()).orElse(otherwise);
        return new Loss(slice, kind, cause, Instant.now(), membership.view().generation(), true);
    }

    private void open(WorkerAddress address) {
        int first =
                devices.stream()
                        .filter(d -> d.slice() == address.slice() && d.host() == address.host())
                        .mapToInt(Device::id)
                        .min()
                        .orElseThrow();
        var link =
                WorkerLink.open(
                        address,
                        first,
                        source.token(),
                        source.observes(),
                        onReport,
                        (ended, why) -> onControl(() -> ended(ended, why)));
        if (!source.observes()) {
            link.send(
                    Command.newBuilder()
                            .setHello(Hello.newBuilder().setFirstOp(operations.first())));
            operations.between(_ -> onCome.accept(link));
        }
        links.put(first, link);
    }

    private void ended(WorkerLink link, String why) {
        if (links.get(link.firstDevice()) != link) {
            return;
        }
        int slice = link.address().slice();
        if (owed.containsKey(slice)) {
            // It is being suspended; if it is lost instead, the head says so.
            links.remove(link.firstDevice(), link);
            operations.ended(link);
            return;
        }
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RELINK_MILLIS);
        pauses.put(slice, new Pause(link.address().generation(), until));
        lose(
                new Loss(
                        slice,
                        LossKind.LINK_CLOSED,
                        why,
                        Instant.now(),
                        membership.view().generation(),
                        false));
        control.schedule(this::reconcile, RELINK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void lose(Loss loss) {
        // 1. whoever waits for the slice here is freed
        var ended = links(loss.slice());
        losses.lose(loss.in(operations.stepOn(ended)));
        for (var link : ended) {
            links.remove(link.firstDevice(), link);
            link.close();
            operations.ended(link);
        }
        owed.remove(loss.slice());
        operations.release(loss.slice());
        progress.signal();
        // 2. and whoever waits for it there
        if (!ended.isEmpty() && !source.observes()) {
            var lost =
                    Lost.newBuilder()
                            .setSlice(loss.slice())
                            .setGeneration(ended.getFirst().address().generation())
                            .setCause(loss.cause());
            operations.between(
                    next ->
                            links.values()
                                    .forEach(
                                            link ->
                                                    link.send(
                                                            Command.newBuilder()
                                                                    .setLost(
                                                                            lost.setBeforeOp(
                                                                                    next)))));
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "slice={0} lost cause={1}",
                    loss.slice(),
                    loss.cause());
        }
    }

    private void sendRoster() {
        if (source.observes()) {
            return;
        }
        var roster = Roster.newBuilder();
        for (var link : links.values()) {
            var address = link.address();
            roster.addPeers(
                    Peer.newBuilder()
                            .setSlice(address.slice())
                            .setGeneration(address.generation())
                            .setHost(address.host())
                            .setFirstDevice(link.firstDevice())
                            .setDevices(address.devices())
                            .setAddress(address.address())
                            .setBulkPort(address.bulkPort()));
        }
        operations.between(
                _ ->
                        links.values()
                                .forEach(
                                        link -> link.send(Command.newBuilder().setRoster(roster))));
    }

    private static void tell(Consumer<SliceEvent> listener, SliceEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a listener to slices failed", e);
        }
    }

    private void onControl(Runnable work) {
        try {
            control.execute(
                    () -> {
                        try {
                            work.run();
                        } catch (RejectedExecutionException e) {
                            // What it wanted to do later is not needed after close.
                            LOG.log(System.Logger.Level.DEBUG, "closed meanwhile");
                        } catch (RuntimeException e) {
                            LOG.log(System.Logger.Level.ERROR, "membership change failed", e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            // Closed: nobody works with these slices any more.
            LOG.log(System.Logger.Level.DEBUG, "after close");
        }
    }

    /// @throws UsageError if the slices were released
    void requireOpen() {
        UsageError.require(
                !closed, "the slices of this array or mesh were released; provision some again");
    }

    /// @throws UsageError if the slices were released, or this is an observer
    void requireWriter(String what) {
        requireOpen();
        UsageError.require(
                !source.observes(),
                "an observer can only look and fetch; %s is for who has the session",
                what);
    }

    @Override
    public void close() {
        closed = true;
        subscription.close();
        control.shutdownNow();
        var all = new ArrayList<>(links.values());
        links.clear();
        for (var link : all) {
            losses.lose(
                    new Loss(
                            link.address().slice(),
                            LossKind.ANNOUNCED,
                            "the slices were released",
                            Instant.now(),
                            view().generation(),
                            true));
            link.close();
            operations.ended(link);
        }
        List.copyOf(owed.keySet()).forEach(operations::release);
        owed.clear();
        progress.signal();
    }
}
