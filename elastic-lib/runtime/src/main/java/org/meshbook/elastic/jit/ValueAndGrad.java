package org.meshbook.elastic.jit;

import org.meshbook.elastic.array.Array;

/// What a function yielded, and how it changes with its first argument.
///
/// @param value the scalar
/// @param grad a tree like the first argument: the derivative of the value by each number in it
/// @param <P> type of the first argument
public record ValueAndGrad<P>(Array value, P grad) {}
