package org.meshbook.elastic.sim;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.Timeline;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostParts;
import org.meshbook.elastic.slices.hosts.HostResults;

/// An allocation of virtual slices. The thread that makes it drives it; see [#at] for faults that
/// come while a program runs.
///
/// Poison is by generations: each loss and each return advances one counter, and an array born at
/// count `g` is lost if one of its slices was lost at a count of `g` or later.
public final class Simulation implements Slices {
    private final SimClock clock = new SimClock();
    private final Timeline timeline = new Timeline(clock);
    private final SimTimes times;
    private final List<Device> devices;
    private final SimHead head;
    private final List<SimScope> scopes = new ArrayList<>();
    private List<SimArray> inFlight = new ArrayList<>();
    private int copies;

    /// What a program holds of an allocation; nothing, once it has closed what it made.
    ///
    /// @param threads started and not ended
    /// @param scopes open, with arrays in them
    /// @param copies in host memory
    /// @param listeners of membership
    public record Held(int threads, int scopes, int copies, int listeners) {
        /// Nothing at all.
        public static final Held NOTHING = new Held(0, 0, 0, 0);
    }

    private Simulation(int count, int devicesEach, SimTimes times) {
        require(count >= 1, "%d slices; ask for at least 1", count);
        require(devicesEach >= 1, "%d devices a slice; ask for at least 1", devicesEach);
        this.times = times;
        var all = new ArrayList<Device>();
        for (int slice = 0; slice < count; slice++) {
            for (int index = 0; index < devicesEach; index++) {
                all.add(new Device(all.size(), slice, 0, index));
            }
        }
        this.devices = List.copyOf(all);
        this.head = new SimHead(clock, times, count, devicesEach, this::poisonInFlight);
    }

    /// @param slices number of slices
    /// @param devicesEach devices of each
    /// @return all of them healthy, with times as on one machine
    public static Simulation of(int slices, int devicesEach) {
        return new Simulation(slices, devicesEach, SimTimes.LOCAL);
    }

    /// @param slices number of slices
    /// @param devicesEach devices of each
    /// @param times how long things take
    /// @return all of them healthy
    public static Simulation of(int slices, int devicesEach, SimTimes times) {
        return new Simulation(slices, devicesEach, times);
    }

    /// Leaves lost slices lost until [#restart].
    ///
    /// @return this
    public Simulation withoutReturns() {
        head.withoutReturns();
        return this;
    }

    /// @return what has not been given back
    public Held held() {
        return new Held(clock.threads(), scopes.size(), copies, head.listeners());
    }

    /// Runs an action when the virtual clock gets there.
    ///
    /// @param time since the start
    /// @param action a fault or a check; must not wait
    /// @return this
    public Simulation at(Duration time, Runnable action) {
        clock.at(time, action);
        return this;
    }

    /// Ends a slice's processes; the head tells it a little later.
    ///
    /// @param slice index
    public void kill(int slice) {
        head.kill(slice);
    }

    /// Has a slice announce that it will leave; it serves on until it is let go or the time is
    /// over.
    ///
    /// @param slice index
    /// @param time how long it serves on at most
    public void notice(int slice, Duration time) {
        head.notice(slice, time);
    }

    /// Asks a slice to end, which is suspended: its image is written, it comes back with it after a
    /// restart, and whoever dispatches or reads waits; an image that cannot be complete in time
    /// makes it a loss. A loss in between is one.
    ///
    /// @param slice index
    /// @param grace how long the image may take
    public void suspend(int slice, Duration grace) {
        head.suspend(slice, grace);
    }

    /// Has a slice leave at once, as announced; the head tells it at once.
    ///
    /// @param slice index
    public void leave(int slice) {
        head.leave(slice);
    }

    /// Stops a slice's processes without ending them; the head gives it up after missed heartbeats.
    ///
    /// @param slice index
    public void hang(int slice) {
        head.hang(slice);
    }

    /// Lets a stopped slice go on, if it was not given up.
    ///
    /// @param slice index
    public void resume(int slice) {
        head.resume(slice);
    }

    /// Has a slice compute wrong values until its processes are new.
    ///
    /// @param slice index
    public void corrupt(int slice) {
        head.slice(slice).corrupt = true;
    }

    /// Has a slice compute right again.
    ///
    /// @param slice index
    public void heal(int slice) {
        head.slice(slice).corrupt = false;
    }

    /// Makes host copies of a slice unreadable although it answers.
    ///
    /// @param slice index
    public void rot(int slice) {
        head.slice(slice).rotten = true;
    }

    /// Starts a lost slice's next generation.
    ///
    /// @param slice index
    public void restart(int slice) {
        head.restart(slice);
    }

    /// Interrupts the thread that made the simulation.
    public void interrupt() {
        clock.interruptFirst();
    }

    /// Dispatches a virtual computation; never waits.
    ///
    /// @param target where the result lies
    /// @param time how long it takes once its inputs are there
    /// @param inputs arrays of this simulation, or host arrays
    /// @param function from the inputs' values to the result's
    /// @return the result; poisoned if an input is
    public Array compute(
            Sharding target,
            Duration time,
            List<Array> inputs,
            Function<List<HostArray>, HostArray> function) {
        var placed = inputs.stream().filter(SimArray.class::isInstance).toList();
        var mine = placed.stream().map(SimArray.class::cast).toList();
        mine.forEach(Simulation::checkOpen);
        var values =
                inputs.stream()
                        .map(input -> input instanceof SimArray sim ? sim.value : input.toHost())
                        .toList();
        return born(function.apply(values), target, time, mine);
    }

    @Override
    public List<Device> devices() {
        return devices;
    }

    @Override
    public ClusterView view() {
        return head.view();
    }

    @Override
    public Subscription watch(Consumer<SliceEvent> listener) {
        return head.watch(listener);
    }

    @Override
    public Map<Integer, Health> probe(Set<Integer> asked, Duration timeout)
            throws InterruptedException {
        var before = new TreeMap<Integer, Integer>();
        asked.forEach(slice -> before.put(slice, head.slice(slice).generation));
        clock.await(times.probe(), () -> false);
        clock.await(timeout, () -> asked.stream().noneMatch(head::hangs));
        var found = new TreeMap<Integer, Health>();
        before.forEach((slice, then) -> found.put(slice, head.health(slice, then)));
        return found;
    }

    @Override
    public Array put(Array array, Sharding target) {
        divide(array, target);
        if (array instanceof SimArray mine) {
            checkOpen(mine);
            return born(mine.value, target, times.transfer(), List.of(mine));
        }
        return born(array.toHost(), target, times.transfer(), List.of());
    }

    @Override
    public Sharding shardingOf(Array array) {
        return mine(array).sharding;
    }

    @Override
    public Array alias(ArrayType type, Sharding target, List<Array> sources) {
        var mine = sources.stream().map(Simulation::mine).toList();
        return SimAlias.of(this, type, target, mine);
    }

    @Override
    public void free(List<Array> arrays, String why) {
        arrays.forEach(array -> mine(array).freedBy = why);
    }

    @Override
    public boolean awaitReady(List<Array> arrays, Duration timeout) throws InterruptedException {
        var end = clock.elapsed().plus(timeout);
        for (var array : arrays) {
            if (!settled(mine(array), end.minus(clock.elapsed()))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean awaitRuns(Duration timeout) {
        // A virtual run is done when it is dispatched; only copies and moves take time here.
        return true;
    }

    @Override
    public void letGo(Set<Integer> leaving) {
        leaving.forEach(head::letGo);
    }

    @Override
    public void reached(long step) {
        head.reached(step);
    }

    @Override
    public Scope openScope(String name) {
        var scope = new SimScope(name, scopes);
        scopes.add(scope);
        return scope;
    }

    @Override
    public HostCopy copyToHosts(List<Array> arrays) {
        awaitOpen();
        return new SimCopy(this, arrays.stream().map(Simulation::mine).toList(), times);
    }

    @Override
    public HostResults onHosts(HostCall call) {
        var inputs = call.arrays().stream().map(Simulation::mine).toList();
        return new SimCall(this, call, inputs, times.copy());
    }

    @Override
    public List<Array> assemble(HostParts parts, List<Sharding> targets)
            throws InterruptedException {
        return new SimAssembly(this, parts).onto(targets, times.load());
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    /// A copy was made, or given back.
    void copies(int change) {
        copies += change;
    }

    SimHead head() {
        return head;
    }

    SimArray born(HostArray value, Sharding target, Duration time, List<SimArray> inputs) {
        awaitOpen();
        var start = clock.elapsed();
        for (var input : inputs) {
            start = input.readyAt.compareTo(start) > 0 ? input.readyAt : start;
        }
        return enter(
                new SimArray(this, value, target, start.plus(time), inputs, head.generation()));
    }

    /// Waits while slices are suspended: nothing is dispatched then.
    private void awaitOpen() {
        try {
            clock.await(Duration.ofDays(1_000), () -> !head.holding());
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for suspended slices to be resumed", e);
        }
    }

    /// Takes an array into the open scope, and watches it until it is computed.
    SimArray enter(SimArray array) {
        inFlight.add(array);
        if (inFlight.size() > 1_000) {
            settle();
        }
        if (!scopes.isEmpty()) {
            scopes.getLast().add(array);
        }
        return array;
    }

    void read(SimArray array) {
        try {
            settled(array, Duration.ofDays(1_000));
        } catch (InterruptedException e) {
            throw new Interrupted("reading " + array.type(), e);
        }
    }

    /// Waits until an array is computed, or its loss is told.
    boolean settled(SimArray array, Duration timeout) throws InterruptedException {
        checkOpen(array);
        var end = clock.elapsed().plus(timeout);
        while (true) {
            var poison = array.poison();
            if (!poison.isEmpty()) {
                clock.await(
                        Duration.ofDays(1_000),
                        () ->
                                poison.stream()
                                        .map(head::slice)
                                        .noneMatch(slice -> !slice.alive && !slice.told()));
                throw head.lost(poison, array.type().toString());
            }
            var now = clock.elapsed();
            boolean silent = array.slices.stream().anyMatch(head::silent);
            if (!silent && array.readyAt.compareTo(now) <= 0) {
                return true;
            }
            if (now.compareTo(end) >= 0) {
                return false;
            }
            var left = silent ? end.minus(now) : array.readyAt.minus(now);
            clock.await(
                    left,
                    () ->
                            !array.poison().isEmpty()
                                    || silent && array.slices.stream().noneMatch(head::silent));
        }
    }

    /// What was being computed from arrays on a lost slice is lost, in order, so that poison
    /// propagates.
    private void poisonInFlight() {
        settle();
        inFlight.forEach(SimArray::inherit);
    }

    private void settle() {
        var now = clock.elapsed();
        var still = new ArrayList<SimArray>();
        inFlight.forEach(
                array -> {
                    if (array.readyAt.compareTo(now) > 0) {
                        still.add(array);
                    }
                });
        inFlight = still;
    }

    private static void divide(Array array, Sharding target) {
        var shape = array.type().shape();
        for (int dim = 0; dim < target.dims().size(); dim++) {
            if (dim >= shape.rank() || shape.dim(dim) % target.pieces(dim) != 0) {
                throw new MeshMismatch("%s does not divide over %s", array.type(), target);
            }
        }
    }

    private static void checkOpen(SimArray array) {
        if (array.freedBy != null) {
            throw new UsageError(
                    "%s was freed with '%s'; arrays of an attempt end with it",
                    array.type(), array.freedBy);
        }
    }

    private static SimArray mine(Array array) {
        if (array instanceof SimArray mine) {
            checkOpen(mine);
            return mine;
        }
        throw new UsageError("%s lies on this host, not on a mesh; put it first", array.type());
    }
}
