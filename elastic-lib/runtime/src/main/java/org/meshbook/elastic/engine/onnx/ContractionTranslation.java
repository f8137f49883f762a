package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// Dot and convolution.
record ContractionTranslation(Emit emit) {
    Value dot(Op.DotGeneral dot, Value lhs, Value rhs, Shape result) {
        if (lhs.isEmpty() || rhs.isEmpty()) {
            return emit.like(lhs, 0);
        }
        if (lhs.isBool()) {
            var counts = dot(dot, emit.cast(lhs, DType.I32), emit.cast(rhs, DType.I32), result);
            return emit.cast(counts, DType.BOOL);
        }
        boolean matrices = lhs.shape().rank() == 2 && rhs.shape().rank() == 2;
        if (matrices
                && dot.lhsContract().size() == 1
                && dot.lhsBatch().isEmpty()
                && lhs.isFloat()) {
            return gemm(lhs, rhs, 1 - dot.lhsContract().getFirst(), dot.rhsContract().getFirst());
        }
        var left = free(lhs.shape(), dot.lhsBatch(), dot.lhsContract());
        var right = free(rhs.shape(), dot.rhsBatch(), dot.rhsContract());
        int batch = product(lhs.shape(), dot.lhsBatch());
        int inner = product(lhs.shape(), dot.lhsContract());
        var a = emit.transpose(lhs, join(dot.lhsBatch(), left, dot.lhsContract()));
        var b = emit.transpose(rhs, join(dot.rhsBatch(), dot.rhsContract(), right));
        int m = product(lhs.shape(), left);
        int n = product(rhs.shape(), right);
        boolean plain = dot.lhsBatch().isEmpty();
        var x = emit.reshape(a, plain ? Shape.of(m, inner) : Shape.of(batch, m, inner));
        var y = emit.reshape(b, plain ? Shape.of(inner, n) : Shape.of(batch, inner, n));
        return emit.reshape(emit.matmul(x, y), result);
    }

    private Value gemm(Value lhs, Value rhs, int transposeLeft, int transposeRight) {
        var shape = Shape.of(lhs.shape().dim(transposeLeft), rhs.shape().dim(1 - transposeRight));
        return emit.model()
                .node(
                        "Gemm",
                        lhs.dtype(),
                        shape,
                        List.of(lhs, rhs),
                        Model.attribute("transA", transposeLeft),
                        Model.attribute("transB", transposeRight));
    }

    /// F32 by ONNX's Conv, which is the only type it knows; the rest by matrix products.
    Value convolve(Op.Convolution conv, Value input, Value kernel, Shape result) {
        if (input.isEmpty() || kernel.isEmpty()) {
            return emit.like(input, 0);
        }
        if (input.isBool()) {
            var counts =
                    convolve(
                            conv,
                            emit.cast(input, DType.I32),
                            emit.cast(kernel, DType.I32),
                            result);
            return emit.cast(counts, DType.BOOL);
        }
        int spatial = conv.strides().size();
        boolean own = input.dtype() == DType.F32 && spatial >= 1 && spatial <= 3;
        var low = conv.low().stream().map(pad -> own ? Math.min(0, pad) : pad).toList();
        var high = conv.high().stream().map(pad -> own ? Math.min(0, pad) : pad).toList();
        var holes = conv.inputDilation().stream().map(factor -> factor - 1).toList();
        var pad = new Op.Pad(framed(low), framed(high), framed(holes));
        var x = new MovementTranslation(emit).pad(pad, input, emit.like(input, 0));
        if (x.shape().rank() != input.shape().rank()) {
            return x; // cut down to nothing but padding, so all zeros
        }
        return own ? convF32(conv, x, kernel, result) : convByProducts(conv, x, kernel, result);
    }

    /// ONNX wants channels first: `[N, C, spatial...]`, kernel `[F, C, spatial...]`.
    private Value convF32(Op.Convolution conv, Value x, Value kernel, Shape result) {
        int spatial = conv.strides().size();
        var inside = IntStream.rangeClosed(1, spatial).boxed().toList();
        var taps = IntStream.range(0, spatial).boxed().toList();
        var first = emit.transpose(x, join(List.of(0, spatial + 1), inside));
        var weights = emit.transpose(kernel, join(List.of(spatial + 1, spatial), taps));
        var pads = new ArrayList<Integer>();
        conv.low().forEach(pad -> pads.add(Math.max(0, pad)));
        conv.high().forEach(pad -> pads.add(Math.max(0, pad)));
        var dims = new ArrayList<Integer>(List.of(result.dim(0), result.dim(-1)));
        dims.addAll(result.dims().subList(1, spatial + 1));
        var out =
                emit.model()
                        .node(
                                "Conv",
                                x.dtype(),
                                new Shape(dims),
                                List.of(first, weights),
                                Model.attribute("dilations", conv.kernelDilation()),
                                Model.attribute(
                                        "kernel_shape", kernel.shape().dims().subList(0, spatial)),
                                Model.attribute("pads", pads),
                                Model.attribute("strides", conv.strides()));
        var back = IntStream.rangeClosed(2, spatial + 1).boxed().toList();
        return emit.transpose(out, join(List.of(0), back, List.of(1)));
    }

    /// Slices of the padded input, laid side by side, times the kernel as a matrix: one slice a tap
    /// of the kernel or one a position of the result, whichever are fewer.
    private Value convByProducts(Op.Convolution conv, Value x, Value kernel, Shape result) {
        int spatial = conv.strides().size();
        int n = result.dim(0);
        int f = result.dim(-1);
        var taps = kernel.shape().dims().subList(0, spatial);
        var spots = result.dims().subList(1, spatial + 1);
        int inner = Math.toIntExact(kernel.shape().size() / f);
        var weights = emit.reshape(kernel, Shape.of(inner, f));
        if (size(taps) <= size(spots)) {
            var slices = slices(x, taps, conv.kernelDilation(), spots, conv.strides());
            var rows =
                    emit.reshape(
                            emit.concatenate(spatial + 1, slices),
                            Shape.of(n * size(spots), inner));
            return emit.reshape(emit.matmul(rows, weights), result);
        }
        var slices = slices(x, spots, conv.strides(), taps, conv.kernelDilation());
        var rows = slices.stream().map(slice -> emit.reshape(slice, Shape.of(n, inner))).toList();
        var product = emit.matmul(emit.concatenate(0, rows), weights);
        var apart = emit.reshape(product, Shape.of(size(spots), n, f));
        return emit.reshape(emit.transpose(apart, List.of(1, 0, 2)), result);
    }

    /// For each index of a grid `outer` the slice that starts there and has `inner` elements.
    private List<Value> slices(
            Value x,
            List<Integer> outer,
            List<Integer> outerStep,
            List<Integer> inner,
            List<Integer> innerStep) {
        var slices = new ArrayList<Value>();
        for (int i = 0; i < size(outer); i++) {
            var start = new ArrayList<Integer>();
            var limit = new ArrayList<Integer>();
            int rest = i;
            for (int d = outer.size() - 1; d >= 0; d--) {
                int from = rest % outer.get(d) * outerStep.get(d);
                rest /= outer.get(d);
                start.addFirst(from);
                limit.addFirst(from + (inner.get(d) - 1) * innerStep.get(d) + 1);
            }
            start.addFirst(0);
            start.addLast(0);
            limit.addFirst(x.shape().dim(0));
            limit.addLast(x.shape().dim(-1));
            slices.add(emit.slice(x, start, limit, join(List.of(1), innerStep, List.of(1))));
        }
        return slices;
    }

    private static List<Integer> framed(List<Integer> spatial) {
        return join(List.of(0), spatial, List.of(0));
    }

    private static List<Integer> free(Shape shape, List<Integer> batch, List<Integer> contract) {
        return IntStream.range(0, shape.rank())
                .filter(d -> !batch.contains(d) && !contract.contains(d))
                .boxed()
                .toList();
    }

    @SafeVarargs
    private static List<Integer> join(List<Integer>... parts) {
        var all = new ArrayList<Integer>();
        for (var part : parts) {
            all.addAll(part);
        }
        return all;
    }

    private static int product(Shape shape, List<Integer> dims) {
        return size(dims.stream().map(shape::dim).toList());
    }

    private static int size(List<Integer> dims) {
        return dims.stream().reduce(1, (x, y) -> x * y);
    }
}
