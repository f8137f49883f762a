package org.meshbook.magics.jobs;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.metrics.MetricsMagic;
import org.meshbook.magics.jobs.pods.PodMagics;
import org.meshbook.magics.jobs.queues.QueueMagics;

/// The magics of this room and of those below; they share one cluster.
public final class ClusterMagics {
    private ClusterMagics() {}

    /// @param door the way to the cluster
    /// @return the magics
    public static List<Magic> of(ClusterDoor door) {
        var magics =
                new ArrayList<>(
                        List.of(
                                ClusterMagic.of(door),
                                ApplyMagic.line(door),
                                ApplyMagic.cell(door),
                                CreateMagic.of(door),
                                GetMagic.of(door),
                                GetMagic.describe(door),
                                WhyMagic.of(door),
                                WaitMagic.of(door),
                                ScaleMagic.of(door),
                                PoolMagic.of(door),
                                MetricsMagic.of(door),
                                DeleteMagic.of(door)));
        magics.addAll(QueueMagics.of(door));
        magics.addAll(PodMagics.of(door));
        return magics;
    }
}
