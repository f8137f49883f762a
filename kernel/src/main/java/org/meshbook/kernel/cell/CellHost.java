package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Workspace;

/// What a running cell asks of the engine that it runs on. Thread-safe.
interface CellHost {
    /// @return failures as outcomes, in the colours that are set
    Wording wording();

    /// @param printed a frame as `Throwable` prints it, without its lead
    /// @return how to print it; empty if it says nothing to the user
    Optional<String> frame(String printed);

    /// @return what was thrown, worded
    CellOutcome.Failed failure(Throwable thrown);

    /// @param snippet JShell's number of one
    /// @return the latest cell that evaluated it
    Optional<RunningCell> ran(String snippet);

    /// @return sees what cells see
    ClassLoader loader();

    /// @return how long a value's own code may take until it is shown; zero for ever
    Duration valueTimeout();

    /// @return what a value looks like
    DisplayData render(@Nullable Object value);

    /// @return what a value looks like in those of the MIME types that it can be
    DisplayData render(@Nullable Object value, Set<String> types);

    /// Evaluates Java of the user's inside Java of a magic, both perhaps empty, on the cell's
    /// thread.
    @Nullable Object evaluate(RunningCell cell, String before, String java, String after)
            throws Exception;

    /// Runs the text of a whole cell on behalf of a magic.
    @Nullable Object run(RunningCell cell, String code) throws Exception;

    /// @return what the cells have made so far
    Workspace workspace();

    /// @return what the cells gave
    KeptResults results();
}
