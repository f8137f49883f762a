package org.meshbook.elastic.slices.supply;

import java.time.Duration;

/// Slices that are asked for.
///
/// @param session whose they will be
/// @param slices how many
/// @param hosts of each; 0 takes what such slices have
/// @param devices of each host; 0 takes what such hosts have
/// @param notice how long a slice that is taken away may serve on
/// @param queue name of the queue
/// @param flavor what the slices must be of; empty leaves the choice to the queue
/// @param priorityClass who goes before whom; empty for the usual priority
/// @param atLeast how many are needed at once; 0 for none
/// @param name of the jobs that stand for the slices in the queue, as `train` for `train-slice-0`
public record SupplyRequest(
        String session,
        int slices,
        int hosts,
        int devices,
        Duration notice,
        String queue,
        String flavor,
        String priorityClass,
        int atLeast,
        String name) {
    /// @param hosts see [#hosts()]
    /// @param devices see [#devices()]
    /// @return a changed copy
    public SupplyRequest of(int hosts, int devices) {
        return new SupplyRequest(
                session,
                slices,
                hosts,
                devices,
                notice,
                queue,
                flavor,
                priorityClass,
                atLeast,
                name);
    }
}
