package org.meshbook.kernel.spi;

import java.util.List;

/// One magic: `%name arguments` on a line, or `%%name arguments` over a whole cell.
public interface Magic {
    /// Where a magic may stand.
    enum Form {
        /// `%name` only.
        LINE,
        /// `%%name` only.
        CELL,
        /// Both.
        LINE_AND_CELL
    }

    /// @return the name without its `%`
    String name();

    /// @return where it may stand
    default Form form() {
        return Form.LINE;
    }

    /// @return where `%help` lists it, as `session` or `files`
    default String group() {
        return "more";
    }

    /// @return help as plain text: first line a sentence that says what it does, then usage and
    ///   flags
    String help();

    /// Runs the magic on the thread of its cell; an interrupt of the cell interrupts this thread.
    ///
    /// @param call what was typed
    /// @param cell where it stands
    /// @return what becomes the line's value (rendered if it is the cell's last), or null for none
    /// @throws MagicException if what was typed cannot be done: shown as one line without a stack
    ///   trace
    /// @throws Exception anything else: shown with its trace
    @org.jspecify.annotations.Nullable
    Object run(Call call, Cell cell) throws Exception;

    /// Completes the arguments; called on any thread, must be fast and must not change anything.
    ///
    /// @param arguments the text after the name and one space
    /// @param cursor position in it
    /// @return words that can stand in place of the word at the cursor
    default List<String> complete(String arguments, int cursor) {
        return List.of();
    }

    /// Completes arguments that may name what cells have made; called as [#complete(String, int)].
    ///
    /// @param arguments the text after the name and one space
    /// @param cursor position in it
    /// @param workspace what cells have made so far
    /// @return words that can stand in place of the word at the cursor
    default List<String> complete(String arguments, int cursor, Workspace workspace) {
        return complete(arguments, cursor);
    }

    /// What was typed.
    ///
    /// @param name the magic's name
    /// @param arguments the rest of the line, trimmed
    /// @param body the lines below a `%%name` line; empty for a line magic
    record Call(String name, String arguments, String body) {}
}
