package org.meshbook.elastic.array;

/// Two values, as a tree: what a jitted function that yields two things returns.
///
/// @param first the one
/// @param second the other
/// @param <A> type of the first
/// @param <B> type of the second
public record Pair<A, B>(A first, B second) {
    /// Short for the constructor, made for static import.
    ///
    /// @param first the one
    /// @param second the other
    /// @param <A> type of the first
    /// @param <B> type of the second
    /// @return both
    public static <A, B> Pair<A, B> pair(A first, B second) {
        return new Pair<>(first, second);
    }
}
