package org.meshbook.elastic.manager;

import org.meshbook.elastic.ElasticException;

/// Elastic retry stopped trying; the cause is what ended the last attempt.
public final class ElasticGaveUp extends ElasticException {
    private static final long serialVersionUID = 1L;

    private final int attempts;

    ElasticGaveUp(int attempts, String message, ElasticException cause) {
        super(message, cause);
        this.attempts = attempts;
    }

    /// @return how many attempts were made
    public int attempts() {
        return attempts;
    }
}
