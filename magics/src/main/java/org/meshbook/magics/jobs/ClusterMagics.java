package org.meshbook.magics.jobs;

import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.slices.Lease;

/// The magics of this room; they share one cluster.
public final class ClusterMagics {
    private ClusterMagics() {}

    /// @param lease the session of this process, which keeps the embedded cluster
    /// @return the magics
    public static List<Magic> of(Lease lease) {
        var door = new ClusterDoor(lease);
        return List.of(
                ClusterMagic.of(door),
                ApplyMagic.line(door),
                ApplyMagic.cell(door),
                GetMagic.of(door),
                GetMagic.describe(door),
                WhyMagic.of(door),
                WaitMagic.of(door),
                ScaleMagic.of(door),
                DeleteMagic.of(door));
    }
}
