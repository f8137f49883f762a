package org.meshbook.kernel.cell;

import java.util.Optional;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;

/// Where a cell's output goes. Thread-safe; calls after the cell's end are allowed and still belong
/// to it.
public interface CellOutput {
    /// The two streams.
    enum Stream {
        STDOUT,
        STDERR;

        /// @return the protocol's name
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /// @param stream which one
    /// @param text whole characters, as they were printed
    void write(Stream stream, String text);

    /// @param data something new to show
    void display(DisplayData data);

    /// @param data replaces what was shown with the same id
    void update(DisplayData data);

    /// @param wait whether to wait with clearing until the next output
    void clear(boolean wait);

    /// Asks the user for a line.
    ///
    /// @param prompt what to show before the field
    /// @param password whether to hide what is typed
    /// @return the line, without its end
    /// @throws java.io.IOException if nobody can be asked
    /// @throws InterruptedException if the cell is interrupted meanwhile
    String ask(String prompt, boolean password) throws java.io.IOException, InterruptedException;

    /// @return conversations with the front end, if it can have any
    default Optional<Comms> comms() {
        return Optional.empty();
    }

    /// @return whether an update takes the place of what was shown
    default boolean replaces() {
        return true;
    }
}
