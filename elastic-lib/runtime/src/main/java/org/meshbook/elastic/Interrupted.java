package org.meshbook.elastic;

/// A person pressed stop while something waited; the thread's interrupt flag is set again.
public final class Interrupted extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// Sets the thread's interrupt flag again.
    ///
    /// @param what what waited, as "waiting for 3 slices"
    /// @param cause the interruption
    public Interrupted(String what, InterruptedException cause) {
        super("stopped while " + what, cause);
        Thread.currentThread().interrupt();
    }
}
