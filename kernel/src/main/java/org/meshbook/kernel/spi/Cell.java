package org.meshbook.kernel.spi;

import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.Callable;
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

    /// Evaluates Java of the user's that stands inside other Java, as the body of a loop that a
    /// magic made; what is wrong with it is told at its own place in the cell.
    ///
    /// @param before what stands before it
    /// @param code a part of the cell's text
    /// @param after what stands after it; the whole is one snippet
    /// @return its value, or null
    /// @throws Exception what the code threw, or a compile error with its position
    @Nullable Object evaluate(String before, String code, String after) throws Exception;

    /// Does work, and has each snippet of Java that it evaluates run by somebody, without its
    /// compilation: to measure it, say.
    ///
    /// @param around runs snippets, on the cell's thread
    /// @param work what evaluates Java
    /// @return the work's result
    /// @throws Exception what the work threw
    @Nullable Object around(Around around, Callable<@Nullable Object> work) throws Exception;

    /// Runs snippets.
    interface Around {
        /// @param snippet one compiled snippet
        /// @return its result
        /// @throws Exception what it threw
        @Nullable Object run(Callable<@Nullable Object> snippet) throws Exception;
    }

    /// Does work that an interrupt does not break: the work is told of each one and decides what it
    /// means. It must end soon after the first; the cell counts as interrupted all the same.
    ///
    /// @param interrupted hears of each interrupt, on any thread; quick
    /// @param work runs on the calling thread
    /// @throws InterruptedException if the work throws it
    void heeding(Runnable interrupted, Heeding work) throws InterruptedException;

    /// Work that heeds interrupts by itself.
    interface Heeding {
        /// @throws InterruptedException if it ends because of one
        void run() throws InterruptedException;
    }

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
