package org.meshbook.elastic.controller.session;

import org.meshbook.elastic.ElasticException;

/// Slices that were asked for did not all come up; those that did are released again.
public final class ProvisionFailed extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param message one line without trailing stop
    public ProvisionFailed(String message) {
        super(message);
    }
}
