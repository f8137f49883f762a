package org.meshbook.elastic.jit;

/// A function of one argument that [Jit] can trace: it computes with arrays and keeps no state.
///
/// @param <A> type of argument 1
/// @param <R> type of the result
@FunctionalInterface
public interface Fn1<A, R> {
    /// @param a a tree of arrays
    /// @return a tree of arrays
    R apply(A a);
}
