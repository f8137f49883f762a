package org.meshbook.elastic.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.Slices.Subscription;

/// The virtual slices and the head that watches them: what is true at once, and what is told later.
final class SimHead {
    private final SimClock clock;
    private final SimTimes times;
    private final Runnable poisoned;
    private final List<SimSlice> slices = new ArrayList<>();
    private final List<Consumer<SliceEvent>> listeners = new CopyOnWriteArrayList<>();
    private boolean returning = true;
    private long generation;
    private long reached = -1;
    private volatile ClusterView view;

    /// @param poisoned runs at each loss, before anybody is told
    SimHead(SimClock clock, SimTimes times, int count, int devicesEach, Runnable poisoned) {
        this.clock = clock;
        this.times = times;
        this.poisoned = poisoned;
        for (int slice = 0; slice < count; slice++) {
            slices.add(new SimSlice(slice, devicesEach, clock.now()));
        }
        this.view = new ClusterView(0, slices.stream().map(SimSlice::view).toList());
    }

    void withoutReturns() {
        returning = false;
    }

    ClusterView view() {
        return view;
    }

    Subscription watch(Consumer<SliceEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    int listeners() {
        return listeners.size();
    }

    SimSlice slice(int id) {
        return slices.get(id);
    }

    void reached(long step) {
        reached = step;
    }

    /// Losses and returns so far.
    long generation() {
        return generation;
    }

    void kill(int slice) {
        lose(slice, LossKind.PROCESS_GONE, "process ended by signal 9", times.detect());
    }

    void leave(int slice) {
        lose(slice, LossKind.ANNOUNCED, "announced that it leaves", Duration.ZERO);
    }

    void notice(int slice, Duration time) {
        var leaving = slices.get(slice);
        if (!leaving.alive || leaving.state != SliceState.HEALTHY) {
            return;
        }
        int generation = leaving.generation;
        leaving.state = SliceState.LEAVING;
        leaving.since = clock.now();
        leaving.cause = "process was asked to end";
        publish(leaving);
        var event =
                new SliceEvent.Leaving(
                        clock.now(), slice, generation, clock.now().plus(time), leaving.cause);
        listeners.forEach(listener -> listener.accept(event));
        clock.at(
                clock.elapsed().plus(time),
                () -> {
                    if (leaving.generation == generation) {
                        leave(slice);
                    }
                });
        clock.wake();
    }

    /// DRAINING until its image is written, SUSPENDED until it is started again, RESTORING until
    /// the image is read; a loss in between ends it.
    void suspend(int slice, Duration grace) {
        var going = slices.get(slice);
        if (!going.alive || going.hung || going.state != SliceState.HEALTHY) {
            return;
        }
        int turn = ++going.suspensions;
        going.cause = "process was asked to end";
        var until = clock.now().plus(grace);
        enter(going, SliceState.DRAINING);
        tell(new SliceEvent.Draining(clock.now(), slice, going.generation, until, going.cause));
        if (grace.compareTo(times.copy()) < 0) {
            after(
                    grace,
                    going,
                    turn,
                    () ->
                            lose(
                                    slice,
                                    LossKind.ANNOUNCED,
                                    going.cause + ", and its image was not complete in time",
                                    Duration.ZERO));
            return;
        }
        after(
                times.copy(),
                going,
                turn,
                () -> {
                    going.functions.clear();
                    enter(going, SliceState.SUSPENDED);
                    tell(new SliceEvent.Suspended(clock.now(), slice, going.generation, 0));
                });
        var back = times.copy().plus(times.restart());
        after(back, going, turn, () -> enter(going, SliceState.RESTORING));
        after(
                back.plus(times.load()),
                going,
                turn,
                () -> {
                    enter(going, SliceState.HEALTHY);
                    tell(new SliceEvent.Resumed(clock.now(), slice, going.generation));
                });
    }

    private void after(Duration time, SimSlice going, int turn, Runnable action) {
        clock.at(
                clock.elapsed().plus(time),
                () -> {
                    if (going.alive && going.suspensions == turn) {
                        action.run();
                        clock.wake();
                    }
                });
    }

    private void enter(SimSlice changed, SliceState state) {
        changed.state = state;
        changed.since = clock.now();
        publish(changed);
    }

    private void tell(SliceEvent event) {
        listeners.forEach(listener -> listener.accept(event));
        clock.wake();
    }

    /// Whether a slice is suspended, or about to be or to come back: nothing is dispatched then.
    boolean holding() {
        return slices.stream().anyMatch(slice -> slice.alive && slice.away());
    }

    void letGo(int slice) {
        if (slices.get(slice).state == SliceState.LEAVING) {
            leave(slice);
        }
    }

    void hang(int slice) {
        var hanging = slices.get(slice);
        if (!hanging.alive || hanging.hung || hanging.away()) {
            return;
        }
        hanging.hung = true;
        int stop = ++hanging.stops;
        clock.at(
                clock.elapsed().plus(times.hang()),
                () -> {
                    if (hanging.hung && hanging.stops == stop) {
                        lose(slice, LossKind.HUNG, "missed its heartbeats", Duration.ZERO);
                    }
                });
    }

    void resume(int slice) {
        slices.get(slice).hung = false;
        clock.wake();
    }

    void restart(int slice) {
        var back = slices.get(slice);
        if (back.alive) {
            return;
        }
        if (!back.told()) {
            tellLost(back);
        }
        generation++;
        back.comeBack(clock.now());
        publish(back);
        var event = new SliceEvent.Joined(clock.now(), slice, back.generation);
        listeners.forEach(listener -> listener.accept(event));
        clock.wake();
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

    SliceLost lost(Set<Integer> gone, String what) {
        var first = slices.get(gone.iterator().next());
        var blame = first.lostInStep < 0 ? "with" : "because of step " + first.lostInStep + " on";
        return new SliceLost(
                first.kind,
                gone,
                view.generation(),
                "%s is lost %s slices %s".formatted(what, blame, gone));
    }

    /// Whether a slice runs but its processes are stopped.
    boolean hangs(int slice) {
        var asked = slices.get(slice);
        return asked.alive && asked.hung;
    }

    /// Whether a slice is not lost but does not answer.
    boolean silent(int slice) {
        var asked = slices.get(slice);
        return asked.alive && (asked.hung || asked.away());
    }

    Health health(int slice, int generationBefore) {
        var asked = slices.get(slice);
        if (!asked.alive || asked.away() || asked.generation != generationBefore) {
            return Health.UNREACHABLE;
        }
        if (asked.hung) {
            return Health.HUNG;
        }
        return asked.corrupt ? Health.SUSPECT_SDC : Health.HEALTHY;
    }

    private void lose(int slice, LossKind kind, String cause, Duration detect) {
        var gone = slices.get(slice);
        if (!gone.alive) {
            return;
        }
        // 1. it is so at once
        gone.go(++generation, kind, cause);
        gone.lostInStep = reached < 0 ? -1 : reached + 1;
        poisoned.run();
        // 2. the head tells it later, and starts the next generation later still
        int dead = gone.generation;
        var told = clock.elapsed().plus(detect);
        clock.at(
                told,
                () -> {
                    if (!gone.alive && gone.generation == dead && !gone.told()) {
                        tellLost(gone);
                    }
                });
        if (returning) {
            clock.at(
                    told.plus(times.restart()),
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
        publish(gone);
        var event =
                new SliceEvent.Lost(clock.now(), gone.id, gone.generation, gone.kind, gone.cause);
        listeners.forEach(listener -> listener.accept(event));
        clock.wake();
    }

    private void publish(SimSlice changed) {
        view = view.with(changed.view());
    }
}
