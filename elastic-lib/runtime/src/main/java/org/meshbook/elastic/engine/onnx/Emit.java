package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Shape;

/// ONNX operators as functions of typed values: what every translation is written with.
///
/// Operators whose result would be their operand emit nothing.
record Emit(Model model) {
    Value unary(String op, Value x) {
        return model.node(op, x.dtype(), x.shape(), List.of(x));
    }

    Value binary(String op, Value x, Value y, Proto... attributes) {
        var shape = Value.broadcast(x.shape(), y.shape());
        return model.node(op, x.dtype(), shape, List.of(x, y), attributes);
    }

    Value add(Value x, Value y) {
        return binary("Add", x, y);
    }

    Value subtract(Value x, Value y) {
        return binary("Sub", x, y);
    }

    Value multiply(Value x, Value y) {
        return binary("Mul", x, y);
    }

    Value divide(Value x, Value y) {
        return binary("Div", x, y);
    }

    /// Of I64 by comparison: ONNX Runtime's own Max, Min and Sign compare its low halves as signed.
    Value maximum(Value x, Value y) {
        return x.dtype() == DType.I64 ? where(test("Greater", x, y), x, y) : binary("Max", x, y);
    }

    Value minimum(Value x, Value y) {
        return x.dtype() == DType.I64 ? where(test("Less", x, y), x, y) : binary("Min", x, y);
    }

    Value sign(Value x) {
        if (x.dtype() != DType.I64) {
            return unary("Sign", x);
        }
        var zero = like(x, 0);
        var rest = where(test("Less", x, zero), like(x, -1), zero);
        return where(test("Greater", x, zero), like(x, 1), rest);
    }

    /// A comparison, `Equal`, `Less` and so on; BOOL operands only for `Equal`.
    Value test(String op, Value x, Value y) {
        return model.node(op, DType.BOOL, Value.broadcast(x.shape(), y.shape()), List.of(x, y));
    }

    Value not(Value x) {
        return unary("Not", x);
    }

    Value isNan(Value x) {
        return model.node("IsNaN", DType.BOOL, x.shape(), List.of(x));
    }

    Value where(Value predicate, Value x, Value y) {
        if (x.isBool()) {
            return binary("Or", binary("And", predicate, x), binary("And", not(predicate), y));
        }
        var shape = Value.broadcast(predicate.shape(), Value.broadcast(x.shape(), y.shape()));
        return model.node("Where", x.dtype(), shape, List.of(predicate, x, y));
    }

    /// ONNX's own cast: out of range is undefined for floats to integers.
    Value cast(Value x, DType dtype) {
        return x.dtype() == dtype
                ? x
                : model.node(
                        "Cast",
                        dtype,
                        x.shape(),
                        List.of(x),
                        Model.attribute("to", Model.code(dtype)));
    }

    /// Shifts the bits of I32 or I64 operands; the amounts must be less than the type's bits.
    Value bitShift(String direction, Value x, Value y) {
        var shape = Value.broadcast(x.shape(), y.shape());
        var inputs = List.of(unsigned(x), unsigned(y));
        var attribute = Model.attribute("direction", direction);
        var shifted = model.node("BitShift", DType.U64, shape, inputs, attribute);
        return cast(shifted, x.dtype());
    }

    private Value unsigned(Value x) {
        int type = x.dtype() == DType.I32 ? Model.UINT32 : Model.UINT64;
        var to = Model.attribute("to", type);
        return model.node("Cast", DType.U64, x.shape(), List.of(x), to);
    }

    /// A scalar like `x`: of its element type.
    Value like(Value x, long whole) {
        return model.whole(x.dtype(), whole);
    }

    Value reshape(Value x, Shape shape) {
        if (x.shape().equals(shape)) {
            return x;
        }
        return model.node("Reshape", x.dtype(), shape, List.of(x, longs(shape.dims())));
    }

    Value expand(Value x, Shape shape) {
        if (x.shape().size() == shape.size()) {
            return reshape(x, shape);
        }
        return model.node("Expand", x.dtype(), shape, List.of(x, longs(shape.dims())));
    }

    Value transpose(Value x, List<Integer> permutation) {
        var shape = new Shape(permutation.stream().map(x.shape()::dim).toList());
        // Moving dimensions of size 1 moves no element.
        var moved = permutation.stream().filter(d -> x.shape().dim(d) != 1).toList();
        if (moved.stream().sorted().toList().equals(moved)) {
            return reshape(x, shape);
        }
        return model.node(
                "Transpose", x.dtype(), shape, List.of(x), Model.attribute("perm", permutation));
    }

    Value slice(Value x, List<Integer> start, List<Integer> limit, List<Integer> stride) {
        var dims =
                IntStream.range(0, x.shape().rank())
                        .map(d -> Math.max(0, limit.get(d) - start.get(d)))
                        .toArray();
        for (int d = 0; d < dims.length; d++) {
            dims[d] = Math.ceilDiv(dims[d], stride.get(d));
        }
        var shape = Shape.of(dims);
        if (shape.equals(x.shape())) {
            return x;
        }
        var axes = IntStream.range(0, dims.length).boxed().toList();
        return model.node(
                "Slice",
                x.dtype(),
                shape,
                List.of(x, longs(start), longs(limit), longs(axes), longs(stride)));
    }

    Value concatenate(int dim, List<Value> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        var dims = parts.getFirst().shape().toArray();
        dims[dim] = parts.stream().mapToInt(part -> part.shape().dim(dim)).sum();
        return model.node(
                "Concat",
                parts.getFirst().dtype(),
                Shape.of(dims),
                parts,
                Model.attribute("axis", dim));
    }

    /// Matrix product of `[..., m, k]` and `[..., k, n]`.
    Value matmul(Value x, Value y) {
        var dims = new ArrayList<>(x.shape().dims());
        dims.set(dims.size() - 1, y.shape().dim(-1));
        return model.node("MatMul", x.dtype(), new Shape(dims), List.of(x, y));
    }

    /// `ReduceSum` and its like, with the reduced dimensions kept as 1 or dropped.
    Value reduce(String op, Value x, List<Integer> dims, boolean keep) {
        var rest = new ArrayList<Integer>();
        for (int d = 0; d < x.shape().rank(); d++) {
            if (!dims.contains(d)) {
                rest.add(x.shape().dim(d));
            } else if (keep) {
                rest.add(1);
            }
        }
        return model.node(
                op,
                x.dtype(),
                new Shape(rest),
                List.of(x, longs(dims)),
                Model.attribute("keepdims", keep ? 1 : 0));
    }

    Value longs(List<Integer> values) {
        return model.longs(values.stream().map(Integer::longValue).toList());
    }
}
