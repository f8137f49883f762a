package org.meshbook.elastic.controller;

import org.meshbook.elastic.ElasticException;

/// A device could not compute a value although no slice is lost: an engine failed, or memory ran
/// out. The message says which; running the cell again helps only if it asks for less.
public final class RunFailed extends ElasticException {
    private static final long serialVersionUID = 1L;

    /// @param message one line without trailing stop
    public RunFailed(String message) {
        super(message);
    }
}
