package org.meshbook.elastic.checkpoint;

import org.meshbook.elastic.ElasticException;

/// There is no snapshot to restore, or no slice holds a whole copy any more: start over, or restore
/// from elsewhere.
public final class SnapshotLost extends ElasticException {
    private static final long serialVersionUID = 1L;

    SnapshotLost(String message) {
        super(message);
    }
}
