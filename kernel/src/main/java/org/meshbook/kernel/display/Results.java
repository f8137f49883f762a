package org.meshbook.kernel.display;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the cells of one engine gave. Thread-safe.
public interface Results {
    /// @param cell its number
    /// @return the value that the cell ended with
    /// @throws IllegalArgumentException if it had none, or it was let go
    @Nullable Object of(int cell);

    /// @return the value of the last cell that had one
    /// @throws IllegalArgumentException if none had
    @Nullable Object last();

    /// @return what the last cell that failed threw; let go when twenty cells have ended since
    Optional<Throwable> lastException();
}
