package org.meshbook.elastic.engine;

import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;

/// An engine could not compile or run what it should have been able to: report it.
public final class EngineFailure extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param message one line that names engine and graph
    /// @param cause what the engine said
    public EngineFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
