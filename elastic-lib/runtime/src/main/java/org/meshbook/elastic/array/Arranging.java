package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.MeshMismatch;

/// Operations that arrange an array's parts anew, put together from [Reshaping].
///
/// Axes count from 0, or from the end from -1.
public sealed interface Arranging permits Array {
    private Array self() {
        return (Array) this;
    }

    private Shape shape() {
        return self().type().shape();
    }

    /// @param from an axis
    /// @param to where it shall stand
    /// @return the array with that axis moved, the others in their order
    default Array moveAxis(int from, int to) {
        int rank = shape().rank();
        var order = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
        int axis = Apply.axis(self(), from);
        order.remove(axis);
        order.add(Apply.axis(self(), to), axis);
        return self().transpose(order.stream().mapToInt(Integer::intValue).toArray());
    }

    /// @param parts how many
    /// @param axis where to cut
    /// @return equal parts
    /// @throws MeshMismatch if the axis does not divide
    default List<Array> split(int parts, int axis) {
        int at = Apply.axis(self(), axis);
        int size = shape().dim(at);
        if (parts < 1 || size % parts != 0) {
            throw new MeshMismatch(
                    "split: dimension %d of %s does not divide into %d parts; name the places, as in"
                            + " split(List.of(...), %d)",
                    at, self().type(), parts, at);
        }
        int length = size / parts;
        return IntStream.range(0, parts)
                .mapToObj(i -> part(at, i * length, (i + 1) * length))
                .toList();
    }

    /// @param places where parts begin, but for the first; rising
    /// @param axis where to cut
    /// @return one part more than there are places
    default List<Array> split(List<Integer> places, int axis) {
        int at = Apply.axis(self(), axis);
        var ends = new ArrayList<>(places);
        ends.add(shape().dim(at));
        var parts = new ArrayList<Array>();
        int start = 0;
        for (int end : ends) {
            require(
                    start <= end && end <= shape().dim(at),
                    "split: places %s do not rise within dimension %d of %s",
                    places,
                    at,
                    self().type());
            parts.add(part(at, start, end));
            start = end;
        }
        return List.copyOf(parts);
    }

    private Array part(int axis, int start, int limit) {
        var from = new ArrayList<>(Collections.nCopies(shape().rank(), 0));
        var to = new ArrayList<>(shape().dims());
        from.set(axis, start);
        to.set(axis, limit);
        return self().slice(from, to);
    }

    /// @param axis along which the parts lie
    /// @return the parts, without that axis; what [Array#stack] puts together
    default List<Array> unstack(int axis) {
        int at = Apply.axis(self(), axis);
        return IntStream.range(0, shape().dim(at))
                .mapToObj(i -> part(at, i, i + 1).squeeze(at))
                .toList();
    }

    /// @param shift by how many places, towards the end; negative towards the start
    /// @param axis where to move
    /// @return the array with its elements moved round
    default Array roll(int shift, int axis) {
        int at = Apply.axis(self(), axis);
        int size = shape().dim(at);
        int start = size == 0 ? 0 : Math.floorMod(-shift, size);
        return start == 0 ? self() : Array.concat(at, part(at, start, size), part(at, 0, start));
    }

    /// @param count how often each element
    /// @param axis along which they are repeated
    /// @return each element `count` times, one after the other
    default Array repeat(int count, int axis) {
        int at = Apply.axis(self(), axis);
        var wide = new ArrayList<>(shape().dims());
        wide.add(at + 1, count);
        var dims = shape().toArray();
        dims[at] = Math.multiplyExact(dims[at], count);
        return self().expandDims(at + 1).broadcastTo(new Shape(wide).toArray()).reshape(dims);
    }

    /// @param times how often the whole array is laid out along each of the last axes; more than
    ///   there are axes make new ones
    /// @return the tiled array
    default Array tile(int... times) {
        int rank = Math.max(times.length, shape().rank());
        var apart = new ArrayList<Integer>();
        var wide = new ArrayList<Integer>();
        var dims = new ArrayList<Integer>();
        for (int d = -rank; d < 0; d++) {
            int size = -d > shape().rank() ? 1 : shape().dim(d);
            int count = -d > times.length ? 1 : times[times.length + d];
            apart.addAll(List.of(1, size));
            wide.addAll(List.of(count, size));
            dims.add(Math.multiplyExact(count, size));
        }
        return self().reshape(new Shape(apart).toArray())
                .broadcastTo(new Shape(wide).toArray())
                .reshape(new Shape(dims).toArray());
    }

    // ---- matrices: the last two axes

    private Array matrices(String asked) {
        if (shape().rank() < 2) {
            throw new MeshMismatch("%s: %s is no matrix; it needs two axes", asked, self().type());
        }
        return self();
    }

    /// Column minus row, for each element of a matrix.
    private Array offsets() {
        var columns = Array.arange(shape().dim(-1));
        return columns.sub(Array.arange(shape().dim(-2)).expandDims(-1));
    }

    /// @param k the last diagonal that is kept: 0 the main one, above it positive
    /// @return the matrices with zeros above it
    default Array tril(int k) {
        var x = matrices("tril");
        return offsets().le(k).select(x, zero());
    }

    /// @return the matrices with zeros above the main diagonal
    default Array tril() {
        return tril(0);
    }

    /// @param k the first diagonal that is kept: 0 the main one, above it positive
    /// @return the matrices with zeros below it
    default Array triu(int k) {
        var x = matrices("triu");
        return offsets().ge(k).select(x, zero());
    }

    /// @return the matrices with zeros below the main diagonal
    default Array triu() {
        return triu(0);
    }

    private Array zero() {
        return Apply.scalarLike(self(), 0);
    }

    /// @param k which diagonal: 0 the main one, above it positive
    /// @return its elements, along a last axis
    default Array diagonal(int k) {
        var x = matrices("diagonal");
        int row = Math.max(0, -k);
        int column = Math.max(0, k);
        int count = Math.max(0, Math.min(shape().dim(-2) - row, shape().dim(-1) - column));
        var index = new ArrayList<Index>(Collections.nCopies(shape().rank() - 2, Index.all()));
        index.add(Array.arange(row, row + count, 1));
        index.add(Array.arange(column, column + count, 1));
        return x.index(index.toArray(Index[]::new)).get();
    }

    /// @return the main diagonal's elements, along a last axis
    default Array diagonal() {
        return diagonal(0);
    }

    /// @return of a vector the square matrix with it on its main diagonal, else 0; of a matrix the
    ///   elements of its main diagonal
    /// @throws UsageError if it is neither
    default Array diag() {
        int rank = shape().rank();
        require(rank == 1 || rank == 2, "diag: takes a vector or a matrix, got %s", self().type());
        if (rank == 2) {
            return diagonal();
        }
        int n = shape().dim(-1);
        return Array.eye(DType.BOOL, n, n).select(self().expandDims(-1), zero());
    }
}
