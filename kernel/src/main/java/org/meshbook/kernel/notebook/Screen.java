package org.meshbook.kernel.notebook;

import java.io.PrintStream;

/// A terminal, or a file or pipe in its place.
///
/// @param out where text goes
/// @param colour whether it understands colours and movements of the cursor
/// @param columns characters in a line
public record Screen(PrintStream out, boolean colour, int columns) {
    /// The escape character that starts a sequence.
    private static final String ESCAPE = "\u001b[";

    String bold(String text) {
        return paint("1", text);
    }

    String dim(String text) {
        return paint("2", text);
    }

    String red(String text) {
        return paint("31", text);
    }

    String green(String text) {
        return paint("32", text);
    }

    /// @return what moves the cursor up and empties everything below
    String back(int lines) {
        return ESCAPE + lines + "A" + ESCAPE + "J";
    }

    /// Paints line by line: a pager or a scrolled terminal then keeps the colour.
    private String paint(String code, String text) {
        if (!colour || text.isEmpty()) {
            return text;
        }
        return ESCAPE
                + code
                + "m"
                + text.replace("\n", ESCAPE + "0m\n" + ESCAPE + code + "m")
                + ESCAPE
                + "0m";
    }
}
