package org.meshbook.kernel.session;

import java.util.List;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.protocol.Bundle;
import org.meshbook.kernel.protocol.Failure;
import org.meshbook.kernel.spi.DisplayData;

/// From the words of cells to the words of the protocol.
final class Shown {
    private Shown() {}

    static Bundle bundle(DisplayData data) {
        return new Bundle(data.bundle(), data.metadata());
    }

    static Failure failure(CellOutcome.Failed failed) {
        return new Failure(failed.name(), failed.message(), failed.trace());
    }

    /// A failure of ours, not of the cell.
    static Failure failure(Throwable thrown) {
        var name = thrown.getClass().getSimpleName();
        return failure(name, String.valueOf(thrown.getMessage()));
    }

    static Failure failure(String name, String message) {
        return new Failure(name, message, List.of(name + ": " + message));
    }
}
