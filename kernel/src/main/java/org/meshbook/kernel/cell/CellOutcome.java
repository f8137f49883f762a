package org.meshbook.kernel.cell;

import java.util.List;
import java.util.Optional;
import org.meshbook.kernel.failure.Told;
import org.meshbook.kernel.spi.DisplayData;

/// How a cell ended.
public sealed interface CellOutcome {
    /// It ran to its end.
    ///
    /// @param result what its last expression shows; empty if there is none
    record Done(Optional<DisplayData> result) implements CellOutcome {}

    /// It did not compile, threw, or was interrupted.
    ///
    /// @param name short name of the failure, as `ArithmeticException`, `CompileError`,
    ///   `KeyboardInterrupt`
    /// @param message one line
    /// @param trace lines to show, user frames only
    record Failed(String name, String message, List<String> trace) implements CellOutcome {
        public Failed {
            trace = List.copyOf(trace);
        }

        static Failed of(Told told) {
            return new Failed(told.name(), told.message(), told.lines());
        }
    }

    /// It asked the kernel to leave, by `%exit`.
    record Exit() implements CellOutcome {}
}
