package org.meshbook.elastic.engine.reference;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// Sums of products: dot and convolution in plain loops.
final class Contraction {
    private Contraction() {}

    static void dot(Op.DotGeneral dot, Elements lhs, Elements rhs, Elements out) {
        var left = lhs.type().shape();
        var right = rhs.type().shape();
        int[] leftFree = offsets(left, free(left, dot.lhsBatch(), dot.lhsContract()));
        int[] rightFree = offsets(right, free(right, dot.rhsBatch(), dot.rhsContract()));
        int[] leftBatch = offsets(left, dot.lhsBatch());
        int[] rightBatch = offsets(right, dot.rhsBatch());
        int[] leftAlong = offsets(left, dot.lhsContract());
        int[] rightAlong = offsets(right, dot.rhsContract());
        var products = Products.of(lhs, rhs, out);
        int at = 0;
        for (int b = 0; b < leftBatch.length; b++) {
            for (int i : leftFree) {
                for (int j : rightFree) {
                    for (int k = 0; k < leftAlong.length; k++) {
                        products.add(
                                at,
                                leftBatch[b] + i + leftAlong[k],
                                rightBatch[b] + j + rightAlong[k]);
                    }
                    at++;
                }
            }
        }
        products.store(out);
    }

    static void convolve(Op.Convolution conv, Elements in, Elements kernel, Elements out) {
        var input = in.type().shape();
        int spatial = input.rank() - 2;
        int channels = kernel.type().shape().dim(-2);
        int filters = kernel.type().shape().dim(-1);
        int[] positions = Arrays.copyOfRange(out.type().shape().toArray(), 1, 1 + spatial);
        int[] taps = Arrays.copyOf(kernel.type().shape().toArray(), spatial);
        int[] strides = Strides.of(input);
        int spots = product(positions);
        var products = Products.of(in, kernel, out);
        for (int spot = 0; spot < spots; spot++) {
            for (int tap = 0; tap < product(taps); tap++) {
                int from = source(conv, input, unravel(spot, positions), unravel(tap, taps));
                if (from < 0) {
                    continue;
                }
                for (int n = 0; n < input.dim(0); n++) {
                    for (int c = 0; c < channels; c++) {
                        for (int f = 0; f < filters; f++) {
                            products.add(
                                    (n * spots + spot) * filters + f,
                                    n * strides[0] + from + c,
                                    (tap * channels + c) * filters + f);
                        }
                    }
                }
            }
        }
        products.store(out);
    }

    /// Offset of the input element under a kernel's tap, or -1 if padding or a hole lies there.
    private static int source(Op.Convolution conv, Shape input, int[] position, int[] tap) {
        int offset = 0;
        for (int d = 0; d < position.length; d++) {
            int at =
                    position[d] * conv.strides().get(d)
                            + tap[d] * conv.kernelDilation().get(d)
                            - conv.low().get(d);
            int dilation = conv.inputDilation().get(d);
            int size = input.dim(1 + d);
            if (at < 0 || at % dilation != 0 || at / dilation >= size) {
                return -1;
            }
            offset = offset * size + at / dilation;
        }
        return offset * input.dim(-1);
    }

    private static List<Integer> free(Shape shape, List<Integer> batch, List<Integer> contract) {
        return IntStream.range(0, shape.rank())
                .filter(d -> !batch.contains(d) && !contract.contains(d))
                .boxed()
                .toList();
    }

    private static int[] offsets(Shape shape, List<Integer> dims) {
        return Strides.offsets(
                Strides.pick(shape.toArray(), dims), Strides.pick(Strides.of(shape), dims), 0);
    }

    private static int product(int[] dims) {
        return Arrays.stream(dims).reduce(1, (x, y) -> x * y);
    }

    private static int[] unravel(int index, int[] dims) {
        var at = new int[dims.length];
        int rest = index;
        for (int d = dims.length - 1; d >= 0; d--) {
            at[d] = rest % dims[d];
            rest /= dims[d];
        }
        return at;
    }
}
