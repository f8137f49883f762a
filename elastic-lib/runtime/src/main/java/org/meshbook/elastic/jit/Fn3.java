package org.meshbook.elastic.jit;

/// A function of three arguments that [Jit] can trace: it computes with arrays and keeps no state.
///
/// @param <A> type of argument 1
/// @param <B> type of argument 2
/// @param <C> type of argument 3
/// @param <R> type of the result
@FunctionalInterface
public interface Fn3<A, B, C, R> {
    /// @param a a tree of arrays
    /// @param b a tree of arrays
    /// @param c a tree of arrays
    /// @return a tree of arrays
    R apply(A a, B b, C c);
}
