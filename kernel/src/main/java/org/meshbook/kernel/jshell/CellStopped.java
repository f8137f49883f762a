package org.meshbook.kernel.jshell;

import org.meshbook.kernel.display.Unwinding;

/// Unwinds the code of a cell that was interrupted. Cheap: no stack trace.
public final class CellStopped extends Error implements Unwinding {
    private static final long serialVersionUID = 1L;

    private CellStopped() {
        super("the cell was interrupted", null, false, false);
    }

    /// @return one to throw
    public static CellStopped now() {
        return new CellStopped();
    }
}
