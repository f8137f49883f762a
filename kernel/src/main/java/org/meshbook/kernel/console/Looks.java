package org.meshbook.kernel.console;

import java.util.regex.Pattern;

/// How text can be shown.
///
/// @param person whether someone looks at it
/// @param colours how many: 0, 16, 256, or 16,777,216
/// @param columns characters in a line
public record Looks(boolean person, int colours, int columns) {
    /// Enough for pictures.
    static final int PALETTE = 256;

    /// What a terminal says by `COLORTERM` that it can.
    public static final int TRUE_COLOUR = 1 << 24;

    private static final String ESCAPE = "\u001b[";
    private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[[0-9;?]*[ -/]*[@-~]");

    /// Nobody looks: a file or a pipe.
    public static final Looks PLAIN = new Looks(false, 0, 80);

    /// @param text to paint
    /// @return it in the colour of prompts
    public String input(String text) {
        return paint("32", text);
    }

    String result(String text) {
        return paint("31", text);
    }

    String failure(String text) {
        return paint("1;31", text);
    }

    /// @param text to paint
    /// @return it as something beside the point
    public String dim(String text) {
        return paint("2", text);
    }

    /// @param text that may hold sequences for a terminal
    /// @return it without them, unless they can be shown here
    String shown(String text) {
        return colours > 0 || text.indexOf('\u001b') < 0
                ? text
                : SEQUENCE.matcher(text).replaceAll("");
    }

    private String paint(String code, String text) {
        return colours == 0 ? text : ESCAPE + code + "m" + text + ESCAPE + "0m";
    }
}
