package org.meshbook.kernel.jshell;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The one thread on which a cell's code runs, apart from the thread that waits for it, so that a
/// call into the JDK that heeds no interrupt can be left behind.
///
/// One caller at a time calls [#call]; [#stop] may be called on any thread. The thread starts with
/// its first work; once stopped it takes no more.
public final class UserThread {
    /// How long an interrupted cell may take to leave.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration NUDGE = Duration.ofMillis(200);

    private static final Duration WATCH = Duration.ofMillis(20);

    /// How long it may wait for the system then, for whoever closes what it waits for.
    private static final Duration GRACE = Duration.ofMillis(60);

    /// Which of these the calling thread is, if any.
    private static final ThreadLocal<UserThread> OWN = new ThreadLocal<>();

    private final LinkedBlockingQueue<FutureTask<?>> tasks = new LinkedBlockingQueue<>();
    private final Semaphore news = new Semaphore(0);
    private final ThreadGroup group;
    private final Thread thread;
    private final Set<String> ran = ConcurrentHashMap.newKeySet();
    private @Nullable Around around;
    private int shields;
    private boolean started;
    private volatile long stoppedAt;
    private volatile boolean abandoned;
    private volatile boolean ended;

    /// @param name as it reads in a thread dump
    /// @param first runs on the thread before everything else
    public UserThread(String name, Runnable first) {
        group = new ThreadGroup(name);
        thread = new Thread(group, () -> serve(first), name);
        thread.setDaemon(true);
    }

    /// Does work on the calling thread, which is this one, and has each snippet that it evaluates
    /// run by somebody.
    ///
    /// @param around is given each snippet
    /// @param work what to do
    /// @return its result
    /// @throws Exception what the work threw
    public @Nullable Object around(Around around, Callable<@Nullable Object> work)
            throws Exception {
        var before = this.around;
        this.around = around;
        try {
            return work.call();
        } finally {
            this.around = before;
        }
    }

    /// Runs a snippet's code as [#call] does.
    @Nullable Object snippet(Callable<@Nullable Object> code) throws Exception {
        var mine = around;
        return this.<@Nullable Object>call(mine == null ? code : () -> mine.run(code));
    }

    /// Runs snippets.
    public interface Around {
        /// @param snippet one compiled snippet
        /// @return its result
        /// @throws Exception what it threw
        @Nullable Object run(Callable<@Nullable Object> snippet) throws Exception;
    }

    /// Runs work on the thread and waits for it; on the thread itself, runs it at once.
    ///
    /// @param work what to run
    /// @return its result
    /// @throws CellStopped if the cell was stopped before
    /// @throws Left if the cell was stopped and the work did not end in time
    /// @throws Exception what the work threw
    public <T extends @Nullable Object> T call(Callable<T> work) throws Exception {
        if (Thread.currentThread() == thread) {
            return work.call();
        }
        if (abandoned) {
            throw new Left(where());
        }
        if (stoppedAt != 0) {
            throw CellStopped.now();
        }
        start();
        var task =
                new FutureTask<T>(work) {
                    @Override
                    protected void done() {
                        news.release();
                    }
                };
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
        List<StackTraceElement> before = List.of();
        while (true) {
            try {
                var watch = stoppedAt == 0 ? NUDGE : WATCH;
                var unused = news.tryAcquire(watch.toMillis(), TimeUnit.MILLISECONDS);
                if (task.isDone()) {
                    return task.get();
                }
                if (stoppedAt != 0 && !isShielded()) {
                    var now = List.of(thread.getStackTrace());
                    giveUpIfStuck(waitsForTheSystem(now) && now.equals(before));
                    before = now;
                }
            } catch (InterruptedException e) {
                // Whoever interrupts the waiting thread means the cell.
                stop();
            }
        }
    }

    /// Leaves the thread behind after a second, or as soon as it is seen to wait where nothing but
    /// the system wakes it.
    private void giveUpIfStuck(boolean waits) throws Left {
        var since = System.nanoTime() - stoppedAt;
        if (since > (waits ? GRACE : PATIENCE).toNanos()) {
            abandoned = true;
            throw new Left(where());
        }
        interrupt();
    }

    /// Sockets and files of a platform thread, inside a native call.
    private static boolean waitsForTheSystem(List<StackTraceElement> stack) {
        if (stack.isEmpty() || !stack.getFirst().isNativeMethod()) {
            return false;
        }
        var owner = stack.getFirst().getClassName();
        return owner.startsWith("sun.nio.ch.") || owner.startsWith("java.io.");
    }

    private synchronized void start() {
        if (!started) {
            started = true;
            thread.start();
        }
    }

    private synchronized void interrupt() {
        if (shields == 0) {
            thread.interrupt();
        }
    }

    private synchronized boolean isShielded() {
        return shields > 0;
    }

    /// Keeps interrupts away from the calling thread, if it is a cell's, until [#unshield].
    public static void shield() {
        var own = OWN.get();
        if (own != null) {
            own.shields(1);
        }
    }

    /// Ends what [#shield] began; an interrupt that came meanwhile is met now.
    public static void unshield() {
        var own = OWN.get();
        if (own != null) {
            own.shields(-1);
        }
    }

    private synchronized void shields(int more) {
        shields += more;
        if (shields > 0) {
            var unused = Thread.interrupted();
        } else if (stoppedAt != 0) {
            thread.interrupt();
        }
    }

    /// Interrupts the thread, and every thread of the cell that is inside the cell's code; both
    /// leave at their next stop check.
    public void stop() {
        if (ended) {
            return;
        }
        stoppedAt = Math.max(1, System.nanoTime());
        interrupt();
        news.release();
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

    /// Says what the thread is about to run.
    ///
    /// @param snippet JShell's number of it
    void runs(String snippet) {
        ran.add(snippet);
    }

    /// @param snippet JShell's number of one
    /// @return whether it was run on this thread
    public boolean ran(String snippet) {
        return ran.contains(snippet);
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
        OWN.set(this);
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
