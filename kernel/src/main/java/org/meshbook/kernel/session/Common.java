package org.meshbook.kernel.session;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.comm.Conversations;
import org.meshbook.kernel.history.History;

/// What all shells of a session share.
///
/// @param outbox sends
/// @param engine runs cells, once it is there
/// @param input asks the user
/// @param conversations all comms
/// @param timer ends the windows in which output is gathered
/// @param history of all sessions
record Common(
        Outbox outbox,
        Future<CellEngine> engine,
        InputDesk input,
        Conversations conversations,
        ScheduledExecutorService timer,
        History history) {
    /// @return the engine, if it is there by now
    Optional<CellEngine> ready() {
        return engine.state() == Future.State.SUCCESS
                ? Optional.of(engine.resultNow())
                : Optional.empty();
    }

    /// @return the engine, waited for
    /// @throws IllegalStateException if it could not be started
    CellEngine awaitEngine() throws InterruptedException {
        try {
            return engine.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Java could not be started: " + e.getCause(), e);
        }
    }
}
