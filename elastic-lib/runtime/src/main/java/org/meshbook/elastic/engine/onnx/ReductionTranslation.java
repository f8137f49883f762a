package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.array.Shape;

/// Reductions, with NaN heeded and BOOL and empty operands added.
record ReductionTranslation(Emit emit) {
    Value reduce(ReduceKind kind, List<Integer> dims, Value x) {
        if (x.isEmpty()) {
            return identity(kind, x.dtype());
        }
        if (dims.isEmpty()) {
            return x;
        }
        if (x.isBool()) {
            return emit.cast(reduce(logic(kind), dims, emit.cast(x, DType.I32)), DType.BOOL);
        }
        return switch (kind) {
            case SUM -> x.isFloat() ? emit.reduce("ReduceSum", x, dims, false) : sum(dims, x);
            case PRODUCT ->
                    x.isFloat() ? emit.reduce("ReduceProd", x, dims, false) : product(dims, x);
            case MAX -> extreme("ReduceMax", dims, x);
            case MIN -> extreme("ReduceMin", dims, x);
        };
    }

    /// The first element that equals the greatest, or the first NaN if there is one.
    Value argMax(int dim, Value operand) {
        if (operand.isEmpty()) {
            throw new UsageError(
                    "argmax along dimension %d of %s has nothing to choose from",
                    dim, operand.type());
        }
        var x = operand.isBool() ? emit.cast(operand, DType.I32) : operand;
        var along = List.of(dim);
        var greatest = emit.test("Equal", x, emit.reduce("ReduceMax", x, along, true));
        var hit = greatest;
        if (x.isFloat()) {
            var nan = emit.isNan(x);
            var clean = emit.not(any(nan, along, true));
            hit = emit.binary("Or", nan, emit.binary("And", greatest, clean));
        }
        var marks = emit.cast(hit, DType.I32);
        var index =
                emit.model()
                        .node(
                                "ArgMax",
                                DType.I64,
                                kept(along, x),
                                List.of(marks),
                                Model.attribute("axis", dim),
                                Model.attribute("keepdims", 0));
        return emit.cast(index, DType.I32);
    }

    /// As a matrix product with ones: ONNX Runtime's ReduceSum of integers goes by way of floats,
    /// saturates and loses bits.
    private Value sum(List<Integer> dims, Value x) {
        var rows = rows(dims, x);
        var ones = emit.expand(emit.like(x, 1), Shape.of(rows.shape().dim(1), 1));
        return emit.reshape(emit.matmul(rows, ones), kept(dims, x));
    }

    /// By halves, for the same reason.
    private Value product(List<Integer> dims, Value x) {
        var rest = rows(dims, x);
        while (rest.shape().dim(1) > 1) {
            int size = rest.shape().dim(1);
            int half = size / 2;
            var product = emit.multiply(columns(rest, 0, half), columns(rest, half, 2 * half));
            rest =
                    size % 2 == 0
                            ? product
                            : emit.concatenate(1, List.of(product, columns(rest, size - 1, size)));
        }
        return emit.reshape(rest, kept(dims, x));
    }

    private Value columns(Value x, int from, int to) {
        return emit.slice(x, List.of(0, from), List.of(x.shape().dim(0), to), List.of(1, 1));
    }

    /// The operand as a matrix, the reduced dimensions along its rows.
    private Value rows(List<Integer> dims, Value x) {
        var order = new ArrayList<Integer>();
        for (int d = 0; d < x.shape().rank(); d++) {
            if (!dims.contains(d)) {
                order.add(d);
            }
        }
        order.addAll(dims);
        int rows = Math.toIntExact(kept(dims, x).size());
        int columns = Math.toIntExact(x.shape().size() / rows);
        return emit.reshape(emit.transpose(x, order), Shape.of(rows, columns));
    }

    private static Shape kept(List<Integer> dims, Value x) {
        var kept = new ArrayList<Integer>();
        for (int d = 0; d < x.shape().rank(); d++) {
            if (!dims.contains(d)) {
                kept.add(x.shape().dim(d));
            }
        }
        return new Shape(kept);
    }

    /// ONNX Runtime's kernels ignore NaN.
    private Value extreme(String op, List<Integer> dims, Value x) {
        var result = emit.reduce(op, x, dims, false);
        if (!x.isFloat()) {
            return result;
        }
        var nan = emit.model().real(x.dtype(), Double.NaN);
        return emit.where(any(emit.isNan(x), dims, false), nan, result);
    }

    private Value any(Value bools, List<Integer> dims, boolean keep) {
        var most = emit.reduce("ReduceMax", emit.cast(bools, DType.I32), dims, keep);
        return emit.cast(most, DType.BOOL);
    }

    private Value identity(ReduceKind kind, DType dtype) {
        var model = emit.model();
        return switch (kind) {
            case SUM -> model.whole(dtype, 0);
            case PRODUCT -> model.whole(dtype, 1);
            case MAX ->
                    switch (dtype) {
                        case F32, F64 -> model.real(dtype, Double.NEGATIVE_INFINITY);
                        case I32 -> model.whole(dtype, Integer.MIN_VALUE);
                        case I64 -> model.whole(dtype, Long.MIN_VALUE);
                        case BOOL -> model.whole(dtype, 0);
                    };
            case MIN ->
                    switch (dtype) {
                        case F32, F64 -> model.real(dtype, Double.POSITIVE_INFINITY);
                        case I32 -> model.whole(dtype, Integer.MAX_VALUE);
                        case I64 -> model.whole(dtype, Long.MAX_VALUE);
                        case BOOL -> model.whole(dtype, 1);
                    };
        };
    }

    private static ReduceKind logic(ReduceKind kind) {
        return switch (kind) {
            case SUM, MAX -> ReduceKind.MAX;
            case PRODUCT, MIN -> ReduceKind.MIN;
        };
    }
}
