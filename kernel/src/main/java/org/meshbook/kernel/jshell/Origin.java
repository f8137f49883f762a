package org.meshbook.kernel.jshell;

import java.util.Arrays;

/// A snippet's place in its cell, so that an error names the cell and its line.
///
/// @param cell the cell's number
/// @param code the cell's text
/// @param offset where the snippet begins in it
public record Origin(int cell, String code, int offset) {
    /// @param by how much later the text begins
    /// @return the place of a text that holds this one
    public Origin shifted(int by) {
        return new Origin(cell, code, offset + by);
    }

    /// @param inSnippet offset in the snippet's source
    /// @return that place in the cell
    public Position at(int inSnippet) {
        var index = Math.clamp((long) offset + inSnippet, 0, code.length());
        var before = code.substring(0, index);
        var line = (int) before.chars().filter(c -> c == '\n').count();
        var lines = code.split("\n", -1);
        return new Position(
                cell,
                line + 1,
                index - (before.lastIndexOf('\n') + 1) + 1,
                lines[Math.min(line, lines.length - 1)].stripTrailing());
    }

    /// A place that a person can find.
    ///
    /// @param cell the cell's number
    /// @param line from 1
    /// @param column from 1, in UTF-16 units
    /// @param text the whole line
    public record Position(int cell, int line, int column, String text) {
        /// @param length how much to mark
        /// @return a line that marks the place below its text
        public String caret(int length) {
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
