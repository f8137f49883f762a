package org.meshbook.elastic.data.source;

import org.meshbook.elastic.ElasticException;

/// One row of a source cannot be read: mend it, leave it out, or tolerate some.
public final class UnreadableRow extends ElasticException {
    private static final long serialVersionUID = 1L;

    private final long index;

    /// @param index of the row in the source
    /// @param message one line: which row, and why
    /// @param cause what was caught
    public UnreadableRow(long index, String message, Throwable cause) {
        super(message, cause);
        this.index = index;
    }

    /// @return index of the row in the source
    public long index() {
        return index;
    }
}
