package org.meshbook.kernel.widgets.model;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Calls code of the user's, which may throw anything.
public final class Calls {
    private Calls() {}

    /// What may be called.
    @FunctionalInterface
    public interface Action {
        /// @throws Exception whatever the user's code throws
        void run() throws Exception;
    }

    /// One of the user's listeners threw an exception that must be declared; its cause.
    public static final class CallbackFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CallbackFailed(Exception cause) {
            super(cause.toString(), cause);
        }
    }

    /// Calls all of them, also after one threw; then throws the first failure, the others
    /// suppressed.
    ///
    /// @param actions called in order
    public static void all(Collection<? extends Action> actions) {
        RuntimeException first = null;
        for (var action : actions) {
            try {
                run(action);
            } catch (RuntimeException e) {
                first = joined(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /// @param action called on the calling thread
    public static void run(Action action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallbackFailed(e);
        } catch (Exception e) {
            throw new CallbackFailed(e);
        }
    }

    /// @param thrown by a call
    /// @return what the user's code threw
    public static Throwable cause(Throwable thrown) {
        var cause = thrown instanceof CallbackFailed ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }

    private static RuntimeException joined(
            @Nullable RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }
}
