package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.MeshMismatch;

/// Products of matrices and convolutions.
public sealed interface Products permits Array {
    private Array self() {
        return (Array) this;
    }

    /// The product of matrices, as NumPy's `matmul`.
    ///
    /// `[m, k]` by `[k, n]` gives `[m, n]`; one dimension is a row on the left, a column on the
    /// right, and is dropped from the result; leading dimensions are batches and broadcast.
    ///
    /// @param other right factor
    /// @return the product
    /// @throws MeshMismatch if the inner sizes differ; names both types
    default Array matmul(Array other) {
        var a = self().type();
        var b = other.type();
        if (a.shape().rank() == 0 || b.shape().rank() == 0) {
            throw new MeshMismatch(
                    "matmul: %s and %s; scalars have no product of matrices, use mul", a, b);
        }
        int inner = b.shape().dim(b.shape().rank() == 1 ? 0 : -2);
        if (a.shape().dim(-1) != inner) {
            throw new MeshMismatch(
                    "matmul: %s and %s do not fit; the last size of the left is %d, the %s of the"
                            + " right is %d",
                    a,
                    b,
                    a.shape().dim(-1),
                    b.shape().rank() == 1 ? "only size" : "last but one",
                    inner);
        }
        int right = b.shape().rank() == 1 ? 0 : b.shape().rank() - 2;
        int left = a.shape().rank() - 1;
        if (b.shape().rank() <= 2) {
            return dotGeneral(other, List.of(), List.of(), List.of(left), List.of(right));
        }
        return batched(other);
    }

    private Array batched(Array other) {
        var a = self();
        if (a.type().shape().rank() == 1) {
            return Apply.op(new Op.Reshape(prefixed(a.type().shape())), a)
                    .matmul(other)
                    .squeeze(-2);
        }
        var left = a.type().shape().dims();
        var right = other.type().shape().dims();
        int rank = Math.max(left.size(), right.size());
        var batch = new ArrayList<Integer>();
        for (int i = 0; i < rank - 2; i++) {
            int x = i < rank - left.size() ? 1 : left.get(i - rank + left.size());
            int y = i < rank - right.size() ? 1 : right.get(i - rank + right.size());
            if (x != y && x != 1 && y != 1) {
                throw new MeshMismatch(
                        "matmul: %s and %s do not fit; their batches do not broadcast",
                        a.type(), other.type());
            }
            batch.add(x == 1 ? y : x);
        }
        var x = a.broadcastTo(joined(batch, left));
        var y = other.broadcastTo(joined(batch, right));
        var dims = IntStream.range(0, rank - 2).boxed().toList();
        return x.dotGeneral(y, dims, dims, List.of(rank - 1), List.of(rank - 2));
    }

    private static int[] joined(List<Integer> batch, List<Integer> dims) {
        return IntStream.concat(
                        batch.stream().mapToInt(Integer::intValue),
                        dims.stream().skip(dims.size() - 2L).mapToInt(Integer::intValue))
                .toArray();
    }

    private static Shape prefixed(Shape shape) {
        var dims = new ArrayList<>(shape.dims());
        dims.addFirst(1);
        return new Shape(dims);
    }

    /// The general product: contracts, batches and keeps any dimensions; see [Op.DotGeneral].
    ///
    /// @param other right factor
    /// @param lhsBatch batch dimensions of the left
    /// @param rhsBatch batch dimensions of the right
    /// @param lhsContract summed dimensions of the left
    /// @param rhsContract summed dimensions of the right
    /// @return batch, then free dimensions of the left, then of the right
    default Array dotGeneral(
            Array other,
            List<Integer> lhsBatch,
            List<Integer> rhsBatch,
            List<Integer> lhsContract,
            List<Integer> rhsContract) {
        return Apply.op(
                new Op.DotGeneral(lhsBatch, rhsBatch, lhsContract, rhsContract), self(), other);
    }

    /// The sum of products over the last axes of the left and the first of the right: NumPy's
    /// `tensordot`.
    ///
    /// @param other right factor
    /// @param axes how many are summed over
    /// @return the left's other dimensions, then the right's
    /// @throws MeshMismatch if their sizes differ; names both types
    default Array tensordot(Array other, int axes) {
        int left = self().type().shape().rank();
        int right = other.type().shape().rank();
        if (axes < 0 || axes > Math.min(left, right)) {
            throw new MeshMismatch(
                    "tensordot: %s and %s have no %d axes to sum over",
                    self().type(), other.type(), axes);
        }
        return dotGeneral(
                other,
                List.of(),
                List.of(),
                IntStream.range(left - axes, left).boxed().toList(),
                IntStream.range(0, axes).boxed().toList());
    }

    /// @param other right factor
    /// @return the product of each element of the left with each of the right, both as vectors
    default Array outer(Array other) {
        return self().flatten().expandDims(-1).mul(other.flatten());
    }

    /// Convolves pictures `[N, H, W, C]` with a kernel `[h, w, C, F]`, without turning it round.
    ///
    /// @param kernel the kernel
    /// @param stride step in both directions
    /// @param padding `"SAME"`: zeros around, so that the result is `ceil(H / stride)` high;
    ///   `"VALID"`: none
    /// @return `[N, H', W', F]`
    /// @throws MeshMismatch if channels differ; names both types
    default Array conv2d(Array kernel, int stride, String padding) {
        var x = self().type().shape();
        var k = kernel.type().shape();
        if (x.rank() != 4 || k.rank() != 4) {
            throw new MeshMismatch(
                    "conv2d: %s and %s do not fit; use input [N,H,W,C] and kernel [h,w,C,F]",
                    self().type(), kernel.type());
        }
        var rows = Padding.of("conv2d", padding, x.dim(1), k.dim(0), stride);
        var columns = Padding.of("conv2d", padding, x.dim(2), k.dim(1), stride);
        var low = List.of(rows.low(), columns.low());
        var high = List.of(rows.high(), columns.high());
        var ones = Collections.nCopies(2, 1);
        var strides = Collections.nCopies(2, stride);
        return Apply.op(new Op.Convolution(strides, low, high, ones, ones), self(), kernel);
    }
}
