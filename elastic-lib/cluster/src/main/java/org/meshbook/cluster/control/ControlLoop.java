package org.meshbook.cluster.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;

/// Runs controllers over one cluster: changes wake them, timers wake them, one of them works at a
/// time.
///
/// An object that several changes name is looked at once. A controller that asks for a time is
/// woken then, unless a change wakes it for the same object earlier; the earlier of two times
/// counts.
///
/// The same loop serves a thread ([#run]) and a test that turns the clock by hand ([#settle],
/// [#nextDue]). Threads: changes may arrive by any; all else belongs to the one that runs the loop.
public final class ControlLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlLoop.class.getName());
    private static final Duration FIRST_RETRY = Duration.ofMillis(5);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final InstantSource clock;
    private final List<Controller> controllers = new ArrayList<>();
    private final List<Cluster.Watch> watches = new ArrayList<>();
    private final LinkedBlockingQueue<WatchEvent> arrivals = new LinkedBlockingQueue<>();
    private final LinkedHashSet<Work> ready = new LinkedHashSet<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Map<Work, Instant> due = new HashMap<>();
    private final Map<Work, Integer> failures = new HashMap<>();
    private long sequence;
    private volatile boolean closed;

    private record Work(Controller controller, ResourceKey key) {}

    private record Timer(Instant at, long order, Work work) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /// @param cluster what they work on
    /// @param clock wall time
    /// @param controllers who is woken, in this order for one change
    public ControlLoop(Cluster cluster, InstantSource clock, List<Controller> controllers) {
        this.cluster = cluster;
        this.clock = clock;
        this.controllers.addAll(controllers);
        controllers.forEach(c -> c.wakeBy(this::nudge));
    }

    /// Begins to watch; all objects that are there arrive as added.
    public void open() {
        var kinds = new LinkedHashSet<ResourceKind>();
        controllers.forEach(c -> kinds.addAll(c.watches()));
        for (var kind : kinds) {
            watches.add(cluster.watch(kind, arrivals::add));
        }
    }

    /// Works off all that is ready at the clock's present time, and what that makes ready.
    ///
    /// @param atMost how many reconciliations at most, so that two controllers that undo each other
    ///   end
    /// @return how many there were
    public int settle(int atMost) {
        int done = 0;
        while (done < atMost) {
            hear();
            var work = next();
            if (work == null) {
                return done;
            }
            perform(work);
            done++;
        }
        return done;
    }

    /// @return when a timer is due next
    public Optional<Instant> nextDue() {
        dropStale();
        return Optional.ofNullable(timers.peek()).map(Timer::at);
    }

    /// Works until it is closed or interrupted.
    ///
    /// @throws InterruptedException if the thread is interrupted
    public void run() throws InterruptedException {
        while (!closed) {
            settle(10_000);
            var wait =
                    nextDue()
                            .map(at -> Duration.between(clock.instant(), at))
                            .orElse(Duration.ofSeconds(1));
            var event = arrivals.poll(Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
            if (event != null) {
                distribute(event);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        watches.forEach(Cluster.Watch::close);
    }

    private void nudge(ResourceKey key) {
        cluster.find(key).ifPresent(o -> arrivals.add(new WatchEvent(WatchEvent.Type.MODIFIED, o)));
    }

    private void hear() {
        for (var event = arrivals.poll(); event != null; event = arrivals.poll()) {
            distribute(event);
        }
    }

    private void distribute(WatchEvent event) {
        var kind = event.object().key().kind();
        for (var controller : controllers) {
            if (controller.watches().contains(kind)) {
                controller.affected(event).forEach(key -> ready.add(new Work(controller, key)));
            }
        }
    }

    private @Nullable Work next() {
        dropStale();
        var timer = timers.peek();
        if (timer != null && !timer.at().isAfter(clock.instant())) {
            timers.poll();
            due.remove(timer.work());
            ready.remove(timer.work());
            return timer.work();
        }
        return ready.isEmpty() ? null : ready.removeFirst();
    }

    private void perform(Work work) {
        Optional<Duration> again;
        try {
            again = work.controller().reconcile(work.key());
            failures.remove(work);
        } catch (ApiException refused) {
            again = Optional.of(refused.conflicted() ? Duration.ZERO : backOff(work, refused));
        } catch (RuntimeException bug) {
            again = Optional.of(backOff(work, bug));
        }
        again.ifPresent(delay -> arm(work, clock.instant().plus(delay)));
    }

    private Duration backOff(Work work, RuntimeException failure) {
        int count = failures.merge(work, 1, Integer::sum);
        LOG.log(
                System.Logger.Level.WARNING,
                "controller=%s object=%s failed=%d"
                        .formatted(work.controller().name(), work.key(), count),
                failure);
        var delay = FIRST_RETRY.multipliedBy(1L << Math.min(count - 1, 20));
        return delay.compareTo(LAST_RETRY) < 0 ? delay : LAST_RETRY;
    }

    private void arm(Work work, Instant at) {
        var before = due.get(work);
        if (before != null && !before.isAfter(at)) {
            return;
        }
        due.put(work, at);
        timers.add(new Timer(at, sequence++, work));
    }

    /// A timer that an earlier one replaced is left in the heap until it comes up.
    private void dropStale() {
        for (var timer = timers.peek();
                timer != null && !timer.at().equals(due.get(timer.work()));
                timer = timers.peek()) {
            timers.poll();
        }
    }
}
