package org.meshbook.elastic.checkpoint.tier;

import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;

/// A checkpoint could not be saved, or none can be restored; the message says why and what to do.
public final class CheckpointFailed extends ElasticException {
    private static final long serialVersionUID = 1L;

    CheckpointFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
