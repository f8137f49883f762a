package org.meshbook.kernel.spi;

import java.io.PrintStream;
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

    /// @return the cell's number
    int number();
}
