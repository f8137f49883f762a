package org.meshbook.kernel.failure;

/// Colours of a terminal, which notebooks know, too.
///
/// @param coloured whether there are any
public record Ink(boolean coloured) {
    String headline(String name, String message) {
        var shown = message.isEmpty() ? "" : ": " + message;
        return (coloured ? "\u001b[31m" + name + "\u001b[0m" : name) + shown;
    }

    /// @param name of a failure
    /// @param message of it
    /// @return both, and nothing else
    public Told line(String name, String message) {
        return new Told(name, message, java.util.List.of(headline(name, message)));
    }
}
