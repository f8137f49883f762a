package org.meshbook.kernel.jshell;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.MagicException;

/// The compiler itself gave up on a cell.
public final class CompilerLimit extends MagicException {
    private static final long serialVersionUID = 1L;

    private CompilerLimit(String message) {
        super(message);
    }

    static CompilerLimit of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof StackOverflowError) {
                return new CompilerLimit(
                        "the cell is nested too deeply for the compiler; split its longest"
                                + " expression");
            }
        }
        return new CompilerLimit("the compiler failed on this cell: " + thrown);
    }

    /// @param code javac's name of an error
    /// @return whether it is about a size, and was found after the types were
    static boolean isLimit(@Nullable String code) {
        return code != null && code.startsWith("compiler.err.limit.");
    }
}
