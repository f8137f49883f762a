package org.meshbook.kernel.cell;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where each snippet came from, so that an error names the cell and its line.
final class Sources {
    private static final int MOST_SNIPPETS = 2_000;

    private final Map<String, Origin> bySource =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Origin> eldest) {
                    return size() > MOST_SNIPPETS;
                }
            };

    /// Remembers the cell of a snippet; the same text again means the latest cell.
    synchronized void put(String source, Origin origin) {
        bySource.remove(source);
        bySource.put(source, origin);
    }

    synchronized @Nullable Origin find(String source) {
        return bySource.get(source);
    }

    /// A snippet's place in its cell.
    ///
    /// @param cell the cell's number
    /// @param code the cell's text
    /// @param offset where the snippet begins in it
    record Origin(int cell, String code, int offset) {
        Position at(int inSnippet) {
            var index = Math.clamp(offset + inSnippet, 0, code.length());
            var before = code.substring(0, index);
            var line = (int) before.chars().filter(c -> c == '\n').count();
            var lines = code.split("\n", -1);
            return new Position(
                    cell,
                    line + 1,
                    index - (before.lastIndexOf('\n') + 1) + 1,
                    lines[Math.min(line, lines.length - 1)].stripTrailing());
        }
    }

    /// A place that a person can find.
    ///
    /// @param cell the cell's number
    /// @param line from 1
    /// @param column from 1, in UTF-16 units
    /// @param text the whole line
    record Position(int cell, int line, int column, String text) {
        String caret(int length) {
            var lead = text.substring(0, Math.min(column - 1, text.length())).toCharArray();
            for (var i = 0; i < lead.length; i++) {
                lead[i] = lead[i] == '\t' ? '\t' : ' ';
            }
            var marks = new char[Math.clamp(text.length() - lead.length, 1, Math.max(1, length))];
            Arrays.fill(marks, '^');
            return new String(lead) + new String(marks);
        }
    }
}
