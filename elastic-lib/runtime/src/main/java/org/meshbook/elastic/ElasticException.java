package org.meshbook.elastic;

import org.jspecify.annotations.Nullable;

/// A failure of the elastic library; its type says whose fault it is and what to do next.
///
/// Messages are one line: what was asked, what was found, what to do next.
public abstract class ElasticException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message one line without trailing stop
    protected ElasticException(String message) {
        super(message);
    }

    /// @param message one line without trailing stop
    /// @param cause what was caught, or null
    protected ElasticException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
