package org.meshbook.kernel.jshell;

/// Strings and comments.
final class Literals {
    private Literals() {}

    /// @param code Java up to a cursor
    /// @return whether the cursor is inside a string, a text block, a character or a comment
    static boolean open(String code) {
        var at = 0;
        while (at < code.length()) {
            var end = end(code, at);
            if (end < 0) {
                return true;
            }
            at = end;
        }
        return false;
    }

    /// Index after what begins here; -1 if it is not closed.
    private static int end(String code, int at) {
        if (code.startsWith("\"\"\"", at)) {
            return after(code, "\"\"\"", at + 3, true);
        }
        if (code.startsWith("/*", at)) {
            return after(code, "*/", at + 2, false);
        }
        if (code.startsWith("//", at)) {
            return after(code, "\n", at + 2, false);
        }
        return switch (code.charAt(at)) {
            case '"' -> line(code, "\"", at + 1);
            case '\'' -> line(code, "'", at + 1);
            default -> at + 1;
        };
    }

    /// A line's end closes what was left open in it.
    private static int line(String code, String close, int from) {
        var end = after(code, close, from, true);
        var newline = code.indexOf('\n', from);
        return newline >= 0 && (end < 0 || newline < end) ? newline : end;
    }

    private static int after(String code, String close, int from, boolean escapes) {
        for (var i = from; i < code.length(); i++) {
            if (escapes && code.charAt(i) == '\\') {
                i++;
            } else if (code.startsWith(close, i)) {
                return i + close.length();
            }
        }
        return -1;
    }
}
