package org.meshbook.elastic.array;

import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.CompareKind;
import org.meshbook.elastic.array.Op.UnaryKind;

/// Operations on each element.
///
/// Two operands are broadcast as NumPy does: sizes from the right must be equal or 1. Dtypes are
/// promoted as JAX does (docs/arrays.md has the table); a Java number takes the array's dtype, and
/// a fraction makes integers F32. All methods throw [org.meshbook.elastic.MeshMismatch] with both
/// types if shapes do not fit, and [org.meshbook.elastic.UsageError] if dtypes do not.
public sealed interface Elementwise permits Array {
    private Array self() {
        return (Array) this;
    }

    private Array unary(UnaryKind kind) {
        return Apply.op(new Op.Unary(kind), self());
    }

    private Array binary(BinaryKind kind, Array other) {
        return Apply.elementwise(new Op.Binary(kind), self(), other);
    }

    private Array compare(CompareKind kind, Array other) {
        return Apply.elementwise(new Op.Compare(kind), self(), other);
    }

    private Array like(double value) {
        return Apply.scalarLike(self(), value);
    }

    // ---- arithmetic

    default Array add(Array other) {
        return binary(BinaryKind.ADD, other);
    }

    default Array add(double value) {
        return add(like(value));
    }

    default Array sub(Array other) {
        return binary(BinaryKind.SUBTRACT, other);
    }

    default Array sub(double value) {
        return sub(like(value));
    }

    /// @param value the left side
    /// @return `value - this`
    default Array subFrom(double value) {
        return like(value).sub(self());
    }

    default Array mul(Array other) {
        return binary(BinaryKind.MULTIPLY, other);
    }

    default Array mul(double value) {
        return mul(like(value));
    }

    default Array div(Array other) {
        return binary(BinaryKind.DIVIDE, other);
    }

    default Array div(double value) {
        return div(like(value));
    }

    /// @param value the left side
    /// @return `value / this`
    default Array divInto(double value) {
        return like(value).div(self());
    }

    /// @param other divisor
    /// @return the remainder with the sign of the dividend, as Java's `%`
    default Array rem(Array other) {
        return binary(BinaryKind.REMAINDER, other);
    }

    default Array rem(double value) {
        return rem(like(value));
    }

    default Array pow(Array exponent) {
        return binary(BinaryKind.POWER, exponent);
    }

    /// @param exponent a number; 1, 2, 3, -1 and 0.5 become products, a quotient and a root
    /// @return each element to that power
    default Array pow(double exponent) {
        var x = self();
        if (exponent == 1) {
            return x;
        } else if (exponent == 2) {
            return x.mul(x);
        } else if (exponent == 3) {
            return x.mul(x).mul(x);
        } else if (x.type().dtype().isFloat() && exponent == -1) {
            return divInto(1);
        } else if (x.type().dtype().isFloat() && exponent == 0.5) {
            return sqrt();
        }
        return pow(like(exponent));
    }

    /// The greater of two, element by element; [Reducing#max] is the greatest of one array.
    default Array maximum(Array other) {
        return binary(BinaryKind.MAXIMUM, other);
    }

    default Array maximum(double value) {
        return maximum(like(value));
    }

    /// The smaller of two, element by element; [Reducing#min] is the smallest of one array.
    default Array minimum(Array other) {
        return binary(BinaryKind.MINIMUM, other);
    }

    default Array minimum(double value) {
        return minimum(like(value));
    }

    /// @param low least value
    /// @param high greatest value
    /// @return each element moved into `[low, high]`
    default Array clip(double low, double high) {
        return maximum(inside(low)).minimum(inside(high));
    }

    /// A bound, moved into what an integer type holds.
    private double inside(double bound) {
        var dtype = self().dtype();
        boolean whole = bound == Math.rint(bound);
        return dtype.isInteger() && whole
                ? Math.clamp(bound, dtype.least(), Encoding.greatest(dtype))
                : bound;
    }

    // ---- functions of one number

    default Array neg() {
        return unary(UnaryKind.NEGATE);
    }

    default Array abs() {
        return unary(UnaryKind.ABS);
    }

    default Array sign() {
        return unary(UnaryKind.SIGN);
    }

    default Array square() {
        return mul(self());
    }

    default Array exp() {
        return unary(UnaryKind.EXP);
    }

    /// @return `exp(x) - 1`, exact near 0
    default Array expm1() {
        return unary(UnaryKind.EXPM1);
    }

    default Array log() {
        return unary(UnaryKind.LOG);
    }

    /// @return `log(1 + x)`, exact near 0
    default Array log1p() {
        return unary(UnaryKind.LOG1P);
    }

    default Array sqrt() {
        return unary(UnaryKind.SQRT);
    }

    /// @return `1 / sqrt(x)`
    default Array rsqrt() {
        return unary(UnaryKind.RSQRT);
    }

    default Array tanh() {
        return unary(UnaryKind.TANH);
    }

    /// @return `1 / (1 + exp(-x))`
    default Array sigmoid() {
        return unary(UnaryKind.LOGISTIC);
    }

    default Array sin() {
        return unary(UnaryKind.SIN);
    }

    default Array cos() {
        return unary(UnaryKind.COS);
    }

    default Array floor() {
        return unary(UnaryKind.FLOOR);
    }

    default Array ceil() {
        return unary(UnaryKind.CEIL);
    }

    /// @return `x` where positive, else 0; the gradient at 0 is 0, as `jax.nn.relu`'s
    default Array relu() {
        return gt(0).select(self(), like(0));
    }

    // ---- comparisons and logic

    default Array eq(Array other) {
        return compare(CompareKind.EQ, other);
    }

    default Array eq(double value) {
        return eq(like(value));
    }

    default Array ne(Array other) {
        return compare(CompareKind.NE, other);
    }

    default Array ne(double value) {
        return ne(like(value));
    }

    default Array lt(Array other) {
        return compare(CompareKind.LT, other);
    }

    default Array lt(double value) {
        return lt(like(value));
    }

    default Array le(Array other) {
        return compare(CompareKind.LE, other);
    }

    default Array le(double value) {
        return le(like(value));
    }

    default Array gt(Array other) {
        return compare(CompareKind.GT, other);
    }

    default Array gt(double value) {
        return gt(like(value));
    }

    default Array ge(Array other) {
        return compare(CompareKind.GE, other);
    }

    default Array ge(double value) {
        return ge(like(value));
    }

    default Array and(Array other) {
        return binary(BinaryKind.AND, other);
    }

    default Array or(Array other) {
        return binary(BinaryKind.OR, other);
    }

    default Array not() {
        return unary(UnaryKind.NOT);
    }

    /// Chooses element by element; `this` is the condition. See also [Array#where].
    ///
    /// @param yes taken where this is true
    /// @param no taken where it is false
    /// @return the choice, broadcast over all three
    default Array select(Array yes, Array no) {
        return Apply.elementwise(new Op.Select(), self(), yes, no);
    }

    /// @param dtype an element type
    /// @return the same values in that type; floats are cut towards 0 and saturate, integers wrap,
    ///   truth is 0 or 1
    default Array cast(DType dtype) {
        return self().type().dtype() == dtype ? self() : Apply.op(new Op.Convert(dtype), self());
    }

    /// @return the same value, through which no gradient flows
    default Array stopGradient() {
        return Apply.op(new Op.StopGradient(), self());
    }
}
