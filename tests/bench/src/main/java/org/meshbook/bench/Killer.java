package org.meshbook.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.meshbook.elastic.chaos.ProcessSignal;
import org.meshbook.elastic.slices.Slices;

/// Ends random workers while a program runs, and takes the time until it goes on.
///
/// The program's thread reports steps, the killer's own thread kills; they meet under one lock.
final class Killer {
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final Duration RETURN = Duration.ofSeconds(120);
    private static final int SETTLED_STEPS = 5;

    private final RecoveryBench.Options options;
    private final Slices slices;
    private final PrintStream out;
    private final Random random;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stepped = lock.newCondition();
    private final List<Duration> times = new ArrayList<>();
    private int attempt;
    private int active = RecoveryBench.SLICES;
    private int whole;
    private long highest;
    private int again;
    private long finishedAt;
    private volatile boolean done;

    Killer(RecoveryBench.Options options, Slices slices, PrintStream out) {
        this.options = options;
        this.slices = slices;
        this.out = out;
        this.random = new Random(options.seed());
    }

    /// On the program's thread, after each step.
    void finished(int inAttempt, long step, int activeSlices) {
        lock.lock();
        try {
            attempt = inAttempt;
            active = activeSlices;
            again += step <= highest ? 1 : 0;
            highest = Math.max(highest, step);
            finishedAt = System.nanoTime();
            whole = activeSlices == RecoveryBench.SLICES ? whole + 1 : 0;
            stepped.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean done() {
        return done;
    }

    /// @return how many steps were done once more, since they were lost
    int again() {
        lock.lock();
        try {
            return again;
        } finally {
            lock.unlock();
        }
    }

    /// @return from each kill to the next finished step
    List<Duration> times() {
        lock.lock();
        try {
            return List.copyOf(times);
        } finally {
            lock.unlock();
        }
    }

    /// Kills so often as asked; ends early if a recovery or a return does not come.
    void run() {
        lock.lock();
        try {
            for (int kill = 1; kill <= options.kills(); kill++) {
                if (!await(RETURN, () -> whole >= SETTLED_STEPS)) {
                    out.println("no %d slices within %s".formatted(RecoveryBench.SLICES, RETURN));
                    return;
                }
                if (!killOne(kill)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            out.println("killing ended: " + e);
        } finally {
            done = true;
            lock.unlock();
        }
    }

    private boolean killOne(int kill) throws InterruptedException {
        int before = attempt;
        var healthy = List.copyOf(slices.view().healthy());
        int slice = healthy.get(random.nextInt(healthy.size()));
        long pid = slices.view().slices().get(slice).hosts().getFirst().pid();
        long start = System.nanoTime();
        ProcessSignal.valueOf(options.signal()).sendTo(pid);
        // A step on the slices that were hit may still finish; only one on fewer has recovered.
        if (!await(RECOVERY, () -> attempt > before || active < RecoveryBench.SLICES)) {
            out.println("kill %d: not recovered within %s".formatted(kill, RECOVERY));
            return false;
        }
        whole = 0;
        var time = Duration.ofNanos(finishedAt - start);
        times.add(time);
        out.println(
                "kill %d of %d: slice %d (pid %d), next step after %d ms"
                        .formatted(kill, options.kills(), slice, pid, time.toMillis()));
        return true;
    }

    private boolean await(Duration time, BooleanSupplier condition) throws InterruptedException {
        long left = time.toNanos();
        while (!condition.getAsBoolean()) {
            if (left <= 0) {
                return false;
            }
            left = stepped.awaitNanos(left);
        }
        return true;
    }
}
