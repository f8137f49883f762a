package org.meshbook.magics.jobs.queues;

import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.jobs.door.ClusterDoor;

/// The magics of this room.
public final class QueueMagics {
    private QueueMagics() {}

    /// @param door the way to the cluster
    /// @return the magics
    public static List<Magic> of(ClusterDoor door) {
        return List.of(
                JobsMagic.of(door),
                PoolsMagic.of(door),
                HoldMagic.hold(door),
                HoldMagic.resume(door),
                CancelMagic.of(door));
    }
}
