package org.meshbook.elastic.array;

/// The greatest elements along a dimension and where they lie; a tree, so that a jitted function
/// can yield it.
///
/// @param values greatest first
/// @param indices I32, of equals the first ones first
public record TopK(Array values, Array indices) {}
