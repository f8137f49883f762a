package org.meshbook.cluster.lint.rule;

import org.meshbook.cluster.manifest.Place;

/// Puts a text in the place of another.
///
/// @param line line where the old text begins, from 1
/// @param column its column in code points, from 1
/// @param endLine line where it ends
/// @param endColumn the column behind it
/// @param text the new text
public record Edit(int line, int column, int endLine, int endColumn, String text) {
    /// @param place what goes
    /// @param text what comes
    /// @return puts one in the place of the other
    public static Edit replace(Place place, String text) {
        return new Edit(
                place.line(), place.column(), place.line(), place.column() + place.length(), text);
    }

    /// @param line a line
    /// @param text a line without its end
    /// @return puts a new line before it
    public static Edit insertBefore(int line, String text) {
        return new Edit(line, 1, line, 1, text + "\n");
    }

    /// @param first a line
    /// @param last a line
    /// @return drops both and what is between them
    public static Edit delete(int first, int last) {
        return new Edit(first, 1, last + 1, 1, "");
    }
}
