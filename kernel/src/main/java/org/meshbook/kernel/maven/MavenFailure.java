package org.meshbook.kernel.maven;

import org.meshbook.kernel.spi.MagicException;

/// A library cannot be had; the message names repository, coordinates and reason in one line.
public final class MavenFailure extends MagicException {
    private static final long serialVersionUID = 1L;

    /// @param message the one line that the user sees
    public MavenFailure(String message) {
        super(message);
    }

    /// @param message the one line that the user sees
    /// @param cause for the log
    public MavenFailure(String message, Throwable cause) {
        super(message);
        var unused = initCause(cause);
    }
}
