package org.meshbook.elastic.checkpoint.tier.format;

import org.meshbook.elastic.ElasticException;

/// A checkpoint does not hold what was written: an older one is taken.
public final class CheckpointCorrupt extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param message one line without trailing stop
    public CheckpointCorrupt(String message) {
        super(message);
    }
}
