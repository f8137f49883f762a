package org.meshbook.elastic.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.chaos.Schedule.Entry;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.ElasticEvent.SliceDown;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.RunListener;
import org.meshbook.elastic.slices.Slices.Subscription;

/// Real faults on purpose, as in `Chaos.on(manager).kill(2).atStep(130)`.
///
/// What is armed waits for the run under way or the next one, acts on the program's thread right
/// after a step is done, and is disarmed when the run ends. A fault that would leave fewer slices
/// than the run needs is held back. Thread-safe.
///
/// Source of the idea: Basiri et al., Chaos Engineering, IEEE Software 33(3), 2016.
public final class Chaos {
    private static final int KEPT = 1_000;
    private static final AtomicReference<@Nullable Chaos> CURRENT = new AtomicReference<>();

    private final Manager manager;
    private final Striker striker;
    private final List<Subscription> subscriptions;
    private final List<Armed> armed = new ArrayList<>();
    private final List<Struck> struck = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();
    private final AtomicLong step = new AtomicLong(-1);
    private volatile long first;

    /// The faults of a manager; those of an earlier manager end.
    ///
    /// @param manager whose slices are disturbed
    /// @return the same object each time for one manager
    public static Chaos on(Manager manager) {
        synchronized (CURRENT) {
            var known = CURRENT.get();
            if (known != null && known.manager == manager) {
                return known;
            }
            if (known != null) {
                known.off();
                known.subscriptions.forEach(Subscription::close);
            }
            var fresh = new Chaos(manager);
            CURRENT.set(fresh);
            return fresh;
        }
    }

    private Chaos(Manager manager) {
        this.manager = manager;
        this.striker = new Striker(manager);
        this.subscriptions = List.of(manager.onRun(new Run()), manager.onEvent(this::heard));
    }

    /// @param slice to which slice
    /// @return SIGKILL to its processes, not armed yet
    public ChaosPlan kill(int slice) {
        return any(FaultKind.KILL).slice(slice);
    }

    /// @param slice to which slice
    /// @return SIGSTOP to its processes, not armed yet
    public ChaosPlan stop(int slice) {
        return any(FaultKind.STOP).slice(slice);
    }

    /// @param slice to which slice
    /// @return a slow-down, to half its speed unless said otherwise, not armed yet
    public ChaosPlan slow(int slice) {
        return any(FaultKind.SLOW).slice(slice);
    }

    /// @param slice to which slice
    /// @return a cut of its network, for 10 s unless said otherwise, not armed yet
    public ChaosPlan partition(int slice) {
        return any(FaultKind.PARTITION).slice(slice);
    }

    /// @param slice to which slice
    /// @return a torn file of a checkpoint, the next one within 10 s unless said otherwise, not
    ///   armed yet
    public ChaosPlan tornWrite(int slice) {
        return any(FaultKind.TORN_WRITE).slice(slice);
    }

    /// @param slice to which slice
    /// @return a full disk, for 10 s unless said otherwise, not armed yet
    public ChaosPlan fullDisk(int slice) {
        return any(FaultKind.FULL_DISK).slice(slice);
    }

    /// @param slice to which slice
    /// @return an overflow of its heap, not armed yet
    public ChaosPlan oom(int slice) {
        return any(FaultKind.OOM).slice(slice);
    }

    /// @param slice to which slice
    /// @return SIGTERM to its processes, not armed yet
    public ChaosPlan notice(int slice) {
        return any(FaultKind.NOTICE).slice(slice);
    }

    /// @param kinds one of them is done each time
    /// @return a fault of a kind and on a slice that its seed chooses, not armed yet
    public ChaosPlan any(FaultKind... kinds) {
        return ChaosPlan.of(this, List.of(kinds));
    }

    /// @return what is armed, and what came of what was done
    public ChaosReport report() {
        List<String> waiting;
        List<Struck> done;
        List<Seen> ends;
        synchronized (armed) {
            waiting = armed.stream().map(Armed::toString).toList();
            done = List.copyOf(struck);
            ends = List.copyOf(seen);
        }
        return new Account(done, ends, manager.recoveries().all()).report(waiting);
    }

    /// Disarms everything, ends hangs, slow-downs and cuts, and mends disks. The report stays.
    public void off() {
        synchronized (armed) {
            armed.clear();
        }
        striker.restore();
    }

    /// Forgets the report of what was done.
    public void clear() {
        synchronized (armed) {
            struck.clear();
            seen.clear();
        }
    }

    Manager manager() {
        return manager;
    }

    List<Integer> slices() {
        return List.copyOf(manager.allSliceIndices());
    }

    ChaosReport arm(ChaosPlan plan, Armed.Trigger trigger) {
        synchronized (armed) {
            armed.add(new Armed(plan, trigger));
        }
        return report();
    }

    ChaosReport strike(ChaosPlan plan, Entry entry) {
        var done = striker.strike(plan, entry, step.get());
        keep(struck, done);
        return report();
    }

    private <T> void keep(List<T> newest, T one) {
        synchronized (armed) {
            if (newest.size() == KEPT) {
                newest.removeFirst();
            }
            newest.add(one);
        }
    }

    private record Action(ChaosPlan plan, Entry entry) {}

    private void completed(long now) {
        if (step.getAndSet(now) < 0) {
            first = now;
        }
        var actions = new ArrayList<Action>();
        synchronized (armed) {
            for (var each : List.copyOf(armed)) {
                each.at(first, now)
                        .ifPresent(
                                due -> {
                                    actions.add(new Action(each.plan(), due.entry()));
                                    replace(each, due.rest());
                                });
            }
        }
        actions.forEach(action -> strike(action.plan(), action.entry()));
    }

    private void replace(Armed each, @Nullable Armed rest) {
        armed.remove(each);
        if (rest != null) {
            armed.add(rest);
        }
    }

    private void heard(ElasticEvent event) {
        if (event instanceof SliceDown down) {
            var words = "slice %d lost: %s".formatted(down.slice(), down.cause());
            keep(seen, new Seen(manager.slices().clock().elapsed(), down.slice(), words));
        }
        List<Armed> waiting;
        synchronized (armed) {
            waiting = List.copyOf(armed);
        }
        for (var each : waiting) {
            if (each.trigger() instanceof Armed.When(var entry, var awaited)
                    && awaited.test(event)
                    && disarmed(each)) {
                strike(each.plan(), entry);
            }
        }
    }

    private boolean disarmed(Armed each) {
        synchronized (armed) {
            return armed.remove(each);
        }
    }

    private final class Run implements RunListener {
        @Override
        public void completed(long now) {
            Chaos.this.completed(now);
        }

        @Override
        public void ended() {
            off();
            step.set(-1);
        }
    }
}
