package org.meshbook.cluster.queue;

import java.util.List;

/// What a cycle decided about one workload.
public sealed interface Decision {
    /// @return the workload
    Workload workload();

    /// It holds quota from now on.
    ///
    /// @param workload the workload
    /// @param assignment its flavors and counts
    /// @param considered the flavors that were passed over; `""` if none
    /// @param replaced keys of smaller slices of the same job, whose place it takes
    record Admit(Workload workload, Assignment assignment, String considered, List<String> replaced)
            implements Decision {}

    /// Others have to go for it; it waits for that.
    ///
    /// @param workload the workload
    /// @param targets who has to go
    /// @param message why it waits
    record Preempt(Workload workload, List<Target> targets, String message) implements Decision {}

    /// It waits.
    ///
    /// @param workload the workload
    /// @param message why
    record Wait(Workload workload, String message) implements Decision {}
}
