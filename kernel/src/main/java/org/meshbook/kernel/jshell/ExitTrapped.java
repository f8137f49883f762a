package org.meshbook.kernel.jshell;

/// A cell called `System.exit`. An error, so that `catch (Exception e)` does not hide it.
public final class ExitTrapped extends Error {
    private static final long serialVersionUID = 1L;

    ExitTrapped(String call, int code) {
        super(
                "%s(%d) was called in a cell; the kernel stays, use %%exit to end it"
                        .formatted(call, code));
    }
}
