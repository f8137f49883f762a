package org.meshbook.elastic.checkpoint;

import java.time.Instant;
import org.meshbook.elastic.checkpoint.unit.Unit;
import org.meshbook.elastic.slices.HostCopy;

/// One complete snapshot. Its memory is freed when no shelf keeps it and nobody reads it.
final class Held {
    final long step;
    final Unit unit;
    final HostCopy copy;
    final Instant at;
    private int users = 1;

    Held(long step, Unit unit, HostCopy copy, Instant at) {
        this.step = step;
        this.unit = unit;
        this.copy = copy;
        this.at = at;
    }

    /// Begins a use; each one that began ends with [#leave()], and so does the first.
    ///
    /// @return whether it still is there
    synchronized boolean use() {
        if (users == 0) {
            return false;
        }
        users++;
        return true;
    }

    synchronized void leave() {
        if (--users == 0) {
            copy.release();
        }
    }
}
