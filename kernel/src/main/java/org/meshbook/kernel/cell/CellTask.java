package org.meshbook.kernel.cell;

import java.util.Map;

/// One cell, or one callback of a cell's, from before it runs until its last question.
///
/// [#run] and [#evaluate] are called on one thread, one after the other; tasks of one engine may
/// run beside each other on different threads.
public interface CellTask {
    /// Runs it on the calling thread, to its end.
    ///
    /// @return how it ended; never throws for what the user's code does
    CellOutcome run();

    /// Evaluates expressions afterwards, for `user_expressions`.
    ///
    /// @param expressions name to expression
    /// @return name to rendered value or failure
    Map<String, CellOutcome> evaluate(Map<String, String> expressions);

    /// Stops it, and only it: interrupts its thread, and stops loops at their next turn. Returns at
    /// once; a task that was not run yet ends as soon as it is. Any thread.
    void interrupt();
}
