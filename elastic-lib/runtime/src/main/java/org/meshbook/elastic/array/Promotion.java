package org.meshbook.elastic.array;

import org.meshbook.elastic.UsageError;

/// JAX's rules of type promotion: which type two operands meet in.
///
/// The rules are a lattice: truth values below integers below floats; among integers the next
/// signed type that holds both, or F64 where U64 meets a signed one; BF16 and F16 meet in F32; an
/// integer never widens a float. A Java number is weak: it takes the array's type, and only a
/// fraction lifts integers, to F32, which is the default float here. Source:
/// https://docs.jax.dev/en/latest/type_promotion.html
final class Promotion {
    private Promotion() {}

    /// The type in which two arrays meet.
    static DType of(DType a, DType b) {
        if (a == b || b == DType.BOOL) {
            return a;
        }
        if (a == DType.BOOL) {
            return b;
        }
        if (a.isFloat() && b.isFloat()) {
            return a.bytes() == b.bytes() ? DType.F32 : wider(a, b);
        }
        if (a.isFloat() || b.isFloat()) {
            return a.isFloat() ? a : b;
        }
        if (a.isUnsigned() == b.isUnsigned()) {
            return wider(a, b);
        }
        var signed = a.isUnsigned() ? b : a;
        var unsigned = a.isUnsigned() ? a : b;
        return signed.bits() > unsigned.bits() ? signed : above(unsigned);
    }

    private static DType wider(DType a, DType b) {
        return a.bytes() >= b.bytes() ? a : b;
    }

    /// The least type that holds an unsigned type and negative numbers; for U64 there is none but
    /// the floats.
    private static DType above(DType unsigned) {
        return switch (unsigned.bits()) {
            case Byte.SIZE -> DType.I16;
            case Short.SIZE -> DType.I32;
            case Integer.SIZE -> DType.I64;
            default -> DType.F64;
        };
    }

    /// The type that a Java number takes beside an array.
    static DType weak(DType array, double value) {
        boolean whole = value == Math.rint(value) && !Double.isInfinite(value);
        if (array.isFloat() || (whole && array != DType.BOOL)) {
            return array;
        }
        return whole ? DType.I32 : DType.F32;
    }

    /// A Java number as a scalar to meet an array.
    ///
    /// @throws UsageError if an integer type does not hold it
    static Array scalar(ArrayType array, double value) {
        var dtype = weak(array.dtype(), value);
        boolean fits =
                dtype.isFloat() || (value >= dtype.least() && value <= Encoding.greatest(dtype));
        UsageError.require(
                fits,
                "%s is not a value of %s; cast the array first, as in x.cast(DType.%s)",
                Double.toString(value),
                array,
                dtype.isUnsigned() ? DType.I64 : DType.F32);
        return Literals.full(dtype, value, Shape.SCALAR);
    }

    /// The operands of an operation in the types that it takes.
    static Array[] of(Op op, Array... operands) {
        return switch (op) {
            case Op.Unary(var kind) ->
                    switch (kind) {
                        case NEGATE, ABS, SIGN, NOT -> operands;
                        default -> new Array[] {floating(operands[0])};
                    };
            case Op.Binary(var kind) when kind == Op.BinaryKind.ATAN2 ->
                    together(0, floating(operands[0]), floating(operands[1]));
            case Op.Binary _, Op.Compare _, Op.DotGeneral _, Op.Convolution _, Op.Concatenate _ ->
                    together(0, operands);
            case Op.Select _ -> together(1, operands);
            default -> operands;
        };
    }

    /// Functions that are defined for floats alone take whole numbers and truth as F32.
    static Array floating(Array x) {
        return x.dtype().isFloat() ? x : x.cast(DType.F32);
    }

    private static Array[] together(int from, Array... operands) {
        if (operands.length <= from) {
            return operands;
        }
        var dtype = operands[from].dtype();
        for (int i = from + 1; i < operands.length; i++) {
            dtype = of(dtype, operands[i].dtype());
        }
        var all = operands.clone();
        for (int i = from; i < all.length; i++) {
            all[i] = all[i].cast(dtype);
        }
        return all;
    }
}
