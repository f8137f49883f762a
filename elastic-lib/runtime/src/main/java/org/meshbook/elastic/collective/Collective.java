package org.meshbook.elastic.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.ReduceKind;

/// What devices say to each other inside `shardMap`; made for `import static`.
///
/// Every device of the mesh calls the same collectives in the same order; the devices that differ
/// only along the named axis speak to each other. All have gradients; ties of [#pmax] and [#pmin]
/// share evenly. Where JAX has an argument `tiled`, it is true here: pieces are concatenated and
/// cut along a dimension that is there. Source: `jax.lax`'s parallel operators,
/// https://docs.jax.dev/en/latest/jax.lax.html
public final class Collective {
    private Collective() {}

    /// @param x an array of this device
    /// @param axes names of axes
    /// @return the sum over the devices along them, equal on all of them
    /// @throws UsageError if no `shardMap` binds an axis
    public static Array psum(Array x, String... axes) {
        return reduce("psum", ReduceKind.SUM, x, axes);
    }

    /// @param x an array of this device; floats
    /// @param axes names of axes
    /// @return the mean over the devices along them, equal on all of them
    /// @throws UsageError if no `shardMap` binds an axis
    public static Array pmean(Array x, String... axes) {
        int count =
                Arrays.stream(axes)
                        .mapToInt(axis -> BoundAxes.size("pmean", axis))
                        .reduce(1, Math::multiplyExact);
        return reduce("pmean", ReduceKind.SUM, x, axes).div(count);
    }

    /// @param x an array of this device
    /// @param axes names of axes
    /// @return the greatest of each element over the devices along them
    /// @throws UsageError if no `shardMap` binds an axis
    public static Array pmax(Array x, String... axes) {
        return reduce("pmax", ReduceKind.MAX, x, axes);
    }

    /// @param x an array of this device
    /// @param axes names of axes
    /// @return the least of each element over the devices along them
    /// @throws UsageError if no `shardMap` binds an axis
    public static Array pmin(Array x, String... axes) {
        return reduce("pmin", ReduceKind.MIN, x, axes);
    }

    private static Array reduce(String asked, ReduceKind kind, Array x, String... axes) {
        UsageError.require(axes.length > 0, "%s: name an axis to reduce over", asked);
        for (var axis : axes) {
            BoundAxes.size(asked, axis);
        }
        return apply(new Op.AllReduce(kind, List.of(axes)), x);
    }

    /// @param x an array of this device
    /// @param axis an axis' name
    /// @param dim the dimension along which the devices' arrays are put together; negative counts
    ///   from the end
    /// @return `x` of all devices along the axis, in order; equal on all of them
    /// @throws UsageError if no `shardMap` binds the axis
    public static Array allGather(Array x, String axis, int dim) {
        int size = BoundAxes.size("allGather", axis);
        return apply(new Op.AllGather(List.of(axis), at("allGather", x, dim), size), x);
    }

    /// JAX's `psum_scatter`.
    ///
    /// @param x an array of this device
    /// @param axis an axis' name
    /// @param dim the dimension of which each device keeps its piece; negative counts from the end
    /// @return this device's piece of the sum over the devices along the axis
    /// @throws org.meshbook.elastic.MeshMismatch if the dimension does not divide
    /// @throws UsageError if no `shardMap` binds the axis
    public static Array reduceScatter(Array x, String axis, int dim) {
        int size = BoundAxes.size("reduceScatter", axis);
        return apply(new Op.ReduceScatter(List.of(axis), at("reduceScatter", x, dim), size), x);
    }

    /// Moves a cut: each device sends a piece of one dimension to each, and puts together what it
    /// gets along another.
    ///
    /// @param x an array of this device
    /// @param axis an axis' name
    /// @param splitDim the dimension that is cut from now on; negative counts from the end
    /// @param concatDim the dimension that is put together; negative counts from the end
    /// @return one piece of each device along the axis
    /// @throws org.meshbook.elastic.MeshMismatch if the dimension does not divide
    /// @throws UsageError if no `shardMap` binds the axis
    public static Array allToAll(Array x, String axis, int splitDim, int concatDim) {
        int size = BoundAxes.size("allToAll", axis);
        int split = at("allToAll", x, splitDim);
        return apply(new Op.AllToAll(axis, split, at("allToAll", x, concatDim), size), x);
    }

    /// @param x an array of this device
    /// @param axis an axis' name
    /// @param pairs `{from, to}`, places along the axis; each sends at most once and gets at most
    ///   once
    /// @return what this device is sent; zeros if nothing
    /// @throws UsageError if no `shardMap` binds the axis, or a place is not on it
    public static Array ppermute(Array x, String axis, int[]... pairs) {
        int size = BoundAxes.size("ppermute", axis);
        var sources = new ArrayList<Integer>();
        var targets = new ArrayList<Integer>();
        for (var pair : pairs) {
            UsageError.require(
                    pair.length == 2
                            && Arrays.stream(pair).allMatch(place -> place >= 0 && place < size),
                    "ppermute over axis '%s' of %d: %s is no pair of places from 0 to %d",
                    axis,
                    size,
                    Arrays.toString(pair),
                    size - 1);
            sources.add(pair[0]);
            targets.add(pair[1]);
        }
        return apply(new Op.CollectivePermute(axis, sources, targets), x);
    }

    /// Passes round a ring: who stands last sends to the first.
    ///
    /// @param x an array of this device
    /// @param axis an axis' name
    /// @param by how many places further; negative goes back
    /// @return what the device so many places before has
    /// @throws UsageError if no `shardMap` binds the axis
    public static Array rotate(Array x, String axis, int by) {
        int size = BoundAxes.size("rotate", axis);
        var pairs =
                IntStream.range(0, size)
                        .mapToObj(place -> new int[] {place, Math.floorMod(place + by, size)})
                        .toArray(int[][]::new);
        return ppermute(x, axis, pairs);
    }

    /// @param axis an axis' name
    /// @return this device's place along it, from 0: a scalar I32
    /// @throws UsageError if no `shardMap` binds the axis
    public static Array axisIndex(String axis) {
        BoundAxes.size("axisIndex", axis);
        return BoundAxes.of("axisIndex", axis).lead().apply(new Op.AxisIndex(axis), List.of());
    }

    /// @param axis an axis' name
    /// @return how many devices stand along it
    /// @throws UsageError if no `shardMap` binds the axis
    public static int axisSize(String axis) {
        return BoundAxes.size("axisSize", axis);
    }

    /// Of a host array the value is equal on all devices, so it needs a traced one beside it.
    private static Array apply(Op op, Array x) {
        op.infer(List.of(x.type()));
        var lead = BoundAxes.current().map(BoundAxes::lead).orElse(x);
        return (x.precedence() >= lead.precedence() ? x : lead).apply(op, List.of(x));
    }

    private static int at(String asked, Array x, int dim) {
        int rank = x.shape().rank();
        UsageError.require(
                dim >= -rank && dim < rank,
                "%s: dimension %d is not one of the %d of %s",
                asked,
                dim,
                rank,
                x.type());
        return dim < 0 ? dim + rank : dim;
    }
}
