package org.meshbook.elastic.jit;

/// A function of two arguments that [Jit] can trace: it computes with arrays and keeps no state.
///
/// @param <A> type of argument 1
/// @param <B> type of argument 2
/// @param <R> type of the result
@FunctionalInterface
public interface Fn2<A, B, R> {
    /// @param a a tree of arrays
    /// @param b a tree of arrays
    /// @return a tree of arrays
    R apply(A a, B b);
}
