package org.meshbook.elastic.operations;

import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Flow.cond;
import static org.meshbook.elastic.jit.Flow.foriLoop;
import static org.meshbook.elastic.jit.Flow.scan;
import static org.meshbook.elastic.jit.Flow.whileLoop;
import static org.meshbook.elastic.jit.Transform.remat;
import static org.meshbook.elastic.operations.Catalogue.COUNTS;
import static org.meshbook.elastic.operations.Catalogue.CUBE;
import static org.meshbook.elastic.operations.Catalogue.INTS;
import static org.meshbook.elastic.operations.Catalogue.MATRIX;
import static org.meshbook.elastic.operations.Catalogue.ROW;
import static org.meshbook.elastic.operations.Catalogue.TRUTHS;
import static org.meshbook.elastic.operations.Catalogue.f64;

import java.util.List;
import java.util.stream.Stream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.operations.Operation.Gradient;

/// The operations that there are; whoever adds one to the library adds it here.
public final class Operations {
    private Operations() {}

    /// @return all, by kind, as the table lists them
    public static List<Operation> all() {
        return Stream.of(
                        elementwise(),
                        ElementaryOperations.all(),
                        logic(),
                        reductions(),
                        movement(),
                        indexing(),
                        IndexOperations.indexing(),
                        IndexOperations.orders(),
                        IndexOperations.arrangements(),
                        products(),
                        IndexOperations.windows(),
                        flow())
                .flatMap(kind -> kind.operations().stream())
                .toList();
    }

    private static Catalogue elementwise() {
        return new Catalogue()
                .two("add", "a + b", Array::add)
                .two("add, broadcast", "a + b", Array::add, MATRIX, ROW)
                .two("sub", "a - b", Array::sub)
                .two("mul", "a * b", Array::mul)
                .two("div", "a / (jnp.abs(b) + 0.5)", (a, b) -> a.div(b.abs().add(0.5)))
                .two("pow", "(jnp.abs(a) + 0.5) ** b", (a, b) -> a.abs().add(0.5).pow(b))
                .two("maximum", "jnp.maximum(a, b)", Array::maximum)
                .two("minimum", "jnp.minimum(a, b)", Array::minimum)
                .one("clip", "jnp.clip(a, -0.5, 0.75)", a -> a.clip(-0.5, 0.75))
                .one("neg", "-a", Array::neg)
                .one("abs", "jnp.abs(a)", Array::abs)
                .one("square", "jnp.square(a)", Array::square)
                .one("exp", "jnp.exp(a)", Array::exp)
                .one("expm1", "jnp.expm1(a)", Array::expm1)
                .one("log", "jnp.log(jnp.abs(a) + 0.5)", a -> a.abs().add(0.5).log())
                .one("log1p", "jnp.log1p(jnp.abs(a))", a -> a.abs().log1p())
                .one("sqrt", "jnp.sqrt(jnp.abs(a) + 0.5)", a -> a.abs().add(0.5).sqrt())
                .one("rsqrt", "jax.lax.rsqrt(jnp.abs(a) + 0.5)", a -> a.abs().add(0.5).rsqrt())
                .one("tanh", "jnp.tanh(a)", Array::tanh)
                .one("sigmoid", "jax.nn.sigmoid(a)", Array::sigmoid)
                .one("sin", "jnp.sin(a)", Array::sin)
                .one("cos", "jnp.cos(a)", Array::cos)
                .one("relu", "jax.nn.relu(a)", Array::relu)
                .one("stopGradient", "jax.lax.stop_gradient(a) * a", a -> a.stopGradient().mul(a))
                .one("cast to F32", "a.astype(jnp.float32)", a -> a.cast(DType.F32))
                .with(Gradient.NONE)
                .two(
                        "rem",
                        "jax.lax.rem(*jnp.broadcast_arrays(a, jnp.abs(b) + 0.5))",
                        (a, b) -> a.rem(b.abs().add(0.5)))
                .one("sign", "jnp.sign(a)", Array::sign)
                .one("floor", "jnp.floor(a)", Array::floor)
                .one("ceil", "jnp.ceil(a)", Array::ceil)
                .one("cast to I32", "a.astype(jnp.int32)", a -> a.cast(DType.I32))
                .with(Gradient.INTEGER)
                .two("add of integers", "a + b", Array::add, INTS, COUNTS)
                .two("mul of integers", "a * b", Array::mul, INTS, COUNTS)
                .two(
                        "div of integers",
                        "jax.lax.div(*jnp.broadcast_arrays(a, b + 1))",
                        (a, b) -> a.div(b.add(1)),
                        INTS,
                        COUNTS)
                .two(
                        "rem of integers",
                        "jax.lax.rem(*jnp.broadcast_arrays(a, b + 1))",
                        (a, b) -> a.rem(b.add(1)),
                        INTS,
                        COUNTS);
    }

    private static Catalogue logic() {
        return new Catalogue()
                .two("select", "jnp.where(a > 0, a, b)", (a, b) -> a.gt(0).select(a, b))
                .two(
                        "where",
                        "jnp.where(b < a, a * b, b)",
                        (a, b) -> Array.where(b.lt(a), a.mul(b), b))
                .with(Gradient.NONE)
                .two("eq", "a == jnp.maximum(a, b)", (a, b) -> a.eq(a.maximum(b)))
                .two("ne", "a != jnp.maximum(a, b)", (a, b) -> a.ne(a.maximum(b)))
                .two("lt", "a < b", Array::lt)
                .two("le", "a <= b", Array::le)
                .two("gt", "a > b", Array::gt)
                .two("ge", "a >= b", Array::ge)
                .with(Gradient.INTEGER)
                .two("and", "a & (b > 3)", (a, b) -> a.and(b.gt(3)), TRUTHS, COUNTS)
                .two("or", "a | (b > 3)", (a, b) -> a.or(b.gt(3)), TRUTHS, COUNTS)
                .one("not", "~a", Array::not, TRUTHS)
                .one("any", "jnp.any(a, axis=-1)", a -> a.any(-1), TRUTHS)
                .one("all", "jnp.all(a, axis=-1)", a -> a.all(-1), TRUTHS);
    }

    private static Catalogue reductions() {
        return new Catalogue()
                .one("sum", "jnp.sum(a, axis=-1)", a -> a.sum(-1))
                .one("sum of all", "jnp.sum(a)", a -> a.sum())
                .one("sumKeepDims", "jnp.sum(a, axis=0, keepdims=True)", a -> a.sumKeepDims(0))
                .one("mean", "jnp.mean(a, axis=0)", a -> a.mean(0))
                .one("variance", "jnp.var(a, axis=-1)", a -> a.variance(-1))
                .one("max", "jnp.max(a, axis=-1)", a -> a.max(-1))
                .one("min", "jnp.min(a, axis=0)", a -> a.min(0))
                .one("prod", "jnp.prod(a, axis=-1)", a -> a.prod(-1))
                .one("softmax", "jax.nn.softmax(a, axis=-1)", a -> a.softmax(-1))
                .one("logSoftmax", "jax.nn.log_softmax(a, axis=-1)", a -> a.logSoftmax(-1))
                .one("logSumExp", "jax.scipy.special.logsumexp(a, axis=-1)", a -> a.logSumExp(-1))
                .with(Gradient.NONE)
                .one("argmax", "jnp.argmax(a, axis=-1).astype(jnp.int32)", a -> a.argmax(-1))
                .with(Gradient.INTEGER)
                .one("sum of integers", "jnp.sum(a, axis=0, dtype=a.dtype)", a -> a.sum(0), INTS)
                .one("max of integers", "jnp.max(a, axis=-1)", a -> a.max(-1), INTS);
    }

    private static Catalogue movement() {
        return new Catalogue()
                .one("reshape", "jnp.reshape(a, (2, -1))", a -> a.reshape(2, -1))
                .one("flatten", "jnp.ravel(a)", a -> a.flatten())
                .one("transpose", "jnp.transpose(a)", a -> a.transpose())
                .one("swapAxes", "jnp.swapaxes(a, 0, 1)", a -> a.swapAxes(0, 1), CUBE)
                .one(
                        "broadcastTo",
                        "jnp.broadcast_to(a, (2,) + a.shape)",
                        a -> a.broadcastTo(prepend(2, a)))
                .one("expandDims", "jnp.expand_dims(a, 1)", a -> a.expandDims(1))
                .one(
                        "squeeze",
                        "jnp.squeeze(jnp.expand_dims(a, 0), 0)",
                        a -> a.expandDims(0).squeeze(0))
                .one("slice", "a[1:-1]", a -> a.slice(0, 1, -1))
                .one("slice of columns", "a[..., 1:3]", a -> a.slice(-1, 1, 3))
                .one(
                        "slice with steps",
                        "a[::2, 1::3]",
                        a ->
                                a.slice(
                                        List.of(0, 1),
                                        List.of(a.shape().dim(0), a.shape().dim(1)),
                                        List.of(2, 3)))
                .one("at", "a[-1]", a -> a.at(-1))
                .one(
                        "pad",
                        "jnp.pad(a, ((1, 0), (0, 2)), constant_values=0.5)",
                        a -> a.pad(List.of(1, 0), List.of(0, 2), 0.5))
                .one(
                        "pad inside and away",
                        "jax.lax.pad(a, jnp.asarray(0.5, a.dtype), ((-1, 2, 1), (0, -1, 0)))",
                        a -> a.pad(List.of(-1, 0), List.of(2, -1), List.of(1, 0), 0.5))
                .one("reverse", "jnp.flip(a, 0)", a -> a.reverse(0))
                .two("concat", "jnp.concatenate([a, b], 0)", (a, b) -> Array.concat(0, a, b))
                .two("stack", "jnp.stack([a, b], 1)", (a, b) -> Array.stack(1, List.of(a, b)));
    }

    private static Catalogue indexing() {
        return new Catalogue()
                .two(
                        "take",
                        "jnp.take(a, jnp.clip(b[0], 0, a.shape[0] - 1), axis=0)",
                        (a, b) -> a.take(b.at(0), 0),
                        MATRIX,
                        COUNTS)
                .many(
                        "scatterAdd",
                        "a.at[b[0]].add(c, mode='drop')",
                        in -> in.get(0).scatterAdd(in.get(1).at(0), in.get(2), 0),
                        MATRIX,
                        COUNTS,
                        f64(Array.normal(18, 6, 6)))
                .with(Gradient.INTEGER)
                .one("oneHot", "jax.nn.one_hot(a, 5, dtype=jnp.float32)", a -> a.oneHot(5), COUNTS);
    }

    private static Catalogue products() {
        var weights = f64(Array.normal(19, 6, 4));
        var pictures = f64(Array.normal(20, 2, 6, 4, 2));
        var kernel = f64(Array.normal(21, 3, 2, 2, 4));
        return new Catalogue()
                .two("matmul", "a @ b", Array::matmul, MATRIX, weights)
                .two("matmul by a vector", "a @ b", Array::matmul, MATRIX, ROW)
                .two(
                        "matmul of batches",
                        "a @ jnp.swapaxes(a + b[..., None], 1, 2)",
                        (a, b) -> a.matmul(a.add(b.expandDims(-1)).swapAxes(1, 2)),
                        CUBE,
                        MATRIX)
                .two(
                        "dotGeneral",
                        "jax.lax.dot_general(a, b, (((1,), (1,)), ((0,), (0,))))",
                        (a, b) -> a.dotGeneral(b, List.of(0), List.of(0), List.of(1), List.of(1)),
                        CUBE,
                        MATRIX)
                .two(
                        "conv2d, SAME",
                        conv(1, "SAME"),
                        (a, b) -> a.conv2d(b, 1, "SAME"),
                        pictures,
                        kernel)
                .two(
                        "conv2d, VALID",
                        conv(1, "VALID"),
                        (a, b) -> a.conv2d(b, 1, "VALID"),
                        pictures,
                        kernel)
                .two(
                        "conv2d in steps of 2",
                        conv(2, "SAME"),
                        (a, b) -> a.conv2d(b, 2, "SAME"),
                        pictures,
                        kernel)
                .one("maxPool", pool("-jnp.inf", "max", ""), a -> a.maxPool(2), pictures)
                .one("avgPool", pool("0.0", "add", " / 4"), a -> a.avgPool(2), pictures);
    }

    private static Catalogue flow() {
        return new Catalogue()
                .two(
                        "scan",
                        "jax.lax.scan(lambda s, x: (s * 0.5 + x, jnp.sin(s)), b, a)[1]",
                        (a, b) -> scanned(a, b).second(),
                        MATRIX,
                        ROW)
                .two(
                        "scan, the carry",
                        "jax.lax.scan(lambda s, x: (s * 0.5 + x, jnp.sin(s)), b, a)[0]",
                        (a, b) -> scanned(a, b).first(),
                        MATRIX,
                        ROW)
                .one(
                        "foriLoop",
                        "jax.lax.fori_loop(0, 3, lambda i, s: jnp.sin(s) * (i + 1), a)",
                        a ->
                                foriLoop(
                                        0,
                                        3,
                                        (Array i, Array s) -> s.sin().mul(i.add(1).cast(s.dtype())),
                                        a))
                .one(
                        "cond",
                        "jax.lax.cond(jnp.sum(a) > 0, lambda x: x * x, jnp.exp, a)",
                        a -> cond(a.sum().gt(0), a, (Array x) -> x.square(), (Array x) -> x.exp()))
                .one(
                        "remat",
                        "jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))(a)",
                        a -> remat((Array x) -> x.sin().sin()).apply(a))
                .with(Gradient.ONE_WAY)
                .one(
                        "whileLoop",
                        "jax.lax.while_loop(lambda s: jnp.sum(jnp.abs(s)) > 1, lambda s: s * 0.5, a)",
                        a -> whileLoop(s -> s.abs().sum().gt(1), s -> s.mul(0.5), a));
    }

    private static Pair<Array, Array> scanned(Array a, Array b) {
        return scan((Array s, Array x) -> pair(s.mul(0.5).add(x), s.sin()), b, a);
    }

    private static String conv(int stride, String padding) {
        return "jax.lax.conv_general_dilated(a, b, (%d, %d), '%s', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))"
                .formatted(stride, stride, padding);
    }

    private static String pool(String start, String kind, String after) {
        return "jax.lax.reduce_window(a, jnp.asarray(%s, a.dtype), jax.lax.%s, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID')%s"
                .formatted(start, kind, after);
    }

    private static int[] prepend(int size, Array a) {
        var dims = a.shape().toArray();
        var longer = new int[dims.length + 1];
        longer[0] = size;
        System.arraycopy(dims, 0, longer, 1, dims.length);
        return longer;
    }
}
