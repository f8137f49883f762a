package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.manager.health.Prober.Probed;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.Slices.Subscription;

/// Chooses the slices that a program runs on, and runs it again when that choice must change.
///
/// Reading is wait-free on any thread and always shows one moment; [#activate], [#growIfAvailable]
/// and [#elasticRetry] belong to one thread at a time.
///
/// Longer than most files because it is the whole vocabulary that a person types; what happens
/// behind each word is in the classes beside it.
public final class Manager implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final AtomicReference<@Nullable Manager> CURRENT = new AtomicReference<>();

    private final Slices slices;
    private final Map<Integer, List<Device>> devices;
    private final Events events = new Events();
    private final Muster muster;
    private final Ledger ledger;
    private final RunMeter meter;
    private final AtomicLong closes = new AtomicLong();
    private final AtomicBoolean retrying = new AtomicBoolean();
    private final List<RunListener> runListeners = new CopyOnWriteArrayList<>();
    private final Subscription watching;
    private volatile int minimum = 1;

    /// The manager of the current allocation: the same one each time, until the allocation changes.
    ///
    /// @return the manager
    /// @throws UsageError if no slices are provisioned
    public static Manager current() {
        var slices = CurrentSlices.get();
        synchronized (CURRENT) {
            var known = CURRENT.get();
            if (known != null && known.slices == slices) {
                return known;
            }
            var fresh = new Manager(slices);
            CURRENT.set(fresh);
            if (known != null) {
                known.close();
            }
            return fresh;
        }
    }

    /// Groups the devices by slice, probes all slices at once, and makes the healthy ones active.
    ///
    /// @param slices the allocation
    /// @throws UsageError if it has no devices
    /// @throws Interrupted if a person pressed stop
    public Manager(Slices slices) {
        this(slices, ManagerOptions.DEFAULT);
    }

    /// @param slices the allocation
    /// @param options how slices are judged
    public Manager(Slices slices, ManagerOptions options) {
        this.slices = slices;
        this.devices = grouped(slices.devices());
        this.muster = new Muster(slices, devices.keySet(), options, events, this::sample);
        this.ledger = new Ledger(slices, muster.chronicle(), this::recovered);
        this.meter = new RunMeter(slices);
        this.watching = slices.watch(muster::heard);
        boolean enlisted = false;
        try {
            muster.enlist();
            enlisted = true;
        } finally {
            if (!enlisted) {
                watching.close();
            }
        }
    }

    /// @return the allocation
    public Slices slices() {
        return slices;
    }

    /// @return everything below at one moment
    public Roster roster() {
        return muster.roster();
    }

    /// @return devices of each slice in order; never changes
    public Map<Integer, List<Device>> devicesBySlice() {
        return devices;
    }

    /// @return all slices of the allocation, ascending; never changes
    public Set<Integer> allSliceIndices() {
        return roster().all();
    }

    /// @return slices that the mesh is built from, ascending
    public Set<Integer> activeSliceIndices() {
        return roster().active();
    }

    /// @return devices of the active slices, in order of slice: what to build a mesh from
    public List<Device> activeDevices() {
        return devicesOf(roster().active());
    }

    /// @return all slices that are not active, ascending
    public Set<Integer> inactiveSliceIndices() {
        return roster().inactive();
    }

    /// @return inactive slices that the last probe found healthy, ascending
    public Set<Integer> availableInactiveSlices() {
        return roster().available();
    }

    /// @return active slices that announced that they leave; see [#resizeIfNeeded]
    public Set<Integer> leavingSlices() {
        return muster.leaving();
    }

    /// @return number of slices of the allocation
    public int totalSliceCount() {
        return devices.size();
    }

    /// @return number of active slices
    public int activeSliceCount() {
        return roster().active().size();
    }

    /// @return fewest slices that the elastic retry under way goes on with; 1 if none runs
    public int minimumSliceCount() {
        return minimum;
    }

    /// @return first device of the active slice with the lowest index
    /// @throws UsageError if no slice is active
    public Device defaultDevice() {
        var active = activeDevices();
        require(!active.isEmpty(), "no slice is active; see %%slices");
        return active.getFirst();
    }

    /// @param amount an amount for all slices, as a global batch
    /// @return the share of the active ones
    /// @throws UsageError if it does not divide
    public int scaleByActiveSlices(int amount) {
        long product = (long) amount * activeSliceCount();
        require(
                product % totalSliceCount() == 0,
                "%d for %d slices does not divide over %d active ones: remainder %d",
                amount,
                totalSliceCount(),
                activeSliceCount(),
                product % totalSliceCount());
        return Math.toIntExact(product / totalSliceCount());
    }

    /// @param amount an amount for all slices
    /// @return the share of the active ones
    public double scaleByActiveSlices(double amount) {
        return amount * activeSliceCount() / totalSliceCount();
    }

    /// Chooses the active slices; never probes.
    ///
    /// @param chosen indices
    /// @throws UsageError if none is chosen or one is not of the allocation
    public void activate(Set<Integer> chosen) {
        require(!chosen.isEmpty(), "no slice chosen; choose among %s", allSliceIndices());
        muster.activate(chosen);
    }

    /// Probes inactive slices and makes those active that answer right now.
    ///
    /// @param wanted indices, usually [#availableInactiveSlices()]
    /// @return those that became active
    public Set<Integer> tryClaim(Set<Integer> wanted) {
        try {
            var found = probe(wanted);
            if (!found.healthy().isEmpty()) {
                muster.claim(found.generations());
            }
            return Collections.unmodifiableSet(found.healthy());
        } catch (InterruptedException e) {
            throw new Interrupted("probing " + Words.slices(wanted), e);
        }
    }

    /// Waits until enough slices answer; changes nothing.
    ///
    /// @param count how many
    /// @param poll time between the starts of two probes when nothing is pushed
    /// @param timeout how long at most
    /// @return all healthy slices, which may be more
    /// @throws CapacityTimeout if they are fewer at the deadline
    /// @throws Interrupted if a person pressed stop
    public Set<Integer> waitForSlices(int count, Duration poll, Duration timeout) {
        require(
                count >= 1 && count <= totalSliceCount(),
                "%d slices wanted, the allocation has %d; ask for 1 to %d",
                count,
                totalSliceCount(),
                totalSliceCount());
        try {
            return Collections.unmodifiableSet(await(count, poll, timeout).healthy());
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for " + count + " slices", e);
        }
    }

    /// Waits for ever, polling each 10 s.
    ///
    /// @param count how many
    /// @return all healthy slices
    public Set<Integer> waitForSlices(int count) {
        return waitForSlices(count, POLL, Retry.FOREVER);
    }

    /// Looks for inactive slices that answer again, on a thread of its own; no second one is
    /// started.
    ///
    /// @param poll time between probes when nothing is pushed
    public void startMonitoring(Duration poll) {
        muster.monitor().start(poll);
    }

    /// Tells everything that happens, in order, one event at a time, on the thread that brought it;
    /// listeners must not block.
    ///
    /// @param listener as `IO::println`
    /// @return ends it
    public Subscription onEvent(Consumer<? super ElasticEvent> listener) {
        return events.listen(listener);
    }

    /// Follows the run under way, and those after it, step by step.
    ///
    /// @param listener called on the program's thread, so it must be quick
    /// @return ends it
    public Subscription onRun(RunListener listener) {
        runListeners.add(listener);
        return () -> runListeners.remove(listener);
    }

    /// @return what each loss and each growth cost so far
    public Recoveries recoveries() {
        return ledger.all();
    }

    /// @return where the time of the run went, of the last one if none runs
    public Goodput goodput() {
        return meter.goodput(recoveries().all(), totalSliceCount());
    }

    /// Runs a program on the healthy slices, and again on those left or come back whenever slices
    /// are lost.
    ///
    /// Steps are dispatched, not waited for: a program that ends by reading a value, or with
    /// [Slices#awaitReady], sees a loss under its last steps while it can still be retried.
    ///
    /// @param retry how to wait and when to give up
    /// @param body the program; everything that it makes of arrays is freed when slices are lost
    /// @param <T> what it yields
    /// @param <X> what it throws
    /// @return the value of the last attempt
    /// @throws X what the last attempt threw
    /// @throws CapacityTimeout if too few slices answer in time
    /// @throws ElasticGaveUp if the limits or the policy say so; the cause is the last loss
    /// @throws UsageError if this manager already runs one
    public <T extends @Nullable Object, X extends Exception> T elasticRetry(
            Retry retry, Attempted<T, X> body) throws X {
        require(
                retrying.compareAndSet(false, true),
                "this manager already runs an elastic retry; end it first, or nest the loops in"
                        + " one");
        try {
            var loop = new RetryLoop<>(this, retry, body);
            minimum = loop.minimum();
            muster.monitor().start(retry.waits().poll());
            meter.begin(activeSliceCount());
            return loop.run();
        } finally {
            meter.end();
            muster.monitor().close();
            runListeners.forEach(RunListener::ended);
            minimum = 1;
            retrying.set(false);
        }
    }

    /// Fits the program to the slices between two steps: moves off those that announced that they
    /// leave, and grows onto those available. The mesh's first axis changes its size, every array
    /// of the state moves, then the active slices are swapped; no step is lost or done again.
    ///
    /// @param mesh the program's mesh
    /// @param state its arrays: a record, list or map; host arrays and other leaves are kept
    /// @param <T> the state
    /// @return where to go on
    /// @throws SliceLost if a slice of the old mesh is lost; let it pass
    /// @throws org.meshbook.elastic.MeshMismatch if the devices or an array do not divide
    public <T> Resized<T> resizeIfNeeded(Mesh mesh, T state) {
        return resizeIfNeeded(mesh, state, devices -> Resizing.stretch(mesh, devices));
    }

    /// @param mesh the program's mesh
    /// @param state its arrays
    /// @param shape makes the other mesh from its devices; the same axis names
    /// @param <T> the state
    /// @return where to go on
    public <T> Resized<T> resizeIfNeeded(Mesh mesh, T state, Function<List<Device>, Mesh> shape) {
        try {
            return new Resizing<T>(this, shape).resize(mesh, state);
        } catch (InterruptedException e) {
            throw new Interrupted("changing the mesh", e);
        }
    }

    /// Grows onto available slices, if there are any, and does no more than that: [#resizeIfNeeded]
    /// also leaves those that announced their end. If a new slice fails meanwhile, mesh, state and
    /// active slices stay as they are.
    ///
    /// @param mesh the program's mesh
    /// @param state its arrays
    /// @param <T> the state
    /// @return where to go on
    /// @throws SliceLost if a slice of the old mesh is lost; let it pass
    /// @throws org.meshbook.elastic.MeshMismatch if the devices or an array do not divide
    public <T> Resized<T> growIfAvailable(Mesh mesh, T state) {
        return growIfAvailable(mesh, state, wider -> Resizing.stretch(mesh, wider));
    }

    /// @param mesh the program's mesh
    /// @param state its arrays
    /// @param shape makes the wider mesh from its devices; the same axis names
    /// @param <T> the state
    /// @return where to go on
    public <T> Resized<T> growIfAvailable(Mesh mesh, T state, Function<List<Device>, Mesh> shape) {
        try {
            return new Resizing<T>(this, shape).grow(new Resized<>(mesh, state, false));
        } catch (InterruptedException e) {
            throw new Interrupted("growing", e);
        }
    }

    /// Tells an event to those who listen here.
    ///
    /// @param event what happened
    public void tell(ElasticEvent event) {
        if (event instanceof ElasticEvent.Restored restored) {
            ledger.restored(restored);
        }
        events.tell(event);
    }

    /// Ends monitoring, waits under way, and listening to the head; idempotent. Reading goes on to
    /// work.
    @Override
    public void close() {
        muster.monitor().close();
        watching.close();
        closes.incrementAndGet();
        muster.stir();
    }

    /// On the program's thread, after each step.
    void completed(long step) {
        slices.reached(step);
        meter.stepped();
        ledger.completed(step);
        runListeners.forEach(listener -> listener.completed(step));
    }

    Ledger ledger() {
        return ledger;
    }

    RunMeter meter() {
        return meter;
    }

    List<Device> devicesOf(Set<Integer> chosen) {
        var list = new ArrayList<Device>();
        for (int slice : new TreeSet<>(chosen)) {
            list.addAll(devices.getOrDefault(slice, List.of()));
        }
        return Collections.unmodifiableList(list);
    }

    Probed probe(Set<Integer> asked) throws InterruptedException {
        return muster.probe(asked);
    }

    Probed await(int wanted, Duration poll, Duration within) throws InterruptedException {
        return muster.wait(closes).until(allSliceIndices(), wanted, poll, within);
    }

    void adopt(Set<Integer> chosen, Map<Integer, Integer> generations) {
        muster.adopt(chosen, generations);
    }

    void withdraw(Set<Integer> gone) {
        muster.withdraw(gone);
    }

    void grew(Set<Integer> gained, Duration start) {
        var now = slices.clock().elapsed();
        meter.active(activeSliceCount());
        ledger.grew(gained, activeSliceCount(), start);
        events.tell(
                new ElasticEvent.Grew(
                        slices.clock().now(), gained, activeSliceIndices(), now.minus(start)));
    }

    void left(Set<Integer> gone, Duration start) {
        meter.active(activeSliceCount());
        ledger.left(gone, activeSliceCount(), start);
        var took = slices.clock().elapsed().minus(start);
        events.tell(new ElasticEvent.Left(slices.clock().now(), gone, activeSliceIndices(), took));
    }

    /// Throws if an active slice is lost, or was lost and is back as new processes.
    void raisePendingLoss(long step) {
        var loss = muster.pending(step);
        if (loss.isPresent()) {
            throw loss.get();
        }
    }

    boolean lossIsPending() {
        return muster.pending(-1).isPresent();
    }

    private void sample() {
        meter.sample();
    }

    private void recovered(Recovery recovery) {
        events.tell(new ElasticEvent.Recovered(slices.clock().now(), recovery));
    }

    private static Map<Integer, List<Device>> grouped(List<Device> devices) {
        require(!devices.isEmpty(), "the allocation has no devices; ask for slices first");
        var grouped = new TreeMap<Integer, List<Device>>();
        for (var device : devices) {
            grouped.computeIfAbsent(device.slice(), slice -> new ArrayList<>()).add(device);
        }
        grouped.replaceAll((slice, list) -> List.copyOf(list));
        return Collections.unmodifiableMap(grouped);
    }
}
