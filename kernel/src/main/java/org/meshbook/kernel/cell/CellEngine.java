package org.meshbook.kernel.cell;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.meshbook.kernel.jshell.Match;
import org.meshbook.kernel.spi.DisplayData;

/// Runs cells and answers questions about code; knows no protocol and no socket.
///
/// Cells may run beside each other, each on the thread that runs its task; questions may be asked
/// on any thread, also while a cell runs.
public interface CellEngine extends AutoCloseable {
    /// Prepares a cell.
    ///
    /// @param code the cell's text
    /// @param number the execution count that it is shown with
    /// @param output where everything it shows goes, also late, from threads that it started
    /// @return the cell, which may be interrupted from now on
    CellTask cell(String code, int number, CellOutput output);

    /// Prepares work of the user's that is no cell, as the callback of a widget: it runs as a cell
    /// does, on a thread of its own that can be stopped.
    ///
    /// @param work what to run; its value is not shown
    /// @param number the execution count of the cell that it belongs to
    /// @param output where everything it shows goes
    /// @return the work, which may be interrupted from now on
    CellTask work(Callable<?> work, int number, CellOutput output);

    /// Stops whatever runs; no-op when idle.
    void interrupt();

    /// @param code a cell's text
    /// @param cursor position in UTF-16 units
    /// @return what could stand at the cursor
    Completion complete(String code, int cursor);

    /// @param code a cell's text
    /// @param cursor position in UTF-16 units
    /// @param detail 0 for a signature, 1 for all documentation
    /// @return documentation, or null if nothing is known there
    @org.jspecify.annotations.Nullable
    DisplayData inspect(String code, int cursor, int detail);

    /// @param code a cell's text
    /// @return whether it can be run
    Completeness completeness(String code);

    /// @return what the extensions use, by name
    default Map<String, Object> usage() {
        return Map.of();
    }

    /// Ends the extensions; the engine runs nothing afterwards.
    ///
    /// @param restart whether a new kernel follows
    void close(boolean restart);

    @Override
    default void close() {
        close(false);
    }

    /// What could stand at the cursor.
    ///
    /// @param found replacements of the text between `start` and `end`, best first
    /// @param start in UTF-16 units
    /// @param end in UTF-16 units
    record Completion(List<Match> found, int start, int end) {
        public Completion {
            found = List.copyOf(found);
        }

        /// @param texts replacements that are all of one kind
        /// @param kind what they are
        /// @param start in UTF-16 units
        /// @param end in UTF-16 units
        /// @return a completion
        static Completion of(List<String> texts, Match.Kind kind, int start, int end) {
            var found = texts.stream().map(text -> new Match(text, kind, "")).toList();
            return new Completion(found, start, end);
        }

        /// @return the replacements alone
        public List<String> matches() {
            return found.stream().map(Match::text).toList();
        }
    }

    /// @param status complete, incomplete, invalid or unknown
    /// @param indent for incomplete code: what the next line should start with
    record Completeness(String status, String indent) {}
}
