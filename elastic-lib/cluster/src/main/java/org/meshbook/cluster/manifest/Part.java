package org.meshbook.cluster.manifest;

import java.util.ArrayList;
import java.util.List;

/// A part of a text between two lines that begin with `---`.
///
/// @param index which one, from 0
/// @param lines how many lines of the text stand before it
/// @param text the part
/// @param stray what stands behind the `---` that ends it, and must not; empty if nothing
/// @param strayLine the number of that line, from 1
record Part(int index, int lines, String text, String stray, int strayLine) {
    private static final String SEPARATOR = "---";
    private static final char MARK = '\uFEFF';

    static List<Part> of(String text) {
        var parts = new ArrayList<Part>();
        var part = new StringBuilder();
        int start = 0;
        int at = 0;
        var whole = !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
        for (var line : whole.split("(?<=\n)", -1)) {
            at++;
            if (line.startsWith(SEPARATOR)) {
                var behind = line.substring(SEPARATOR.length()).strip();
                var stray = behind.isEmpty() || behind.startsWith("#") ? "" : behind;
                if (!part.isEmpty() || !stray.isEmpty()) {
                    parts.add(new Part(parts.size(), start, part.toString(), stray, at));
                    part.setLength(0);
                    start = at;
                    continue;
                }
            }
            part.append(line);
        }
        parts.add(new Part(parts.size(), start, part.toString(), "", 0));
        return parts;
    }
}
