package org.meshbook.elastic.engine.onnx;

import java.util.Locale;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.CompareKind;
import org.meshbook.elastic.array.Op.UnaryKind;

/// Elementwise operations, with what ONNX Runtime's kernels lack composed of what they have.
record ElementwiseTranslation(Emit emit) {
    Value unary(UnaryKind kind, Value x) {
        if (!x.isFloat()) {
            return integer(kind, x);
        }
        return switch (kind) {
            case NEGATE -> emit.unary("Neg", x);
            case ABS -> emit.unary("Abs", x);
            case SIGN -> sign(x);
            case EXP -> emit.unary("Exp", x);
            case EXPM1 -> expm1(x);
            case LOG -> emit.unary("Log", x);
            case LOG1P -> log1p(x);
            case SQRT -> emit.unary("Sqrt", x);
            case RSQRT -> emit.divide(emit.like(x, 1), emit.unary("Sqrt", x));
            case TANH -> emit.unary("Tanh", x);
            case LOGISTIC -> logistic(x);
            case SIN -> emit.unary("Sin", x);
            case COS -> emit.unary("Cos", x);
            case FLOOR -> emit.unary("Floor", x);
            case CEIL -> emit.unary("Ceil", x);
            case ROUND_NEAREST_EVEN -> emit.unary("Round", x);
            case CBRT -> new RealTranslation(emit).cbrt(x);
            case ERF -> emit.unary("Erf", x);
            case NOT -> throw lacks("not", x);
        };
    }

    /// @param dtype the type that the operands' carrier stands for
    Value binary(BinaryKind kind, Value x, Value y, DType dtype) {
        if (x.isBool()) {
            return switch (kind) {
                case ADD, MAXIMUM, OR -> emit.binary("Or", x, y);
                case MULTIPLY, MINIMUM, AND -> emit.binary("And", x, y);
                case XOR -> emit.binary("Xor", x, y);
                case SUBTRACT,
                        DIVIDE,
                        POWER,
                        REMAINDER,
                        ATAN2,
                        SHIFT_LEFT,
                        SHIFT_RIGHT_ARITHMETIC,
                        SHIFT_RIGHT_LOGICAL ->
                        throw lacks(kind, x);
            };
        }
        return switch (kind) {
            case ADD -> emit.add(x, y);
            case SUBTRACT -> emit.subtract(x, y);
            case MULTIPLY -> emit.multiply(x, y);
            case DIVIDE ->
                    x.isFloat() ? emit.divide(x, y) : new IntegerTranslation(emit).divide(x, y);
            case MAXIMUM -> emit.maximum(x, y);
            case MINIMUM -> emit.minimum(x, y);
            case POWER ->
                    x.isFloat()
                            ? emit.binary("Pow", x, y)
                            : new IntegerTranslation(emit).power(x, y);
            case REMAINDER ->
                    x.isFloat()
                            ? emit.binary("Mod", x, y, Model.attribute("fmod", 1))
                            : new IntegerTranslation(emit).remainder(x, y);
            case ATAN2 -> {
                wants(x.isFloat(), kind, x);
                yield new RealTranslation(emit).atan2(x, y);
            }
            case AND -> bits("BitwiseAnd", kind, x, y);
            case OR -> bits("BitwiseOr", kind, x, y);
            case XOR -> bits("BitwiseXor", kind, x, y);
            case SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL -> {
                wants(!x.isFloat(), kind, x);
                yield new Shifts(emit).shift(kind, x, y, dtype);
            }
        };
    }

    Value compare(CompareKind kind, Value left, Value right) {
        boolean ordered = kind != CompareKind.EQ && kind != CompareKind.NE;
        var x = ordered && left.isBool() ? emit.cast(left, DType.I32) : left;
        var y = ordered && right.isBool() ? emit.cast(right, DType.I32) : right;
        return switch (kind) {
            case EQ -> emit.test("Equal", x, y);
            case NE -> emit.not(emit.test("Equal", x, y));
            case LT -> emit.test("Less", x, y);
            case LE -> emit.test("LessOrEqual", x, y);
            case GT -> emit.test("Greater", x, y);
            case GE -> emit.test("GreaterOrEqual", x, y);
        };
    }

    private Value integer(UnaryKind kind, Value x) {
        return switch (kind) {
            case NOT -> emit.unary(x.isBool() ? "Not" : "BitwiseNot", x);
            case NEGATE -> numberOnly(kind, x, "Neg");
            case ABS -> numberOnly(kind, x, "Abs");
            case SIGN -> {
                wants(!x.isBool(), kind, x);
                yield emit.sign(x);
            }
            case EXP,
                    EXPM1,
                    LOG,
                    LOG1P,
                    SQRT,
                    RSQRT,
                    TANH,
                    LOGISTIC,
                    SIN,
                    COS,
                    FLOOR,
                    CEIL,
                    ROUND_NEAREST_EVEN,
                    CBRT,
                    ERF ->
                    throw lacks(kind, x);
        };
    }

    /// ONNX Runtime's Sign turns NaN and -0 into 0; both are their own sign.
    private Value sign(Value x) {
        var proper = emit.test("Greater", emit.unary("Abs", x), emit.like(x, 0));
        return emit.where(proper, emit.sign(x), x);
    }

    /// `e^x - 1 = tanh(x / 2) (e^x + 1)`, which cancels nothing near 0.
    private Value expm1(Value x) {
        var half = emit.multiply(x, emit.model().real(x.dtype(), 0.5));
        var sum = emit.add(emit.unary("Exp", x), emit.like(x, 1));
        return emit.multiply(emit.unary("Tanh", half), sum);
    }

    /// Kahan's: with `u = 1 + x` rounded, `log(u) x / (u - 1)` undoes the rounding.
    private Value log1p(Value x) {
        var u = emit.add(emit.like(x, 1), x);
        var d = emit.subtract(u, emit.like(x, 1));
        var log = emit.unary("Log", u);
        var corrected = emit.divide(emit.multiply(log, x), d);
        var small = emit.where(emit.test("Equal", d, emit.like(x, 0)), x, corrected);
        return emit.where(emit.test("Equal", d, x), log, small);
    }

    /// ONNX Runtime's Sigmoid is cut off at ±18; this one has tails.
    private Value logistic(Value x) {
        var one = emit.like(x, 1);
        return emit.divide(one, emit.add(one, emit.unary("Exp", emit.unary("Neg", x))));
    }

    private Value bits(String op, BinaryKind kind, Value x, Value y) {
        wants(!x.isFloat(), kind, x);
        return emit.binary(op, x, y);
    }

    private static void wants(boolean fits, Object kind, Value x) {
        if (!fits) {
            throw lacks(kind, x);
        }
    }

    private Value numberOnly(UnaryKind kind, Value x, String op) {
        if (x.isBool()) {
            throw lacks(kind, x);
        }
        return emit.unary(op, x);
    }

    private static UsageError lacks(Object kind, Value x) {
        return new UsageError(
                "engine 'onnx' has no %s of %s; convert the operand first",
                kind.toString().toLowerCase(Locale.ROOT), x.type());
    }
}
