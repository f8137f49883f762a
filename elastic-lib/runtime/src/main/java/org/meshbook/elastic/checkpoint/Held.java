package org.meshbook.elastic.checkpoint;

import java.time.Instant;
import org.meshbook.elastic.slices.HostCopy;

/// One complete snapshot. Its memory is freed when it was dropped and nobody reads it.
final class Held {
    final long step;
    final Unit unit;
    final HostCopy copy;
    final Instant at;
    private int readers;
    private boolean dropped;

    Held(long step, Unit unit, HostCopy copy, Instant at) {
        this.step = step;
        this.unit = unit;
        this.copy = copy;
        this.at = at;
    }

    Snapshot told() {
        return new Snapshot(step, copy.bytes(), at);
    }

    /// Begins a read; each one that began ends with [#readOver()].
    synchronized boolean read() {
        if (dropped) {
            return false;
        }
        readers++;
        return true;
    }

    synchronized void readOver() {
        readers--;
        if (dropped && readers == 0) {
            copy.release();
        }
    }

    synchronized void drop() {
        if (!dropped) {
            dropped = true;
            if (readers == 0) {
                copy.release();
            }
        }
    }
}
