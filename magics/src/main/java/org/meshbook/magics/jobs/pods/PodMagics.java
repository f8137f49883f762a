package org.meshbook.magics.jobs.pods;

import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.jobs.door.ClusterDoor;

/// The magics of this room.
public final class PodMagics {
    private PodMagics() {}

    /// @param door the way to the cluster
    /// @return the magics
    public static List<Magic> of(ClusterDoor door) {
        return List.of(LogsMagic.of(door));
    }
}
