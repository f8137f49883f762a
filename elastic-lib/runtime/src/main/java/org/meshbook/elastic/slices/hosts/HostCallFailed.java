package org.meshbook.elastic.slices.hosts;

import org.meshbook.elastic.ElasticException;

/// A function threw on a host; the message names the host, the function and the cause.
public final class HostCallFailed extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param message one line without trailing stop
    public HostCallFailed(String message) {
        super(message);
    }
}
