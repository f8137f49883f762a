package org.meshbook.elastic.engine;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.meshbook.elastic.Interrupted;

/// Runs native compilers, which take more stack than callers need to have; with too little the
/// process ends without a word.
public final class DeepStack {
    private static final long STACK_BYTES = 16 << 20;

    private DeepStack() {}

    /// Does work on a thread of its own and waits for it.
    ///
    /// @param name of the thread
    /// @param work what to do
    /// @param failure the one checked exception that the work throws
    /// @param <T> what it yields
    /// @param <E> what it throws
    /// @return what it yielded
    /// @throws E what it threw; unchecked exceptions and errors come as they are
    public static <T, E extends Exception> T call(String name, Callable<T> work, Class<E> failure)
            throws E {
        var task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name(name).stackSize(STACK_BYTES).start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            throw new Interrupted("compiling", e);
        } catch (ExecutionException e) {
            var cause = e.getCause();
            if (failure.isInstance(cause)) {
                throw failure.cast(cause);
            }
            switch (cause) {
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(cause);
            }
        }
    }
}
