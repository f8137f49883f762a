package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// Operations whose addresses may be data.
///
/// Shapes of results are known before the data: a block has a fixed size, only its place is
/// computed. Axes count from 0, or from the end from -1.
public sealed interface Indexing permits Array {
    private Array self() {
        return (Array) this;
    }

    /// Names a part of the array, to be read or to be changed in a copy: NumPy's `x[i, j]`, and
    /// what `x.at[i, j]` is in JAX.
    ///
    /// `x.index(ids).get()`, `x.index(Index.all(), Index.at(0)).set(v)`, `x.index(rows,
    /// columns).add(1)`. Each index takes one dimension, the last dimensions are whole. Several
    /// arrays are broadcast and go along with each other; their dimensions stand where the first of
    /// them stood, or in front if a span stands between them, as in NumPy. An array's negative
    /// elements count from the end; outside, a read takes the nearest element and a change is
    /// dropped.
    ///
    /// @param index numbers, spans and integer arrays, no more than there are dimensions
    /// @return the part
    /// @throws UsageError if there are too many, a number lies outside or an array is not of
    ///   integers
    default Indexed index(Index... index) {
        return Indexed.of(self(), List.of(index));
    }

    /// @param index places along the first dimensions; negative counts from the end
    /// @return the part there
    default Indexed index(int... index) {
        return Indexed.of(self(), Arrays.stream(index).mapToObj(Index::at).toList());
    }

    /// A block whose place is computed; it is moved inside where it reaches out.
    ///
    /// @param starts for each dimension an integer scalar
    /// @param sizes of the block
    /// @return the block
    default Array dynamicSlice(List<? extends Array> starts, int... sizes) {
        var operands = new ArrayList<Array>(List.of(self()));
        operands.addAll(starts);
        var op = new Op.DynamicSlice(Arrays.stream(sizes).boxed().toList());
        return Apply.op(op, operands.toArray(Array[]::new));
    }

    /// @param axis a dimension; the others are taken whole
    /// @param start an integer scalar; clamped so that the block lies inside
    /// @param size of the block
    /// @return the block
    default Array dynamicSlice(int axis, Array start, int size) {
        int at = Apply.axis(self(), axis);
        var sizes = self().type().shape().toArray();
        sizes[at] = size;
        return dynamicSlice(starts(at, start), sizes);
    }

    /// A copy in which a block is replaced; it is moved inside where it reaches out.
    ///
    /// @param update the block
    /// @param starts for each dimension an integer scalar
    /// @return the copy
    /// @throws MeshMismatch if the block is larger; names both types
    default Array dynamicUpdate(Array update, List<? extends Array> starts) {
        var operands = new ArrayList<>(List.of(self(), update));
        operands.addAll(starts);
        return Apply.op(new Op.DynamicUpdateSlice(), operands.toArray(Array[]::new));
    }

    /// @param axis a dimension; in the others the block starts at 0
    /// @param update the block
    /// @param start an integer scalar; clamped so that the block lies inside
    /// @return a copy in which the block is replaced
    default Array dynamicUpdate(int axis, Array update, Array start) {
        return dynamicUpdate(update, starts(Apply.axis(self(), axis), start));
    }

    private List<Array> starts(int axis, Array start) {
        int rank = self().type().shape().rank();
        var zero = Literals.full(start.type().dtype(), 0, Shape.SCALAR);
        var starts = new ArrayList<Array>(Collections.nCopies(rank, zero));
        starts.set(axis, start);
        return starts;
    }

    /// For each index the element along an axis, in the line that the index stands in: NumPy's
    /// `take_along_axis`.
    ///
    /// @param indices integers, of this shape but for the axis; other dimensions may be 1. Negative
    ///   ones count from the end, outside the nearest element is taken
    /// @param axis where to pick
    /// @return the picked elements, shaped like the indices
    /// @throws MeshMismatch if the other dimensions differ; names both types
    default Array takeAlongAxis(Array indices, int axis) {
        var x = self();
        int at = Apply.axis(x, axis);
        int rank = x.type().shape().rank();
        var dims = x.type().shape().toArray();
        boolean fits = indices.type().shape().rank() == rank;
        for (int d = 0; fits && d < rank; d++) {
            int size = indices.type().shape().dim(d);
            fits = d == at || size == dims[d] || size == 1;
        }
        if (!fits) {
            throw new MeshMismatch(
                    "takeAlongAxis: indices %s do not go along %s; shapes may differ only in"
                            + " dimension %d",
                    indices.type(), x.type(), at);
        }
        UsageError.require(
                indices.type().dtype().isInteger(),
                "takeAlongAxis: indices are %s; cast them, as in i.cast(DType.I32)",
                indices.type());
        int count = dims[at];
        dims[at] = indices.type().shape().dim(at);
        var all = Indexed.counted(indices, count).broadcastTo(dims);
        return Apply.op(
                new Op.Gather(IndexMap.along(rank, at), Collections.nCopies(rank, 1)), x, all);
    }
}
