package org.meshbook.elastic.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.slices.Clock;

/// A clock on which one thread runs at a time; when it waits, the next one in order of time goes
/// on, and time jumps there.
///
/// The thread that makes the clock runs first, and any other that calls in its stead; the rest are
/// those that [#start] made.
final class SimClock implements Clock {
    private static final System.Logger LOG = System.getLogger(SimClock.class.getName());
    private static final Instant ORIGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration NEVER = Duration.ofDays(100_000);

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::order));
    private final List<Runner> parked = new ArrayList<>();
    private final ThreadLocal<@Nullable Runner> mine = new ThreadLocal<>();
    private final Runner first;
    private @Nullable RuntimeException failure;
    private Duration now = Duration.ZERO;
    private long order;

    private record Event(Duration at, long order, Runnable action) {}

    private static final class Runner implements Task {
        final SimClock clock;
        final Condition turn;
        @Nullable Thread thread;
        BooleanSupplier until = () -> true;
        boolean sleeps;
        boolean woken;
        boolean stopped;
        boolean runs;
        Duration deadline = Duration.ZERO;
        long order;
        volatile boolean done;

        Runner(SimClock clock) {
            this.clock = clock;
            this.turn = clock.lock.newCondition();
        }

        @Override
        public boolean done() {
            return done;
        }

        @Override
        public void interrupt() {
            clock.interrupt(this);
        }

        @Override
        public boolean current() {
            return Thread.currentThread() == thread;
        }
    }

    SimClock() {
        first = new Runner(this);
        first.thread = Thread.currentThread();
        first.runs = true;
        mine.set(first);
    }

    @Override
    public Instant now() {
        return ORIGIN.plus(elapsed());
    }

    @Override
    public Duration elapsed() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        lock.lock();
        try {
            park(time, () -> false, true);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean await(Duration atMost, BooleanSupplier until) throws InterruptedException {
        lock.lock();
        try {
            if (until.getAsBoolean()) {
                return true;
            }
            if (atMost.isPositive()) {
                park(atMost, until, false);
            }
            return until.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            parked.forEach(runner -> runner.woken = true);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Task start(String name, Runnable work) {
        lock.lock();
        try {
            var runner = new Runner(this);
            runner.woken = true;
            runner.order = order++;
            runner.deadline = now;
            parked.add(runner);
            runner.thread = Thread.ofVirtual().name(name).unstarted(() -> run(runner, work, name));
            runner.thread.start();
            return runner;
        } finally {
            lock.unlock();
        }
    }

    /// Runs an action at a time, between the threads' turns; it must not wait.
    void at(Duration time, Runnable action) {
        lock.lock();
        try {
            events.add(new Event(time.compareTo(now) < 0 ? now : time, order++, action));
        } finally {
            lock.unlock();
        }
    }

    /// Threads that were started and have not ended.
    int threads() {
        lock.lock();
        try {
            return (int) parked.stream().filter(runner -> runner != first).count();
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts the thread that made the clock.
    void interruptFirst() {
        interrupt(first);
    }

    private void interrupt(Runner runner) {
        lock.lock();
        try {
            if (parked.contains(runner)) {
                runner.stopped = true;
            } else if (runner.thread != null) {
                runner.thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run(Runner runner, Runnable work, String name) {
        mine.set(runner);
        lock.lock();
        try {
            while (!runner.runs) {
                runner.turn.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, name + " ended", e);
        } finally {
            lock.lock();
            try {
                runner.done = true;
                runner.runs = false;
                wake();
                handOver();
            } finally {
                lock.unlock();
            }
        }
    }

    private void park(Duration time, BooleanSupplier until, boolean sleeps)
            throws InterruptedException {
        var me = current();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        me.until = until;
        me.sleeps = sleeps;
        me.woken = false;
        me.order = order++;
        me.deadline = now.plus(time);
        me.runs = false;
        parked.add(me);
        handOver();
        while (!me.runs) {
            me.turn.awaitUninterruptibly();
        }
        boolean stopped = me.stopped;
        me.stopped = false;
        if (me == first && failure != null) {
            var thrown = failure;
            failure = null;
            throw thrown;
        }
        if (stopped) {
            throw new InterruptedException();
        }
    }

    private Runner current() {
        var me = mine.get();
        if (me == null && first.runs) {
            first.thread = Thread.currentThread();
            return first;
        }
        if (me == null || !me.runs) {
            throw new IllegalStateException("only one thread at a time waits on a virtual clock");
        }
        return me;
    }

    /// Gives the turn to the next thread; runs the events that come before it.
    private void handOver() {
        while (true) {
            var next = ready();
            if (next == null) {
                next = earliest();
                var event = events.peek();
                if (event != null && (next == null || event.at().compareTo(next.deadline) <= 0)) {
                    events.remove();
                    now = event.at();
                    run(event);
                    continue;
                }
                if (next == null) {
                    return;
                }
                if (next.deadline.compareTo(NEVER) > 0) {
                    if (!parked.contains(first)) {
                        return;
                    }
                    next = first;
                    failure = new IllegalStateException("every thread waits for ever");
                } else if (next.deadline.compareTo(now) > 0) {
                    now = next.deadline;
                }
            }
            parked.remove(next);
            next.runs = true;
            next.turn.signal();
            return;
        }
    }

    private void run(Event event) {
        try {
            event.action().run();
        } catch (RuntimeException e) {
            failure = e;
            first.stopped = parked.contains(first);
        }
    }

    private @Nullable Runner ready() {
        Runner best = null;
        for (var runner : parked) {
            if (runner.woken && !runner.sleeps && !runner.until.getAsBoolean()) {
                runner.woken = false;
            }
            if ((runner.woken || runner.stopped) && (best == null || runner.order < best.order)) {
                best = runner;
            }
        }
        return best;
    }

    private @Nullable Runner earliest() {
        return parked.stream()
                .min(
                        Comparator.comparing((Runner runner) -> runner.deadline)
                                .thenComparingLong(runner -> runner.order))
                .orElse(null);
    }
}
