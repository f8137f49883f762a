package org.meshbook.kernel.jshell;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One evaluation from its first compilation to its last: where its code runs, and what came of it.
/// Others may begin and end while its code runs.
///
/// Owned by the thread that evaluates, which holds the shell's lock whenever it touches this.
final class Evaluation {
    private final @Nullable UserThread thread;
    private final @Nullable Origin origin;
    private final List<String> reset = new ArrayList<>();
    private @Nullable Object value;
    private @Nullable Throwable thrown;

    /// @param thread where its code runs; null for the calling thread
    /// @param origin where its source stands; null for start-up code
    Evaluation(@Nullable UserThread thread, @Nullable Origin origin) {
        this.thread = thread;
        this.origin = origin;
    }

    @Nullable UserThread thread() {
        return thread;
    }

    @Nullable Origin origin() {
        return origin;
    }

    /// @return names of the variables that lost their value by it
    List<String> reset() {
        return reset;
    }

    void returned(@Nullable Object value) {
        this.value = value;
    }

    void threw(@Nullable Throwable thrown) {
        this.thrown = thrown;
    }

    @Nullable Object value() {
        return value;
    }

    @Nullable Throwable thrown() {
        return thrown;
    }
}
