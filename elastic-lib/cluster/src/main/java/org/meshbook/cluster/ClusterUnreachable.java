package org.meshbook.cluster;

/// A cluster that cannot be asked: nothing is known of where it is, it does not answer, or it is
/// not who it should be. The message says what to do.
public final class ClusterUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param message what was tried, what was found, what to do
    public ClusterUnreachable(String message) {
        super(message);
    }

    /// @param message what was tried, what was found, what to do
    /// @param cause what was found
    public ClusterUnreachable(String message, Throwable cause) {
        super(message, cause);
    }
}
