package org.meshbook.elastic.sim;

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
import java.util.function.Consumer;
import java.util.function.Function;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.Timeline;

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
    private final List<SimSlice> slices = new ArrayList<>();
    private final List<Consumer<SliceEvent>> listeners = new CopyOnWriteArrayList<>();
    private final List<SimScope> scopes = new ArrayList<>();
    private List<SimArray> inFlight = new ArrayList<>();
    private long generation;
    private boolean returning = true;
    private volatile ClusterView view;

    private Simulation(int count, int devicesEach, SimTimes times) {
        require(count >= 1, "%d slices; ask for at least 1", count);
        require(devicesEach >= 1, "%d devices a slice; ask for at least 1", devicesEach);
        this.times = times;
        var all = new ArrayList<Device>();
        for (int slice = 0; slice < count; slice++) {
            slices.add(new SimSlice(slice, devicesEach, clock.now()));
            for (int index = 0; index < devicesEach; index++) {
                all.add(new Device(all.size(), slice, 0, index));
            }
        }
        this.devices = List.copyOf(all);
        this.view = new ClusterView(0, slices.stream().map(SimSlice::view).toList());
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
        returning = false;
        return this;
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
        lose(slice, LossKind.PROCESS_GONE, "process ended by signal 9", times.detect());
    }

    /// Has a slice announce that it leaves; the head tells it at once.
    ///
    /// @param slice index
    public void leave(int slice) {
        lose(slice, LossKind.ANNOUNCED, "announced that it leaves", Duration.ZERO);
    }

    /// Stops a slice's processes without ending them; the head gives it up after missed heartbeats.
    ///
    /// @param slice index
    public void hang(int slice) {
        var hanging = slices.get(slice);
        if (!hanging.alive || hanging.hung) {
            return;
        }
        hanging.hung = true;
        int stopped = hanging.generation;
        clock.at(
                clock.elapsed().plus(times.hang()),
                () -> {
                    if (hanging.hung && hanging.generation == stopped) {
                        lose(slice, LossKind.HUNG, "missed its heartbeats", Duration.ZERO);
                    }
                });
    }

    /// Lets a stopped slice go on, if it was not given up.
    ///
    /// @param slice index
    public void resume(int slice) {
        slices.get(slice).hung = false;
        clock.wake();
    }

    /// Has a slice compute wrong values until its processes are new.
    ///
    /// @param slice index
    public void corrupt(int slice) {
        slices.get(slice).corrupt = true;
    }

    /// Makes host copies of a slice unreadable although it answers.
    ///
    /// @param slice index
    public void rot(int slice) {
        slices.get(slice).rotten = true;
    }

    /// Starts a lost slice's next generation.
    ///
    /// @param slice index
    public void restart(int slice) {
        var back = slices.get(slice);
        if (back.alive) {
            return;
        }
        if (!back.told()) {
            tellLost(back);
        }
        generation++;
        back.alive = true;
        back.hung = false;
        back.corrupt = false;
        back.rotten = false;
        back.generation++;
        back.state = SliceState.HEALTHY;
        back.since = clock.now();
        publish();
        var event = new SliceEvent.Joined(clock.now(), slice, back.generation);
        listeners.forEach(listener -> listener.accept(event));
        clock.wake();
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
        return view;
    }

    @Override
    public Subscription watch(Consumer<SliceEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public Map<Integer, Health> probe(Set<Integer> asked, Duration timeout)
            throws InterruptedException {
        var before = new TreeMap<Integer, Integer>();
        asked.forEach(slice -> before.put(slice, slices.get(slice).generation));
        clock.await(times.probe(), () -> false);
        clock.await(timeout, () -> asked.stream().noneMatch(this::silent));
        var found = new TreeMap<Integer, Health>();
        before.forEach((slice, then) -> found.put(slice, health(slices.get(slice), then)));
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
    public Scope openScope(String name) {
        var scope = new SimScope(name, scopes);
        scopes.add(scope);
        return scope;
    }

    @Override
    public HostCopy copyToHosts(List<Array> arrays) {
        return new SimCopy(this, arrays.stream().map(Simulation::mine).toList(), times);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    long lossGeneration() {
        return generation;
    }

    SimSlice slice(int id) {
        return slices.get(id);
    }

    /// Those of some slices that were lost at a count of `born` or later.
    Set<Integer> lostSince(Set<Integer> asked, long born) {
        var lost = new TreeSet<Integer>();
        for (int slice : asked) {
            if (slices.get(slice).lostAt >= born) {
                lost.add(slice);
            }
        }
        return lost.isEmpty() ? Set.of() : Collections.unmodifiableSet(lost);
    }

    SimArray born(HostArray value, Sharding target, Duration time, List<SimArray> inputs) {
        var start = clock.elapsed();
        for (var input : inputs) {
            start = input.readyAt.compareTo(start) > 0 ? input.readyAt : start;
        }
        var array = new SimArray(this, value, target, start.plus(time), inputs);
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
                                        .map(slices::get)
                                        .noneMatch(slice -> !slice.alive && !slice.told()));
                throw lost(poison, array.type().toString());
            }
            var now = clock.elapsed();
            boolean silent = array.slices.stream().anyMatch(this::silent);
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
                                    || silent && array.slices.stream().noneMatch(this::silent));
        }
    }

    SliceLost lost(Set<Integer> gone, String what) {
        var kind = slices.get(gone.iterator().next()).kind;
        return new SliceLost(kind, gone, view.generation(), what + " is lost with slices " + gone);
    }

    boolean silent(int slice) {
        var asked = slices.get(slice);
        return asked.alive && asked.hung;
    }

    private void lose(int slice, LossKind kind, String cause, Duration detect) {
        var gone = slices.get(slice);
        if (!gone.alive) {
            return;
        }
        settle();
        generation++;
        gone.alive = false;
        gone.hung = false;
        gone.lostAt = generation;
        gone.kind = kind;
        gone.cause = cause;
        // what was being computed from arrays there is lost, in order, so that poison propagates
        inFlight.forEach(SimArray::inherit);
        int dead = gone.generation;
        clock.at(
                clock.elapsed().plus(detect),
                () -> {
                    if (!gone.alive && gone.generation == dead && !gone.told()) {
                        tellLost(gone);
                    }
                });
        if (returning) {
            clock.at(
                    clock.elapsed().plus(detect).plus(times.restart()),
                    () -> {
                        if (gone.generation == dead) {
                            restart(slice);
                        }
                    });
        }
        clock.wake();
    }

    private void tellLost(SimSlice gone) {
        gone.state = gone.kind == LossKind.HUNG ? SliceState.HUNG : SliceState.LOST;
        gone.since = clock.now();
        publish();
        var event =
                new SliceEvent.Lost(clock.now(), gone.id, gone.generation, gone.kind, gone.cause);
        listeners.forEach(listener -> listener.accept(event));
        clock.wake();
    }

    private void publish() {
        var changed = new ArrayList<>(view.slices());
        slices.forEach(
                slice -> {
                    var known = changed.get(slice.id);
                    if (known.state() != slice.state || known.generation() != slice.generation) {
                        changed.set(slice.id, slice.view());
                    }
                });
        view = new ClusterView(view.generation() + 1, changed);
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

    private Health health(SimSlice slice, int then) {
        if (!slice.alive || slice.generation != then) {
            return Health.UNREACHABLE;
        }
        if (slice.hung) {
            return Health.HUNG;
        }
        return slice.corrupt ? Health.SUSPECT_SDC : Health.HEALTHY;
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
