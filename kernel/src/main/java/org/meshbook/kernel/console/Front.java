package org.meshbook.kernel.console;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Where cells come from, and where what they show goes.
public interface Front extends AutoCloseable {
    /// Waits for a cell.
    ///
    /// @param number what it will be called
    /// @return its text; blank if it was dropped; null if the input has ended
    /// @throws IOException if the input breaks
    @Nullable String read(int number) throws IOException;

    /// Asks for a line on behalf of a running cell.
    ///
    /// @param prompt what to show before it
    /// @param password whether to hide what is typed
    /// @return the line, without its end
    /// @throws IOException if nobody can be asked
    /// @throws InterruptedException if the person stops the cell instead
    String ask(String prompt, boolean password) throws IOException, InterruptedException;

    /// Shows text. Any thread.
    ///
    /// @param text whole characters, as they come
    void print(String text);

    /// Forgets what is typed so far. Any thread.
    void drop();

    /// @return how text can be shown here
    Looks looks();

    @Override
    void close();
}
