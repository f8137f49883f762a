package org.meshbook.elastic.jit;

/// What a function yielded, and how cotangents of that go back to its argument.
///
/// @param value a tree of arrays
/// @param pullback takes a tree like the value, yields one like the argument; may be called often
/// @param <A> type of the argument
/// @param <R> type of the value
public record ValueAndPullback<A, R>(R value, Fn1<R, A> pullback) {}
