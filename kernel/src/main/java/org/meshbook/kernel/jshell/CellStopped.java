package org.meshbook.kernel.jshell;

/// Unwinds the code of a cell that was interrupted. Cheap: no stack trace.
public final class CellStopped extends Error {
    private static final long serialVersionUID = 1L;

    private CellStopped() {
        super("the cell was interrupted", null, false, false);
    }

    /// @return one to throw
    public static CellStopped now() {
        return new CellStopped();
    }
}
