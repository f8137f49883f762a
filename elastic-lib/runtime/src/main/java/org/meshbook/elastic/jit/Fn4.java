package org.meshbook.elastic.jit;

/// A function of four arguments that [Jit] can trace: it computes with arrays and keeps no state.
///
/// @param <A> type of argument 1
/// @param <B> type of argument 2
/// @param <C> type of argument 3
/// @param <D> type of argument 4
/// @param <R> type of the result
@FunctionalInterface
public interface Fn4<A, B, C, D, R> {
    /// @param a a tree of arrays
    /// @param b a tree of arrays
    /// @param c a tree of arrays
    /// @param d a tree of arrays
    /// @return a tree of arrays
    R apply(A a, B b, C c, D d);
}
