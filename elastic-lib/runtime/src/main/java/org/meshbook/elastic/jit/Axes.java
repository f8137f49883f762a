package org.meshbook.elastic.jit;

import java.util.Arrays;
import java.util.List;

/// Along which axes [Transform#vmap] maps: one for each argument, and one for the result. An axis
/// goes for every array of a tree; it counts from 0, or from the end from -1.
///
/// @param in one an argument, or [#NONE]
/// @param out where the examples stand in the results
public record Axes(List<Integer> in, int out) {
    /// For an argument that is the same for all examples.
    public static final int NONE = Integer.MIN_VALUE;

    /// Keeps a copy.
    public Axes {
        in = List.copyOf(in);
    }

    /// @param axes one an argument, or [#NONE]
    /// @return these, and 0 for the result
    public static Axes in(int... axes) {
        return new Axes(Arrays.stream(axes).boxed().toList(), 0);
    }

    /// @param axis where the examples stand in the results
    /// @return the same axes of the arguments with that
    public Axes out(int axis) {
        return new Axes(in, axis);
    }
}
