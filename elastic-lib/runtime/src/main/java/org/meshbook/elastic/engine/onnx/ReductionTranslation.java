package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.array.Shape;

/// Reductions, with NaN heeded and BOOL and empty operands added.
///
/// Products of integers and extremes of I64 are combined by halves: ONNX Runtime's own kernels go
/// by way of floats, or compare the low halves of I64 as signed.
record ReductionTranslation(Emit emit) {
    /// @param dtype the type that the operand's carrier stands for
    Value reduce(ReduceKind kind, List<Integer> dims, Value x, DType dtype) {
        return x.isEmpty() ? identity(kind, dtype) : reduce(kind, dims, x);
    }

    private Value reduce(ReduceKind kind, List<Integer> dims, Value x) {
        if (dims.isEmpty()) {
            return x;
        }
        if (x.isBool()) {
            return emit.cast(reduce(logic(kind), dims, emit.cast(x, DType.I32)), DType.BOOL);
        }
        return switch (kind) {
            case SUM -> x.isFloat() ? emit.reduce("ReduceSum", x, dims, false) : sum(dims, x);
            case PRODUCT ->
                    x.isFloat()
                            ? emit.reduce("ReduceProd", x, dims, false)
                            : byHalves(dims, x, emit::multiply);
            case MAX -> extreme(greatest(dims, x), dims, x);
            case MIN ->
                    x.dtype() == DType.I64
                            ? byHalves(dims, x, emit::minimum)
                            : extreme(emit.reduce("ReduceMin", x, dims, false), dims, x);
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
        var dims = new ArrayList<>(x.shape().dims());
        dims.set(dim, 1);
        var most = emit.reshape(greatest(along, x), new Shape(dims));
        var greatest = emit.test("Equal", x, most);
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

    /// NaN is not heeded.
    private Value greatest(List<Integer> dims, Value x) {
        return x.dtype() == DType.I64
                ? byHalves(dims, x, emit::maximum)
                : emit.reduce("ReduceMax", x, dims, false);
    }

    private Value byHalves(List<Integer> dims, Value x, BinaryOperator<Value> combine) {
        var rest = rows(dims, x);
        while (rest.shape().dim(1) > 1) {
            int size = rest.shape().dim(1);
            int half = size / 2;
            var both = combine.apply(columns(rest, 0, half), columns(rest, half, 2 * half));
            rest =
                    size % 2 == 0
                            ? both
                            : emit.concatenate(1, List.of(both, columns(rest, size - 1, size)));
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
    private Value extreme(Value result, List<Integer> dims, Value x) {
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
        var carrier = Carriers.of(dtype);
        return switch (kind) {
            case SUM -> model.whole(carrier, 0);
            case PRODUCT -> model.whole(carrier, 1);
            case MAX ->
                    dtype.isFloat()
                            ? model.real(carrier, Double.NEGATIVE_INFINITY)
                            : model.whole(carrier, dtype.least());
            case MIN ->
                    dtype.isFloat()
                            ? model.real(carrier, Double.POSITIVE_INFINITY)
                            : model.whole(carrier, dtype.greatest());
        };
    }

    private static ReduceKind logic(ReduceKind kind) {
        return switch (kind) {
            case SUM, MAX -> ReduceKind.MAX;
            case PRODUCT, MIN -> ReduceKind.MIN;
        };
    }
}
