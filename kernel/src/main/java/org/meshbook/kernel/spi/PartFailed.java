package org.meshbook.kernel.spi;

/// A part of what a magic runs on behalf of the cell failed, as a cell of a notebook that is
/// loaded. It is shown as its cause would be, with where it happened.
public final class PartFailed extends MagicException {
    private static final long serialVersionUID = 1L;

    private final Exception failure;

    /// @param where which part, as `cell 3 of 5 in first.ipynb`
    /// @param failure what failed there
    public PartFailed(String where, Exception failure) {
        super(where);
        this.failure = failure;
        var unused = initCause(failure);
    }

    /// @return what failed there
    public Exception failure() {
        return failure;
    }
}
