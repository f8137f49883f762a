package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// Operations that only move elements.
record MovementTranslation(Emit emit) {
    /// One dimension's count as a constant; it is stretched only where it must be.
    Value iota(Op.Iota iota) {
        var type = iota.type();
        var counts = HostArray.zeros(ArrayType.of(type.dtype(), type.shape().dim(iota.dim())));
        for (int i = 0; i < type.shape().dim(iota.dim()); i++) {
            if (type.dtype().isFloat()) {
                Encoding.real(counts.bytes(), type.dtype(), i, i);
            } else {
                Encoding.integer(counts.bytes(), type.dtype(), i, i);
            }
        }
        var dims = new ArrayList<>(Collections.nCopies(type.shape().rank() - iota.dim(), 1));
        dims.set(0, type.shape().dim(iota.dim()));
        return emit.reshape(emit.model().constant(Carriers.literal(counts)), new Shape(dims));
    }

    /// Puts ones where dimensions are new; whoever needs all elements stretches them.
    Value broadcast(Op.BroadcastInDim op, Value x, int rank) {
        var own = new ArrayList<>(Collections.nCopies(rank - x.shape().rank(), 1));
        own.addAll(x.shape().dims());
        var order = IntStream.range(0, rank).boxed().sorted(byTarget(op.dims())).toList();
        var sorted = emit.transpose(emit.reshape(x, new Shape(own)), order);
        var dims = new ArrayList<>(Collections.nCopies(op.shape().rank(), 1));
        for (int d = 0; d < rank; d++) {
            dims.set(op.dims().get(d), own.get(d));
        }
        var shape = new Shape(dims);
        return Value.core(shape).equals(Value.core(x.shape())) ? x : emit.reshape(sorted, shape);
    }

    private static Comparator<Integer> byTarget(List<Integer> dims) {
        return Comparator.comparing(dims::get);
    }

    Value reverse(List<Integer> dims, Value x) {
        if (dims.isEmpty()) {
            return x;
        }
        var last = Collections.nCopies(dims.size(), -1L);
        var before = Collections.nCopies(dims.size(), Long.MIN_VALUE);
        var model = emit.model();
        var inputs =
                List.of(
                        x,
                        model.longs(last),
                        model.longs(before),
                        emit.longs(dims),
                        model.longs(last));
        return model.node("Slice", x.dtype(), x.shape(), inputs);
    }

    /// In the order of StableHLO: holes between elements, then cutting, then padding.
    Value pad(Op.Pad op, Value x, Value value) {
        if (x.isEmpty()) {
            return emit.reshape(value, Shape.SCALAR);
        }
        var spread = spread(op.interior(), x, value);
        var shape = spread.shape();
        var start = op.low().stream().map(low -> Math.max(0, -low)).toList();
        var limit = new ArrayList<Integer>();
        for (int d = 0; d < shape.rank(); d++) {
            limit.add(shape.dim(d) + Math.min(0, op.high().get(d)));
            if (limit.get(d) <= start.get(d)) {
                return emit.reshape(value, Shape.SCALAR);
            }
        }
        var cut = emit.slice(spread, start, limit, Collections.nCopies(shape.rank(), 1));
        return around(
                cut,
                op.low().stream().map(low -> Math.max(0, low)).toList(),
                op.high().stream().map(high -> Math.max(0, high)).toList(),
                value);
    }

    /// `[n]` becomes `[n, 1]`, `[n, 1 + holes]`, `[n (1 + holes)]`, and loses its last holes.
    private Value spread(List<Integer> interior, Value x, Value value) {
        var result = x;
        for (int d = 0; d < interior.size(); d++) {
            int holes = interior.get(d);
            int size = result.shape().dim(d);
            if (holes == 0 || size == 1) {
                continue;
            }
            var dims = new ArrayList<>(result.shape().dims());
            dims.add(d + 1, 1);
            var low = Collections.nCopies(dims.size(), 0);
            var high = new ArrayList<>(low);
            high.set(d + 1, holes);
            var wide = around(emit.reshape(result, new Shape(dims)), low, high, value);
            dims.remove(d + 1);
            dims.set(d, size * (holes + 1));
            var flat = emit.reshape(wide, new Shape(dims));
            dims.set(d, size * (holes + 1) - holes);
            var start = Collections.nCopies(dims.size(), 0);
            result = emit.slice(flat, start, dims, Collections.nCopies(dims.size(), 1));
        }
        return result;
    }

    /// ONNX's own Pad.
    private Value around(Value x, List<Integer> low, List<Integer> high, Value value) {
        var pads = new ArrayList<>(low);
        pads.addAll(high);
        if (pads.stream().allMatch(pad -> pad == 0)) {
            return x;
        }
        var dims =
                IntStream.range(0, low.size())
                        .map(d -> low.get(d) + x.shape().dim(d) + high.get(d))
                        .toArray();
        var scalar = emit.reshape(value, Shape.SCALAR);
        return emit.model()
                .node("Pad", x.dtype(), Shape.of(dims), List.of(x, emit.longs(pads), scalar));
    }

    /// Indices are clamped first: ONNX counts negative ones from the end and fails beyond it.
    Value take(int dim, Value x, Value indices) {
        var most = emit.like(indices, x.shape().dim(dim) - 1L);
        var clamped = emit.maximum(emit.minimum(indices, most), emit.like(indices, 0));
        var dims = new ArrayList<>(x.shape().dims());
        dims.remove(dim);
        dims.addAll(dim, indices.shape().dims());
        return emit.model()
                .node(
                        "Gather",
                        x.dtype(),
                        new Shape(dims),
                        List.of(x, clamped),
                        Model.attribute("axis", dim));
    }

    /// Updates out of bounds become zeros. ScatterElements, not ScatterND: the latter's threads
    /// race where an index appears twice, https://github.com/microsoft/onnxruntime/issues/18048.
    Value scatterAdd(int dim, Value x, Value indices, Value updates) {
        if (x.isBool()) {
            var sums =
                    scatterAdd(
                            dim, emit.cast(x, DType.I32), indices, emit.cast(updates, DType.I32));
            return emit.cast(sums, DType.BOOL);
        }
        int picks = Math.toIntExact(indices.shape().size());
        var dims = x.shape().toArray();
        dims[dim] = picks;
        var along = new int[dims.length];
        Arrays.fill(along, 1);
        along[dim] = picks;
        var at = emit.reshape(indices, Shape.of(along));
        var most = emit.like(at, x.shape().dim(dim) - 1L);
        var clamped = emit.maximum(emit.minimum(at, most), emit.like(at, 0));
        var flat = emit.reshape(updates, Shape.of(dims));
        var kept = emit.where(emit.test("Equal", at, clamped), flat, emit.like(flat, 0));
        return emit.model()
                .node(
                        "ScatterElements",
                        x.dtype(),
                        x.shape(),
                        List.of(x, emit.expand(clamped, Shape.of(dims)), kept),
                        Model.attribute("axis", dim),
                        Model.attribute("reduction", "add"));
    }
}
