package org.meshbook.elastic.operations;

import static org.meshbook.elastic.operations.Catalogue.COUNTS;
import static org.meshbook.elastic.operations.Catalogue.INTS;

import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.operations.Operation.Gradient;
import org.meshbook.elastic.random.Key;

/// Functions of [org.meshbook.elastic.array.Functions], kept where they are smooth, and types other
/// than F32, F64 and I32.
final class ElementaryOperations {
    private static final String KEY = "jax.random.fold_in(jax.random.key(42), 0)";

    private ElementaryOperations() {}

    /// A key that is traced where the array is.
    private static Key key(Array a) {
        return Key.of(42).foldIn(a.isNan().all().cast(DType.I32));
    }

    private static int[] dims(Array a) {
        return a.shape().toArray();
    }

    static Catalogue all() {
        return new Catalogue()
                .one("cbrt", "jnp.cbrt(jnp.abs(a) + 0.5)", a -> a.abs().add(0.5).cbrt())
                .one("erf", "jax.scipy.special.erf(a)", Array::erf)
                .one(
                        "erfinv",
                        "jax.scipy.special.erfinv(0.9 * jnp.tanh(a))",
                        a -> a.tanh().mul(0.9).erfinv())
                .one("tan", "jnp.tan(jnp.tanh(a))", a -> a.tanh().tan())
                .one("asin", "jnp.arcsin(0.9 * jnp.tanh(a))", a -> a.tanh().mul(0.9).asin())
                .one("acos", "jnp.arccos(0.9 * jnp.tanh(a))", a -> a.tanh().mul(0.9).acos())
                .one("atan", "jnp.arctan(a)", Array::atan)
                .one("sinh", "jnp.sinh(jnp.tanh(a))", a -> a.tanh().sinh())
                .one("cosh", "jnp.cosh(jnp.tanh(a))", a -> a.tanh().cosh())
                .two(
                        "atan2",
                        "jnp.arctan2(a, jnp.abs(b) + 0.5)",
                        (a, b) -> a.atan2(b.abs().add(0.5)))
                .two("logaddexp", "jnp.logaddexp(a, b)", Array::logaddexp)
                .one(
                        "Key.uniform",
                        "a + jax.random.uniform(" + KEY + ", a.shape, a.dtype)",
                        a -> a.add(key(a).uniform(a.dtype(), 0, 1, dims(a))))
                .one(
                        "Key.normal",
                        "a + jax.random.normal(" + KEY + ", a.shape, a.dtype)",
                        a -> a.add(key(a).normal(a.dtype(), dims(a))))
                .one(
                        "Key.bernoulli",
                        "a * jax.random.bernoulli(" + KEY + ", jnp.float32(0.75), a.shape)",
                        a -> a.mul(key(a).bernoulli(0.75, dims(a))))
                .with(Gradient.NONE)
                .one("round", "jnp.round(a)", Array::round)
                .one("trunc", "jnp.trunc(a)", Array::trunc)
                .one("isFinite", "jnp.isfinite(a)", Array::isFinite)
                .one("isNan", "jnp.isnan(a)", Array::isNan)
                .one("isInf", "jnp.isinf(a)", Array::isInf)
                .with(Gradient.INTEGER)
                .two(
                        "floorDivide",
                        "jnp.floor_divide(a, b + 1)",
                        (a, b) -> a.floorDivide(b.add(1)),
                        INTS,
                        COUNTS)
                .two("floorMod", "jnp.mod(a, b + 1)", (a, b) -> a.floorMod(b.add(1)), INTS, COUNTS)
                .two("xor", "a ^ b", Array::xor, INTS, COUNTS)
                .two("shiftLeft", "a << b", Array::shiftLeft, INTS, COUNTS)
                .two("shiftRight", "a >> b", Array::shiftRight, INTS, COUNTS)
                .two(
                        "shiftRightLogical",
                        "jax.lax.shift_right_logical(*jnp.broadcast_arrays(a, b))",
                        Array::shiftRightLogical,
                        INTS,
                        COUNTS)
                .one("popcount", "jax.lax.population_count(a)", Array::popcount, INTS)
                .one(
                        "add in U8",
                        "(a.astype(jnp.uint8) + 200).astype(jnp.int32)",
                        a -> a.cast(DType.U8).add(200).cast(DType.I32),
                        INTS)
                .one(
                        "mul in U32",
                        "(a.astype(jnp.uint32) * jnp.uint32(2654435769)).astype(jnp.int32)",
                        a -> a.cast(DType.U32).mul(2654435769.0).cast(DType.I32),
                        INTS);
    }
}
