package org.meshbook.elastic.engine.onnx;

/// Functions of floats for which ONNX has no operator.
record RealTranslation(Emit emit) {
    /// A power, and one step of Newton's to the last bits.
    Value cbrt(Value x) {
        var model = emit.model();
        var third = model.real(x.dtype(), 1.0 / 3);
        var size = emit.unary("Abs", x);
        var root = emit.binary("Pow", size, third);
        var off = emit.subtract(root, emit.divide(size, emit.multiply(root, root)));
        var near = emit.subtract(root, emit.multiply(off, third));
        var signed = emit.multiply(near, emit.sign(x));
        // 0, infinities and NaN are their own roots.
        var inner = emit.test("Less", size, model.real(x.dtype(), Double.POSITIVE_INFINITY));
        var proper = emit.binary("And", inner, emit.test("Greater", size, emit.like(x, 0)));
        return emit.where(proper, signed, x);
    }

    /// The angle in the first quadrant, then mirrored by the signs of `x` and `y`, zeros' too.
    Value atan2(Value y, Value x) {
        var model = emit.model();
        var dtype = x.dtype();
        var zero = emit.like(x, 0);
        var infinite = model.real(dtype, Double.POSITIVE_INFINITY);
        var height = emit.unary("Abs", y);
        var width = emit.unary("Abs", x);
        var plain = emit.unary("Atan", emit.divide(height, width));
        var origin = both("Equal", height, width, zero);
        var corner = both("Equal", height, width, infinite);
        var eighth = model.real(dtype, Math.PI / 4);
        var first = emit.where(origin, zero, emit.where(corner, eighth, plain));
        var half = model.real(dtype, Math.PI);
        var upper = emit.where(isNegative(x), emit.subtract(half, first), first);
        return emit.where(isNegative(y), emit.unary("Neg", upper), upper);
    }

    private Value both(String test, Value a, Value b, Value value) {
        return emit.binary("And", emit.test(test, a, value), emit.test(test, b, value));
    }

    /// Whether the sign bit is set; the inverse of -0 tells it from 0.
    private Value isNegative(Value x) {
        var zero = emit.like(x, 0);
        var below = emit.test("Less", x, zero);
        var inverse = emit.test("Less", emit.divide(emit.like(x, 1), x), zero);
        return emit.binary("Or", below, inverse);
    }
}
