package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;

/// Cotangents of a convolution's two operands, which are convolutions again.
///
/// Strides of the one are dilations of the other; padding makes the sizes come out. Source:
/// `_conv_general_vjp_lhs_padding` and `_conv_general_vjp_rhs_padding` in JAX's convolution.py.
final class ConvolutionVjp {
    private final Op.Convolution conv;
    private final Array input;
    private final Array kernel;
    private final Array ct;
    private final int spatial;

    ConvolutionVjp(Op.Convolution conv, Array input, Array kernel, Array ct) {
        this.conv = conv;
        this.input = input;
        this.kernel = kernel;
        this.ct = ct;
        this.spatial = conv.strides().size();
    }

    void of(Vjp.Sink sink) {
        sink.add(0, byInput());
        sink.add(1, byKernel());
    }

    private Array byInput() {
        var low = new ArrayList<Integer>();
        var high = new ArrayList<Integer>();
        for (int i = 0; i < spatial; i++) {
            int before = window(i) - conv.low().get(i) - 1;
            low.add(before);
            high.add(source(i) + window(i) - 1 - result(i) - before);
        }
        var turned = kernel.reverse(range(0, spatial)).swapAxes(-1, -2);
        return Vjp.apply(
                new Op.Convolution(
                        conv.inputDilation(), low, high, conv.strides(), conv.kernelDilation()),
                ct,
                turned);
    }

    private Array byKernel() {
        var high = new ArrayList<Integer>();
        for (int i = 0; i < spatial; i++) {
            int before = conv.low().get(i);
            high.add(result(i) - source(i) + window(i) - before - 1);
        }
        // The batch is what is summed over now: it takes the place of the channels.
        var pictures = input.swapAxes(0, -1);
        var order =
                IntStream.concat(IntStream.rangeClosed(1, spatial), IntStream.of(0, spatial + 1));
        var changes = ct.transpose(order.toArray());
        var product =
                Vjp.apply(
                        new Op.Convolution(
                                conv.kernelDilation(),
                                conv.low(),
                                high,
                                conv.inputDilation(),
                                conv.strides()),
                        pictures,
                        changes);
        var back =
                IntStream.concat(IntStream.rangeClosed(1, spatial), IntStream.of(0, spatial + 1));
        return product.transpose(back.toArray());
    }

    private int source(int i) {
        return dilated(input.shape().dim(i + 1), conv.inputDilation().get(i));
    }

    private int window(int i) {
        return dilated(kernel.shape().dim(i), conv.kernelDilation().get(i));
    }

    private int result(int i) {
        return dilated(ct.shape().dim(i + 1), conv.strides().get(i));
    }

    private static int dilated(int size, int factor) {
        return size == 0 ? 0 : (size - 1) * factor + 1;
    }

    private static int[] range(int from, int to) {
        return IntStream.range(from, to).toArray();
    }
}
