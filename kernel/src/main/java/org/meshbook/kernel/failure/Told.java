package org.meshbook.kernel.failure;

import java.util.List;

/// A failure in words.
///
/// @param name short name of what failed, as `ArithmeticException`, `CompileError`
/// @param message one line
/// @param lines everything to show, the name and the message first
public record Told(String name, String message, List<String> lines) {
    public Told {
        lines = List.copyOf(lines);
    }
}
