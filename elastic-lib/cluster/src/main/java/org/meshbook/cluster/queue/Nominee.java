package org.meshbook.cluster.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The head of a queue with the best that it could get as things stand.
///
/// @param entry the head
/// @param node its queue
/// @param assignment what it could get
/// @param targets who would have to go for it
/// @param replaced the smaller slice of the same job, whose place it takes
record Nominee(
        PendingQueue.Entry entry,
        QuotaNode node,
        Assignment assignment,
        List<Target> targets,
        @Nullable Reservation replaced) {
    Workload workload() {
        return entry.workload;
    }
}
