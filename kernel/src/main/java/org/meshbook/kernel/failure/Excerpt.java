package org.meshbook.kernel.failure;

import java.util.List;
import org.meshbook.kernel.jshell.Origin;

/// A place in a cell as a person sees it: where it is, its line, and a mark below it.
///
/// @param cell the cell's number
/// @param line from 1
/// @param column from 1, in characters as they are seen
/// @param text the line, shortened around the place if it is long
/// @param mark spaces and carets that stand below the place
record Excerpt(int cell, int line, int column, String text, String mark) {
    private static final int WIDEST = 160;
    private static final int AROUND = 60;

    /// @param offset in the snippet
    /// @param length how much of it is meant, in UTF-16 units
    static Excerpt of(Origin origin, int offset, int length) {
        var code = origin.code();
        var index = (int) Math.clamp((long) origin.offset() + offset, 0, code.length());
        var start = code.lastIndexOf('\n', index - 1) + 1;
        var end = code.indexOf('\n', index);
        var text = code.substring(start, end < 0 ? code.length() : end).stripTrailing();
        var line = (int) code.substring(0, start).chars().filter(c -> c == '\n').count() + 1;
        var at = Math.min(index - start, text.length());
        var column = text.codePointCount(0, at) + 1;
        var to = Math.clamp((long) at + Math.max(1, length), at, Math.max(at, text.length()));
        return shortened(origin.cell(), line, column, text, at, to);
    }

    private static Excerpt shortened(int cell, int line, int column, String text, int at, int to) {
        if (text.length() <= WIDEST) {
            return new Excerpt(cell, line, column, text, mark(text, 0, at, to));
        }
        var from = boundary(text, Math.max(0, at - AROUND));
        var until = boundary(text, Math.min(text.length(), from + WIDEST));
        var lead = from > 0 ? "... " : "";
        var part = text.substring(from, until);
        var mark = " ".repeat(lead.length()) + mark(text, from, at, Math.min(to, until));
        return new Excerpt(
                cell, line, column, lead + part + (until < text.length() ? " ..." : ""), mark);
    }

    private static int boundary(String text, int index) {
        return index > 0 && index < text.length() && Character.isLowSurrogate(text.charAt(index))
                ? index - 1
                : index;
    }

    private static String mark(String text, int from, int at, int to) {
        var mark = new StringBuilder();
        text.substring(from, at)
                .codePoints()
                .forEach(c -> mark.append(c == '\t' ? "\t" : " ".repeat(width(c))));
        var marked = text.substring(at, to).codePoints().map(Excerpt::width).sum();
        return mark.append("^".repeat(Math.max(1, marked))).toString();
    }

    /// How many columns a character takes: pictures and the letters of East Asia take two.
    private static int width(int character) {
        if (Character.getType(character) == Character.NON_SPACING_MARK) {
            return 0;
        }
        var wide =
                Character.isEmoji(character) && character > 0xFF
                        || Character.isIdeographic(character)
                        || character >= 0x1100 && character <= 0x115F
                        || character >= 0x3041 && character <= 0x33FF
                        || character >= 0xAC00 && character <= 0xD7A3
                        || character >= 0xFF01 && character <= 0xFF60;
        return wide ? 2 : 1;
    }

    String where() {
        return "cell %d:%d:%d".formatted(cell, line, column);
    }

    List<String> lines() {
        return List.of("    at " + where(), "    " + text, "    " + mark);
    }
}
