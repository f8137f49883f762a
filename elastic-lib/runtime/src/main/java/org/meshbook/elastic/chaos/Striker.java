package org.meshbook.elastic.chaos;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.chaos.Schedule.Entry;
import org.meshbook.elastic.chaos.inside.CutNetwork;
import org.meshbook.elastic.chaos.inside.FillHeap;
import org.meshbook.elastic.chaos.inside.MendDisk;
import org.meshbook.elastic.chaos.inside.SpoilDisk;
import org.meshbook.elastic.checkpoint.tier.store.BadDisk.Kind;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostFunction;
import org.meshbook.elastic.slices.hosts.HostResults;

/// Does what a plan says to the processes of a slice, and takes back what can be taken back. Never
/// waits; thread-safe.
final class Striker {
    private static final System.Logger LOG = System.getLogger(Striker.class.getName());
    private static final Duration SHORT = Duration.ofSeconds(10);

    private final Manager manager;
    private final Slices slices;
    private final List<Disturbance> disturbances = new CopyOnWriteArrayList<>();

    /// Slices that may be lost by what was done to them, with their generation then: the view
    /// learns of it later.
    private final Map<Integer, Integer> taken = new ConcurrentHashMap<>();

    /// Slices whose disks may be bad.
    private final Set<Integer> spoiled = ConcurrentHashMap.newKeySet();

    Striker(Manager manager) {
        this.manager = manager;
        this.slices = manager.slices();
    }

    Struck strike(ChaosPlan plan, Entry entry, long step) {
        var clock = slices.clock();
        var at = clock.now();
        var elapsed = clock.elapsed();
        var refused = refused(plan, entry);
        var told = Optional.<HostResults>empty();
        if (refused.isEmpty()) {
            try {
                told = act(plan, entry, slice(entry.slice()));
            } catch (ElasticException e) {
                refused = Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return new Struck(at, elapsed, step, entry.kind(), entry.slice(), refused.orElse(""), told);
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

    /// What its hosts are going to tell.
    private Optional<HostResults> act(ChaosPlan plan, Entry entry, SliceView slice) {
        if (entry.kind().takesSlice()) {
            taken.put(slice.id(), slice.generation());
        }
        var time = plan.lasting().orElse(SHORT);
        switch (entry.kind()) {
            case KILL -> send(ProcessSignal.KILL, slice);
            case NOTICE -> send(ProcessSignal.TERM, slice);
            case STOP -> disturb(plan.lasting(), slice, 1);
            case SLOW -> disturb(plan.lasting(), slice, plan.share());
            case PARTITION -> {
                var unused = call(CutNetwork.class, CutNetwork.arguments(time), slice);
                disturb(Optional.of(time), slice, 0);
            }
            case OOM -> {
                var unused = call(FillHeap.class, new byte[0], slice);
            }
            case TORN_WRITE -> {
                return Optional.of(spoil(Kind.TORN, time, slice));
            }
            case FULL_DISK -> {
                return Optional.of(spoil(Kind.FULL, time, slice));
            }
        }
        return Optional.empty();
    }

    private HostResults spoil(Kind kind, Duration time, SliceView slice) {
        spoiled.add(slice.id());
        return call(SpoilDisk.class, SpoilDisk.arguments(kind, time), slice);
    }

    private static void send(ProcessSignal signal, SliceView slice) {
        slice.hosts().stream()
                .mapToLong(HostView::pid)
                .filter(pid -> pid > 0)
                .forEach(signal::sendTo);
    }

    /// Nobody waits: a worker that is cut off or ends does not answer.
    private HostResults call(
            Class<? extends HostFunction> function, byte[] arguments, SliceView slice) {
        var devices = manager.devicesBySlice().getOrDefault(slice.id(), List.of());
        return slices.onHosts(
                HostCall.of(function, devices)
                        .arguments(arguments)
                        .lane("chaos " + function.getSimpleName()));
    }

    private void disturb(Optional<Duration> lasting, SliceView slice, double stopped) {
        disturbances.removeIf(Disturbance::over);
        var disturbance = new Disturbance(slices, slice, stopped, () -> release(slice));
        disturbances.add(disturbance);
        disturbance.begin(lasting);
    }

    /// A slice that hung or was cut off for a short time only is not lost.
    private void release(SliceView slice) {
        taken.remove(slice.id(), slice.generation());
    }

    /// Ends hangs, slow-downs and cuts, and mends disks.
    void restore() {
        spoiled.forEach(slice -> mend(slice(slice)));
        spoiled.clear();
        disturbances.forEach(Disturbance::end);
        disturbances.clear();
    }

    private void mend(SliceView slice) {
        if (!slice.state().serves()) {
            return;
        }
        try {
            var unused = call(MendDisk.class, new byte[0], slice);
        } catch (ElasticException e) {
            // Slices that were left, or given back, mend their disks when the time is over.
            LOG.log(Level.DEBUG, "the disk of slice {0} is not mended: {1}", slice.id(), e);
        }
    }
}
