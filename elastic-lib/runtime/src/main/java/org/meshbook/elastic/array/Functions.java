package org.meshbook.elastic.array;

import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.UnaryKind;

/// Elementary functions of each element beyond those of [Elementwise], by NumPy's and SciPy's
/// names; of float arrays where nothing else is said.
public sealed interface Functions permits Array {
    private Array self() {
        return (Array) this;
    }

    private Array unary(UnaryKind kind) {
        return Apply.op(new Op.Unary(kind), self());
    }

    private Array like(double value) {
        return Apply.scalarLike(self(), value);
    }

    // ---- roots and exponentials

    /// @return the cube root; negative numbers have negative ones
    default Array cbrt() {
        return unary(UnaryKind.CBRT);
    }

    /// @return the error function
    default Array erf() {
        return unary(UnaryKind.ERF);
    }

    /// @return the inverse of the error function; ±1 give infinities, beyond them it is NaN
    default Array erfinv() {
        return ErrorInverse.of(self());
    }

    /// @param other of the same type
    /// @return `log(exp(x) + exp(y))`, without overflow
    default Array logaddexp(Array other) {
        var x = self();
        var most = x.maximum(other);
        var apart = x.sub(other);
        // Equal infinities have no difference; their sum of exponentials is the infinity itself.
        var tail = apart.abs().neg().exp().log1p();
        return apart.isNan().select(x.add(other), most.add(tail));
    }

    // ---- angles

    default Array tan() {
        return self().sin().div(self().cos());
    }

    /// @param x the other side
    /// @return the angle of the point `(x, this)`, in `[-π, π]`
    default Array atan2(Array x) {
        return Apply.elementwise(new Op.Binary(BinaryKind.ATAN2), self(), x);
    }

    default Array atan() {
        return atan2(like(1));
    }

    default Array asin() {
        var x = self();
        return x.atan2(x.subFrom(1).mul(x.add(1)).sqrt());
    }

    default Array acos() {
        var x = self();
        return x.subFrom(1).mul(x.add(1)).sqrt().atan2(x);
    }

    /// By way of `expm1`, which is exact near 0.
    default Array sinh() {
        var x = self();
        var rise = x.abs().expm1();
        // e^x overflows before its half does.
        var large = x.abs().sub(Math.log(2)).exp();
        var small = rise.add(rise.div(rise.add(1))).mul(0.5);
        return x.sign().mul(x.abs().gt(1).select(large.sub(x.abs().neg().exp().mul(0.5)), small));
    }

    default Array cosh() {
        var half = Math.log(0.5);
        return self().add(half).exp().add(self().neg().add(half).exp());
    }

    // ---- whole numbers

    /// @return the nearest whole number, ties to the even one, as NumPy's
    default Array round() {
        return isFloat() ? unary(UnaryKind.ROUND_NEAREST_EVEN) : self();
    }

    /// @return the nearest whole number, ties away from 0
    default Array roundAway() {
        if (!isFloat()) {
            return self();
        }
        var size = self().abs();
        var below = size.floor();
        var up = size.sub(below).ge(0.5);
        return self().sign().mul(up.select(below.add(1), below));
    }

    /// @return the whole number towards 0
    default Array trunc() {
        return isFloat() ? self().lt(0).select(self().ceil(), self().floor()) : self();
    }

    /// @param divisor of the same type
    /// @return the quotient rounded down, as NumPy's `//`; integers by 0 are XLA's -1
    default Array floorDivide(Array divisor) {
        var x = self();
        if (isFloat()) {
            // The remainder is exact, the floor of a quotient is not.
            var whole = x.sub(x.rem(divisor)).div(divisor).round();
            var down = mixed(divisor).select(whole.sub(1), whole);
            return divisor.eq(0).select(x.div(divisor), down);
        }
        var quotient = x.div(divisor);
        return mixed(divisor).select(quotient.sub(1), quotient);
    }

    default Array floorDivide(double divisor) {
        return floorDivide(like(divisor));
    }

    /// @param divisor of the same type
    /// @return what [#floorDivide] leaves, with the divisor's sign, as NumPy's `%`
    default Array floorMod(Array divisor) {
        var rest = self().rem(divisor);
        return mixed(divisor).select(rest.add(divisor), rest);
    }

    default Array floorMod(double divisor) {
        return floorMod(like(divisor));
    }

    /// Where division leaves a rest whose sign is not the divisor's.
    private Array mixed(Array divisor) {
        var rest = self().rem(divisor);
        return rest.ne(0).and(rest.lt(0).ne(divisor.lt(0))).and(divisor.ne(0));
    }

    // ---- what a number is

    /// @return whether neither NaN nor an infinity; true for integers
    default Array isFinite() {
        return isFloat() ? self().abs().lt(like(Double.POSITIVE_INFINITY)) : self().eq(self());
    }

    /// @return whether NaN; false for integers
    default Array isNan() {
        return self().ne(self());
    }

    /// @return whether an infinity of either sign; false for integers
    default Array isInf() {
        return isFloat() ? self().abs().eq(like(Double.POSITIVE_INFINITY)) : self().ne(self());
    }

    // ---- bits of integers

    /// Exclusive or of truth values, or of integers bit by bit.
    default Array xor(Array other) {
        return Apply.elementwise(new Op.Binary(BinaryKind.XOR), self(), other);
    }

    /// @param bits how far; the type's bits or more leave 0
    /// @return each integer times that power of two, wrapped
    default Array shiftLeft(Array bits) {
        return Apply.elementwise(new Op.Binary(BinaryKind.SHIFT_LEFT), self(), bits);
    }

    default Array shiftLeft(int bits) {
        return shiftLeft(like(bits));
    }

    /// @param bits how far; the type's bits or more leave 0, or -1 of negative integers
    /// @return each integer shifted with its sign; unsigned ones have none, as NumPy's `>>`
    default Array shiftRight(Array bits) {
        return self().dtype().isUnsigned()
                ? shiftRightLogical(bits)
                : Apply.elementwise(new Op.Binary(BinaryKind.SHIFT_RIGHT_ARITHMETIC), self(), bits);
    }

    default Array shiftRight(int bits) {
        return shiftRight(like(bits));
    }

    /// @param bits how far; the type's bits or more leave 0
    /// @return each integer's bits shifted, zeros in front
    default Array shiftRightLogical(Array bits) {
        return Apply.elementwise(new Op.Binary(BinaryKind.SHIFT_RIGHT_LOGICAL), self(), bits);
    }

    default Array shiftRightLogical(int bits) {
        return shiftRightLogical(like(bits));
    }

    /// @return how many bits of each integer are set, in the integer's type
    default Array popcount() {
        return Bits.count(self());
    }

    private boolean isFloat() {
        return self().dtype().isFloat();
    }
}
