package org.meshbook.kernel.display;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Which cell a thread belongs to.
///
/// A thread belongs to the cell whose thread created it. Threads that no cell created, and the
/// workers of the common pool, which serve every cell, belong to the running cell, else to the last
/// one. A thread of a pool belongs, while it does work that a later cell wrote, to that cell; where
/// that cannot be told, as with `System.out::println`, [Display#wrap] says it.
public final class CurrentScope {
    private static final InheritableThreadLocal<Scope> BOUND = new InheritableThreadLocal<>();
    private static final ThreadLocal<@Nullable Scope> ENTERED = new ThreadLocal<>();
    private static volatile @Nullable Scope latest;

    private CurrentScope() {}

    /// Binds the calling thread, and the threads that it will create, to a cell.
    ///
    /// @param scope the cell
    public static void bind(Scope scope) {
        BOUND.set(scope);
    }

    /// Runs work whose output goes elsewhere: what the calling thread shows meanwhile, and the
    /// threads that it creates, belong to `scope`.
    ///
    /// @param scope where output goes
    /// @param work runs on the calling thread
    /// @return its result
    /// @throws Exception what the work threw
    public static <T extends @Nullable Object> T call(Scope scope, Callable<T> work)
            throws Exception {
        var before = enter(scope);
        try {
            return work.call();
        } finally {
            leave(before);
        }
    }

    /// @param scope the cell that threads of nobody belong to from now on
    public static void latest(Scope scope) {
        latest = scope;
    }

    /// Forgets a cell when its engine closes.
    ///
    /// @param scope the cell
    public static void forget(Scope scope) {
        if (latest == scope) {
            latest = null;
        }
    }

    /// Binds the calling thread to a cell for some work, whoever it belongs to otherwise.
    ///
    /// @param scope the cell
    /// @return what to give to [#leave] afterwards
    static Before enter(Scope scope) {
        var before = new Before(BOUND.get(), ENTERED.get());
        BOUND.set(scope);
        ENTERED.set(scope);
        return before;
    }

    static void leave(Before before) {
        if (before.bound() == null) {
            BOUND.remove();
        } else {
            BOUND.set(before.bound());
        }
        if (before.entered() == null) {
            ENTERED.remove();
        } else {
            ENTERED.set(before.entered());
        }
    }

    /// Does work as a cell, without binding the threads that it makes.
    ///
    /// @param scope the cell
    /// @param work what to do
    /// @return its result
    public static <T> T within(Scope scope, Supplier<T> work) {
        var before = new Before(BOUND.get(), ENTERED.get());
        ENTERED.set(scope);
        try {
            return work.get();
        } finally {
            leave(before);
        }
    }

    record Before(@Nullable Scope bound, @Nullable Scope entered) {}

    /// @return the cell of the calling thread, or null if no cell was ever run
    public static @Nullable Scope find() {
        var entered = ENTERED.get();
        if (entered != null) {
            return entered;
        }
        var own = inherited();
        if (own != null) {
            return own.doing(true);
        }
        var last = latest;
        return last == null ? null : last.doing(false);
    }

    /// @return the cell that created the calling thread, or null
    public static @Nullable Scope inherited() {
        var entered = ENTERED.get();
        if (entered != null) {
            return entered;
        }
        if (Thread.currentThread() instanceof ForkJoinWorkerThread worker
                && worker.getPool() == ForkJoinPool.commonPool()) {
            return null;
        }
        return BOUND.get();
    }
}
