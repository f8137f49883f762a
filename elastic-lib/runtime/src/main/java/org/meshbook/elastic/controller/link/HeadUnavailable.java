package org.meshbook.elastic.controller.link;

import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;

/// The head cannot be started, reached or asked: look at its log, or start it again.
public final class HeadUnavailable extends ElasticException {
    private static final long serialVersionUID = 1L;

    private final boolean ended;

    /// @param message one line without trailing stop
    public HeadUnavailable(String message) {
        this(message, null);
    }

    /// @param message one line without trailing stop
    /// @param cause what was caught, or null
    public HeadUnavailable(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    /// @param ended whether the head has ended or is about to, so that another one may be started
    HeadUnavailable(String message, @Nullable Throwable cause, boolean ended) {
        super(message, cause);
        this.ended = ended;
    }

    /// @return whether the head has ended or is about to, so that another one may be started
    public boolean ended() {
        return ended;
    }
}
