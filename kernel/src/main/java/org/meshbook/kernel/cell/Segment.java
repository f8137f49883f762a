package org.meshbook.kernel.cell;

/// A part of a cell: Java, or a magic.
sealed interface Segment {
    /// Java.
    ///
    /// @param text as typed
    /// @param offset where it begins in the cell
    record Java(String text, int offset) implements Segment {}

    /// A magic.
    ///
    /// @param name without its `%`
    /// @param arguments the rest of the line, trimmed
    /// @param body the lines below a `%%name` line
    /// @param wholeCell whether it was typed with `%%`
    /// @param first whether it stands in the first line that is not blank
    /// @param offset where it begins in the cell
    record Magic(
            String name,
            String arguments,
            String body,
            boolean wholeCell,
            boolean first,
            int offset)
            implements Segment {}
}
