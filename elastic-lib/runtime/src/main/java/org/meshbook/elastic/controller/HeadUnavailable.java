package org.meshbook.elastic.controller;

import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;

/// The head cannot be started, reached or asked: look at its log, or start it again.
public final class HeadUnavailable extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param message one line without trailing stop
    public HeadUnavailable(String message) {
        super(message);
    }

    /// @param message one line without trailing stop
    /// @param cause what was caught, or null
    public HeadUnavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
