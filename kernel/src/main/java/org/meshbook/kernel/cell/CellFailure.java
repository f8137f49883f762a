package org.meshbook.kernel.cell;

import org.meshbook.kernel.cell.CellOutcome.Failed;
import org.meshbook.kernel.spi.MagicException;

/// Ends a cell early with an outcome that is already worded. Also what [RunningCell#evaluate]
/// throws to a magic for Java that does not compile.
final class CellFailure extends MagicException {
    private static final long serialVersionUID = 1L;

    private final transient Failed failed;

    CellFailure(Failed failed) {
        super(failed.message());
        this.failed = failed;
    }

    Failed failed() {
        return failed;
    }
}
