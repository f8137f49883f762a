package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.MeshMismatch;

/// Operations that move elements and compute nothing.
///
/// Axes count from 0, or from the end from -1.
public sealed interface Reshaping permits Array {
    private Array self() {
        return (Array) this;
    }

    private Shape shape() {
        return self().type().shape();
    }

    /// @param dims the new sizes; one may be -1 and is then computed
    /// @return the same elements in row-major order
    /// @throws MeshMismatch if the number of elements differs
    default Array reshape(int... dims) {
        long known = 1;
        int open = -1;
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] == -1) {
                require(
                        open < 0,
                        "reshape: %s has two -1; one size can be computed",
                        Arrays.toString(dims));
                open = i;
            } else {
                known *= dims[i];
            }
        }
        var sizes = dims.clone();
        if (open >= 0) {
            if (known == 0 || shape().size() % known != 0) {
                throw new MeshMismatch(
                        "reshape: %s has %d elements, which %s cannot hold",
                        self().type(), shape().size(), Arrays.toString(dims));
            }
            sizes[open] = Math.toIntExact(shape().size() / known);
        }
        var target = Shape.of(sizes);
        return target.equals(shape()) ? self() : Apply.op(new Op.Reshape(target), self());
    }

    /// @return all elements in one dimension
    default Array flatten() {
        return reshape(-1);
    }

    /// @param permutation result dimension `i` is dimension `permutation[i]`; none given reverses
    ///   them
    /// @return the array with its dimensions moved
    default Array transpose(int... permutation) {
        int rank = shape().rank();
        var dims =
                permutation.length == 0
                        ? IntStream.iterate(rank - 1, i -> i >= 0, i -> i - 1).boxed().toList()
                        : Apply.axes(self(), permutation);
        boolean same = dims.equals(IntStream.range(0, rank).boxed().toList());
        return same ? self() : Apply.op(new Op.Transpose(dims), self());
    }

    /// @param a an axis
    /// @param b another
    /// @return the array with the two exchanged
    default Array swapAxes(int a, int b) {
        var dims = new ArrayList<>(IntStream.range(0, shape().rank()).boxed().toList());
        Collections.swap(dims, Apply.axis(self(), a), Apply.axis(self(), b));
        return transpose(dims.stream().mapToInt(Integer::intValue).toArray());
    }

    /// @param dims sizes that this shape broadcasts to, as in NumPy
    /// @return the repeated array
    default Array broadcastTo(int... dims) {
        var target = Shape.of(dims);
        if (target.rank() < shape().rank()) {
            throw new MeshMismatch(
                    "broadcast: %s has more dimensions than %s", self().type(), target);
        }
        return Apply.broadcast(self(), target);
    }

    /// @param axis place of the new dimension in the result
    /// @return the array with a dimension of size 1 more
    default Array expandDims(int axis) {
        int at = Apply.axis(self(), axis, shape().rank() + 1);
        var dims = new ArrayList<>(shape().dims());
        dims.add(at, 1);
        return Apply.op(new Op.Reshape(new Shape(dims)), self());
    }

    /// @param axes dimensions of size 1 to drop; none given drops all of size 1
    /// @return the array without them
    default Array squeeze(int... axes) {
        var drop =
                axes.length == 0
                        ? IntStream.range(0, shape().rank())
                                .filter(i -> shape().dim(i) == 1)
                                .boxed()
                                .toList()
                        : Apply.axes(self(), axes);
        for (int axis : drop) {
            if (shape().dim(axis) != 1) {
                throw new MeshMismatch(
                        "squeeze: dimension %d of %s is not of size 1", axis, self().type());
            }
        }
        return Apply.op(new Op.Reshape(new Shape(Operands.without(shape(), drop))), self());
    }

    /// @param start first index per dimension
    /// @param limit index after the last per dimension
    /// @return that block
    default Array slice(List<Integer> start, List<Integer> limit) {
        return slice(start, limit, Collections.nCopies(start.size(), 1));
    }

    /// @param start first index per dimension
    /// @param limit index after the last per dimension
    /// @param stride step per dimension
    /// @return those elements
    default Array slice(List<Integer> start, List<Integer> limit, List<Integer> stride) {
        boolean whole =
                start.stream().allMatch(i -> i == 0)
                        && stride.stream().allMatch(i -> i == 1)
                        && limit.equals(shape().dims());
        return whole ? self() : Apply.op(new Op.Slice(start, limit, stride), self());
    }

    /// @param axis a dimension
    /// @param start first index; negative counts from the end
    /// @param limit index after the last; negative counts from the end
    /// @return the part `start..limit` of that dimension, whole in the others
    default Array slice(int axis, int start, int limit) {
        int at = Apply.axis(self(), axis);
        int size = shape().dim(at);
        var from = new ArrayList<>(Collections.nCopies(shape().rank(), 0));
        var to = new ArrayList<>(shape().dims());
        from.set(at, start < 0 ? start + size : start);
        to.set(at, limit < 0 ? limit + size : limit);
        return slice(from, to);
    }

    /// @param index indices of the leading dimensions, which are dropped; negative counts from the
    ///   end
    /// @return what lies there
    default Array at(int... index) {
        var x = self();
        for (int i : index) {
            require(
                    x.type().shape().rank() > 0,
                    "%s has fewer dimensions than index %s",
                    self().type(),
                    Arrays.toString(index));
            int size = x.type().shape().dim(0);
            require(i >= -size && i < size, "index %d is outside dimension 0 of %s", i, x.type());
            int from = i < 0 ? i + size : i;
            x = x.slice(0, from, from + 1);
            x =
                    x.reshape(
                            x.type().shape().dims().stream()
                                    .skip(1)
                                    .mapToInt(Integer::intValue)
                                    .toArray());
        }
        return x;
    }

    /// @param low elements added before, per dimension; negative removes
    /// @param high elements added after, per dimension; negative removes
    /// @param value what is added
    /// @return the padded array
    default Array pad(List<Integer> low, List<Integer> high, double value) {
        return pad(low, high, Collections.nCopies(low.size(), 0), value);
    }

    /// @param low elements added before, per dimension; negative removes
    /// @param high elements added after, per dimension; negative removes
    /// @param interior elements added between neighbours, per dimension
    /// @param value what is added
    /// @return the padded array
    default Array pad(List<Integer> low, List<Integer> high, List<Integer> interior, double value) {
        return Apply.op(
                new Op.Pad(low, high, interior),
                self(),
                Apply.scalarLike(self(), value).cast(self().dtype()));
    }

    /// @param axes dimensions to turn round; none given means all
    /// @return the array read backwards along them
    default Array reverse(int... axes) {
        return Apply.op(new Op.Reverse(Apply.axes(self(), axes)), self());
    }

    /// Picks along an axis; indices outside are clamped to the nearest element.
    ///
    /// @param indices integers of any shape
    /// @param axis the dimension that the indices' dimensions replace
    /// @return the picked elements
    default Array take(Array indices, int axis) {
        return Apply.op(new Op.Take(Apply.axis(self(), axis)), self(), indices);
    }

    /// Adds along an axis; updates whose index is outside are dropped.
    ///
    /// @param indices integers of any shape
    /// @param updates shaped like `take(indices, axis)`
    /// @param axis the dimension that is indexed
    /// @return the sums
    default Array scatterAdd(Array indices, Array updates, int axis) {
        return Apply.op(new Op.ScatterAdd(Apply.axis(self(), axis)), self(), indices, updates);
    }

    /// @param depth number of classes
    /// @param dtype of the result
    /// @return 1 at each label along a new last dimension, else 0; all 0 for a label outside
    default Array oneHot(int depth, DType dtype) {
        var classes = Literals.arange(self().type().dtype(), 0, depth, 1);
        return expandDims(-1).eq(classes).cast(dtype);
    }

    /// @param depth number of classes
    /// @return [#oneHot(int, DType)] in F32
    default Array oneHot(int depth) {
        return oneHot(depth, DType.F32);
    }
}
