package org.meshbook.kernel.display;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Comms;
import org.meshbook.kernel.spi.DisplayData;

/// A scope that acts for a cell: whatever it does not do itself, the cell does. Thread-safe.
public interface Behalf extends Scope {
    @Override
    Scope cell();

    @Override
    default void write(boolean error, byte[] bytes, int offset, int length) {
        cell().write(error, bytes, offset, length);
    }

    @Override
    default void display(DisplayData data) {
        cell().display(data);
    }

    @Override
    default void update(DisplayData data) {
        cell().update(data);
    }

    @Override
    default void clear(boolean wait) {
        cell().clear(wait);
    }

    @Override
    default String ask(String prompt, boolean password) throws IOException, InterruptedException {
        return cell().ask(prompt, password);
    }

    @Override
    default DisplayData render(@Nullable Object value) {
        return cell().render(value);
    }

    @Override
    default DisplayData render(@Nullable Object value, Set<String> types) {
        return cell().render(value, types);
    }

    @Override
    default Optional<Comms> comms() {
        return cell().comms();
    }

    @Override
    default Optional<Cell> asCell() {
        return cell().asCell();
    }

    @Override
    default List<String> trace(Throwable thrown) {
        return cell().trace(thrown);
    }

    @Override
    default boolean replaces() {
        return cell().replaces();
    }

    @Override
    default boolean onEnd(Consumer<End> listener) {
        return cell().onEnd(listener);
    }

    @Override
    default Results results() {
        return cell().results();
    }
}
