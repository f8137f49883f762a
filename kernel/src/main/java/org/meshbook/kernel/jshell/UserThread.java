package org.meshbook.kernel.jshell;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The one thread on which a cell's code runs, apart from the thread that waits for it, so that a
/// call into the JDK that heeds no interrupt can be left behind.
///
/// One caller at a time calls [#call]; [#stop] may be called on any thread.
public final class UserThread {
    /// How long an interrupted cell may take to leave.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration NUDGE = Duration.ofMillis(200);

    private final LinkedBlockingQueue<FutureTask<?>> tasks = new LinkedBlockingQueue<>();
    private final ThreadGroup group;
    private final Thread thread;
    private volatile long stoppedAt;
    private volatile boolean abandoned;
    private volatile boolean ended;

    /// @param name as it reads in a thread dump
    /// @param first runs on the thread before everything else
    public UserThread(String name, Runnable first) {
        group = new ThreadGroup(name);
        thread = new Thread(group, () -> serve(first), name);
        thread.setDaemon(true);
        thread.start();
    }

    /// Runs work on the thread and waits for it; on the thread itself, runs it at once.
    ///
    /// @param work what to run
    /// @return its result
    /// @throws Left if the cell was stopped and the work did not end within a second
    /// @throws Exception what the work threw
    public <T extends @Nullable Object> T call(Callable<T> work) throws Exception {
        if (Thread.currentThread() == thread) {
            return work.call();
        }
        if (abandoned) {
            throw new Left(where());
        }
        var task = new FutureTask<T>(work);
        tasks.add(task);
        try {
            return await(task);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw e;
            }
        }
    }

    private <T extends @Nullable Object> T await(FutureTask<T> task)
            throws ExecutionException, Left {
        while (true) {
            try {
                return task.get(NUDGE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                giveUpIfStuck();
            } catch (InterruptedException e) {
                // Whoever interrupts the waiting thread means the cell.
                stop();
            }
        }
    }

    private void giveUpIfStuck() throws Left {
        if (stoppedAt == 0) {
            return;
        }
        if (System.nanoTime() - stoppedAt > PATIENCE.toNanos()) {
            abandoned = true;
            throw new Left(where());
        }
        thread.interrupt();
    }

    /// Interrupts the thread, and every thread of the cell that is inside the cell's code; both
    /// leave at their next stop check.
    public void stop() {
        if (ended) {
            return;
        }
        stoppedAt = Math.max(1, System.nanoTime());
        thread.interrupt();
        var others = new Thread[group.activeCount() + 8];
        var count = group.enumerate(others);
        for (var i = 0; i < count; i++) {
            if (others[i] != thread && runsCellCode(others[i])) {
                others[i].interrupt();
            }
        }
    }

    private static boolean runsCellCode(Thread other) {
        for (var frame : other.getStackTrace()) {
            if (CellControl.isCellClass(frame.getClassName())) {
                return true;
            }
        }
        return false;
    }

    /// Lets the thread end.
    public void end() {
        ended = true;
        tasks.add(new FutureTask<>(() -> null));
    }

    /// @return whether it was left behind and still runs
    public boolean isLeftBehind() {
        return abandoned && thread.isAlive();
    }

    /// @return whether the calling thread is this one
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private String where() {
        var stack = thread.getStackTrace();
        return stack.length == 0
                ? "unknown code"
                : stack[0].getClassName() + "." + stack[0].getMethodName();
    }

    private void serve(Runnable first) {
        first.run();
        while (!ended && !abandoned) {
            try {
                tasks.take().run();
            } catch (InterruptedException e) {
                // A late interrupt, after the work that it was meant for.
                continue;
            }
        }
    }

    /// The thread was left behind.
    public static final class Left extends Exception {
        private static final long serialVersionUID = 1L;

        Left(String where) {
            super(where);
        }
    }
}
