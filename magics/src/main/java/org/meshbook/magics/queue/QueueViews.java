package org.meshbook.magics.queue;

import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.jobs.door.ClusterDoor;

/// The magics of this room.
public final class QueueViews {
    private QueueViews() {}

    /// @param door the way to the cluster
    /// @return the magics
    public static List<Magic> of(ClusterDoor door) {
        return List.of(QueueMagic.of(door), ForecastMagic.of(door));
    }
}
