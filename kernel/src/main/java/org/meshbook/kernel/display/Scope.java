package org.meshbook.kernel.display;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;

/// One cell, as the code that it started sees it: where output goes. Outlives the cell's end.
/// Thread-safe.
public interface Scope {
    /// @param error stderr if true, else stdout
    /// @param bytes UTF-8 text, cut anywhere
    /// @param offset first byte
    /// @param length how many
    void write(boolean error, byte[] bytes, int offset, int length);

    /// @param data something new to show
    void display(DisplayData data);

    /// @param data replaces what was shown with the same id
    void update(DisplayData data);

    /// @param wait whether to wait with clearing until the next output
    void clear(boolean wait);

    /// @param prompt what to show before the field
    /// @param password whether to hide what is typed
    /// @return the line, without its end
    /// @throws IOException if nobody can be asked
    /// @throws InterruptedException if the cell is interrupted meanwhile
    String ask(String prompt, boolean password) throws IOException, InterruptedException;

    /// @param value any value, or null
    /// @return what it looks like
    DisplayData render(@org.jspecify.annotations.Nullable Object value);

    /// @param value any value, or null
    /// @param types MIME types that are asked for
    /// @return what it looks like in those of them that it can be, and as `text/plain`
    default DisplayData render(@org.jspecify.annotations.Nullable Object value, Set<String> types) {
        return render(value);
    }

    /// @return conversations with the front end, if it can have any
    Optional<Comms> comms();

    /// @return the cell that runs the code: this, unless this only leads output elsewhere
    default Scope cell() {
        return this;
    }

    /// @return the cell as magics see it, if there is one behind this
    default Optional<Cell> asCell() {
        return Optional.empty();
    }

    /// @param thrown what code of this cell threw
    /// @return the lines that a cell would end with
    default List<String> trace(Throwable thrown) {
        return List.of(thrown.toString());
    }

    /// @return whether an update takes the place of what was shown; a plain terminal adds it below
    default boolean replaces() {
        return true;
    }

    /// How a cell ended.
    enum End {
        DONE,
        FAILED,
        INTERRUPTED
    }

    /// @param listener called once when the cell's own code is over, before its result or its error
    ///   is shown
    /// @return false if the calling thread is not the cell's own, which ends when it likes; the
    ///   listener is not called then
    default boolean onEnd(Consumer<End> listener) {
        return false;
    }

    /// @return what the cells gave
    Results results();

    /// A thread of a pool does the work of several cells.
    ///
    /// @param born whether the calling thread was started by this cell; else it is everybody's
    /// @return the cell whose work it does now, if that can be told; else this one
    default Scope doing(boolean born) {
        return this;
    }
}
