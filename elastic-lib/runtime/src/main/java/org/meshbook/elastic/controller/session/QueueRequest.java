package org.meshbook.elastic.controller.session;

import static org.meshbook.elastic.UsageError.require;

/// Through which queue slices come and go.
///
/// @param queue name of the queue
/// @param flavor the flavor that the slices must be of; empty leaves the choice to the queue
/// @param priorityClass who goes before whom in the queue; empty for the usual priority
/// @param atLeast how many slices the program needs at once, 0 for none; refused if the queue can
///   never hold so many
/// @param name of the jobs that stand for the slices there, as `train` for `train-slice-0`; empty
///   names them after the session
public record QueueRequest(
        String queue, String flavor, String priorityClass, int atLeast, String name) {
    public QueueRequest {
        require(!queue.isBlank(), "a queue needs a name, as user-queue; none was given");
        require(atLeast >= 0, "at least %d slices asked for; ask for 0 or more", atLeast);
    }
}
