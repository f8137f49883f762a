package org.meshbook.kernel.jshell;

/// One snippet of a cell's Java.
///
/// @param source what JShell evaluates
/// @param offset where it begins in the text that was split
/// @param state whether it can be evaluated
public record Piece(String source, int offset, State state) {
    /// Whether a piece can be evaluated.
    public enum State {
        /// It can.
        COMPLETE,
        /// It can, but looks as if more were to come, as after `else`.
        EXTENDABLE,
        /// The text ends before the snippet does.
        INCOMPLETE,
        /// It is no Java; evaluating it says why.
        BROKEN
    }
}
