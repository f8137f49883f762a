package org.meshbook.kernel.wire;

/// Takes messages for the sockets. Thread-safe.
public interface Outlet {
    /// What every topic on iopub begins with.
    String TOPIC = "kernel.";

    /// Queues a message; never blocks. Messages of all channels but control leave in the order of
    /// these calls; those of control overtake.
    ///
    /// @param channel where it goes
    /// @param envelope the message
    void send(Channel channel, Envelope envelope);

    /// Waits while too much is queued, because a subscriber reads slower than a cell prints. To be
    /// called before each piece of a cell's output.
    ///
    /// @throws InterruptedException if the cell is interrupted meanwhile
    void awaitRoom() throws InterruptedException;

    /// Runs something on the sockets' thread, in the order of [#send], once everything that had
    /// arrived on shell by then was given to the inbox.
    ///
    /// @param action must return at once
    void whenCaughtUp(Runnable action);
}
