package org.meshbook.kernel.spi;

import java.io.PrintStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The running cell, as a magic sees it. Thread-safe.
public interface Cell {
    /// @return the cell's stdout
    PrintStream out();

    /// @return the cell's stderr
    PrintStream err();

    /// Shows something below the cell.
    ///
    /// @param data what to show
    void display(DisplayData data);

    /// Replaces every display that was shown with the same id.
    ///
    /// @param data its id is required
    void update(DisplayData data);

    /// Evaluates Java as part of this cell; its output goes to this cell.
    ///
    /// @param code one or more snippets
    /// @return value of the last one, or null
    /// @throws Exception what the code threw, or a compile error with its position
    @Nullable Object evaluate(String code) throws Exception;

    /// Runs the text of a whole cell, magics included, as part of this cell.
    ///
    /// @param code any cell's text
    /// @return value of its last part, or null
    /// @throws Exception what the code threw, or a compile error with its position
    @Nullable Object run(String code) throws Exception;

    /// Asks the user for a line.
    ///
    /// @param prompt what to show before the field
    /// @param password whether to hide what is typed
    /// @return the line, without its end
    /// @throws java.io.IOException if nobody can be asked
    /// @throws InterruptedException if the cell is interrupted meanwhile
    String ask(String prompt, boolean password) throws java.io.IOException, InterruptedException;

    /// @return what the cells have made so far
    Workspace workspace();

    /// @return conversations with the front end, if it can have any
    Optional<Comms> comms();

    /// @return the cell's number
    int number();
}
