package org.meshbook.elastic.chaos;

import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.chaos.Schedule.Entry;
import org.meshbook.elastic.chaos.inside.CutNetwork;
import org.meshbook.elastic.chaos.inside.FillHeap;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostFunction;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Does what a plan says to the processes of a slice, and takes back what can be taken back. Never
/// waits; thread-safe.
final class Striker {
    private static final Duration CUT = Duration.ofSeconds(10);
    private static final String LANE = "chaos";

    private final Manager manager;
    private final Slices slices;
    private final List<Disturbance> disturbances = new CopyOnWriteArrayList<>();

    /// Slices that may be lost by what was done to them, with their generation then: the view
    /// learns of it later.
    private final Map<Integer, Integer> taken = new ConcurrentHashMap<>();

    Striker(Manager manager) {
        this.manager = manager;
        this.slices = manager.slices();
    }

    Struck strike(ChaosPlan plan, Entry entry, long step) {
        var clock = slices.clock();
        var at = clock.now();
        var elapsed = clock.elapsed();
        var refused = refused(plan, entry);
        if (refused.isEmpty()) {
            try {
                act(plan, entry, slice(entry.slice()));
            } catch (ElasticException e) {
                refused = Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return new Struck(at, elapsed, step, entry.kind(), entry.slice(), refused.orElse(""));
    }

    private SliceView slice(int index) {
        return slices.view().slices().get(index);
    }

    /// Why a fault is held back.
    private Optional<String> refused(ChaosPlan plan, Entry entry) {
        var slice = slice(entry.slice());
        if (!slice.state().serves() || isTaken(slice)) {
            return Optional.of("slice %d is not there".formatted(slice.id()));
        }
        long left =
                slices.view().slices().stream()
                        .filter(other -> other.state() == SliceState.HEALTHY && !isTaken(other))
                        .filter(other -> other.id() != slice.id())
                        .count();
        int needed = manager.minimumSliceCount();
        return plan.sparing() && entry.kind().takesSlice() && left < needed
                ? Optional.of("it would leave %d of %d slices needed".formatted(left, needed))
                : Optional.empty();
    }

    private boolean isTaken(SliceView slice) {
        return taken.getOrDefault(slice.id(), 0) == slice.generation();
    }

    private void act(ChaosPlan plan, Entry entry, SliceView slice) {
        if (entry.kind().takesSlice()) {
            taken.put(slice.id(), slice.generation());
        }
        switch (entry.kind()) {
            case KILL -> send(ProcessSignal.KILL, slice);
            case NOTICE -> send(ProcessSignal.TERM, slice);
            case STOP -> disturb(plan, slice, 1);
            case SLOW -> disturb(plan, slice, plan.share());
            case PARTITION -> {
                call(CutNetwork.class, CutNetwork.arguments(plan.lasting().orElse(CUT)), slice);
                disturb(plan.lasting(plan.lasting().orElse(CUT)), slice, 0);
            }
            case OOM -> call(FillHeap.class, new byte[0], slice);
        }
    }

    private static void send(ProcessSignal signal, SliceView slice) {
        slice.hosts().stream()
                .mapToLong(HostView::pid)
                .filter(pid -> pid > 0)
                .forEach(signal::sendTo);
    }

    private void call(Class<? extends HostFunction> function, byte[] arguments, SliceView slice) {
        var devices = manager.devicesBySlice().getOrDefault(slice.id(), List.of());
        // Nobody waits: a worker that is cut off or ends does not answer.
        var unused = slices.onHosts(HostCall.of(function, devices).arguments(arguments).lane(LANE));
    }

    private void disturb(ChaosPlan plan, SliceView slice, double stopped) {
        disturbances.removeIf(Disturbance::over);
        var disturbance = new Disturbance(slices, slice, stopped, () -> release(slice));
        disturbances.add(disturbance);
        disturbance.begin(plan.lasting());
    }

    /// A slice that hung or was cut off for a short time only is not lost.
    private void release(SliceView slice) {
        taken.remove(slice.id(), slice.generation());
    }

    /// Ends hangs, slow-downs and cuts.
    void restore() {
        disturbances.forEach(Disturbance::end);
        disturbances.clear();
    }
}
