package org.meshbook.kernel.protocol;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// What a front end asks for. Cursors are in UTF-16 units of the code they come with.
public sealed interface Request {
    /// Who are you.
    record KernelInfo() implements Request {}

    /// On which ports do you listen.
    record Connect() implements Request {}

    /// Run a cell.
    ///
    /// @param code its text
    /// @param silent publish nothing but status
    /// @param storeHistory count it and remember it
    /// @param userExpressions evaluated after it, by name
    /// @param allowStdin whether the user can be asked
    /// @param stopOnError whether its failure aborts what is queued behind it
    record Execute(
            String code,
            boolean silent,
            boolean storeHistory,
            Map<String, String> userExpressions,
            boolean allowStdin,
            boolean stopOnError)
            implements Request {
        public Execute {
            userExpressions = Map.copyOf(userExpressions);
        }
    }

    /// What could stand at the cursor.
    ///
    /// @param code a cell's text
    /// @param cursor in UTF-16 units
    record Complete(String code, int cursor) implements Request {}

    /// What is at the cursor.
    ///
    /// @param code a cell's text
    /// @param cursor in UTF-16 units
    /// @param detail 0 short, 1 all
    record Inspect(String code, int cursor, int detail) implements Request {}

    /// Can this be run.
    ///
    /// @param code a cell's text
    record IsComplete(String code) implements Request {}

    /// What was run.
    ///
    /// @param query which part of it
    /// @param output whether results are wanted, too
    record History(Query query, boolean output) implements Request {}

    /// Part of the history.
    sealed interface Query {
        /// The last cells.
        ///
        /// @param count how many
        record Tail(int count) implements Query {}

        /// Cells by number.
        ///
        /// @param session 0 for the current one, negative for earlier ones
        /// @param start first number
        /// @param stop number after the last one; empty for all that follow
        record Range(int session, int start, OptionalInt stop) implements Query {}

        /// Cells by text.
        ///
        /// @param pattern glob over the whole text
        /// @param count how many of the last ones; empty for all
        /// @param unique whether equal texts are given once
        record Search(String pattern, OptionalInt count, boolean unique) implements Query {}
    }

    /// Which comms are open.
    ///
    /// @param target only those of this target
    record CommInfo(Optional<String> target) implements Request {}

    /// The front end's part of a conversation.
    sealed interface OnComm extends Request {
        /// @return the comm's id
        String comm();

        /// @return what is said
        CommPayload payload();
    }

    /// The front end opens a comm.
    ///
    /// @param comm its id
    /// @param target who should take it
    /// @param payload goes with it
    record CommOpen(String comm, String target, CommPayload payload) implements OnComm {}

    /// The front end says something on a comm.
    ///
    /// @param comm its id
    /// @param payload what it says
    record CommMessage(String comm, CommPayload payload) implements OnComm {}

    /// The front end closes a comm.
    ///
    /// @param comm its id
    /// @param payload goes with it
    record CommClose(String comm, CommPayload payload) implements OnComm {}

    /// Stop the running cell.
    record Interrupt() implements Request {}

    /// What do you use.
    record Usage() implements Request {}

    /// Make a subshell.
    record CreateSubshell() implements Request {}

    /// End a subshell.
    ///
    /// @param subshell its id
    record DeleteSubshell(String subshell) implements Request {}

    /// Which subshells are there.
    record ListSubshells() implements Request {}

    /// Leave.
    ///
    /// @param restart whether a new kernel follows
    record Shutdown(boolean restart) implements Request {}

    /// A message of the debug adapter protocol.
    ///
    /// @param sequence its number
    /// @param command what it asks for
    record Debug(int sequence, String command) implements Request {}

    /// What the user typed when asked.
    ///
    /// @param value the line
    record Input(String value) implements Request {}
}
