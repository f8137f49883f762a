package org.meshbook.elastic.operations;

import static org.meshbook.elastic.operations.Catalogue.COUNTS;
import static org.meshbook.elastic.operations.Catalogue.CUBE;
import static org.meshbook.elastic.operations.Catalogue.INTS;
import static org.meshbook.elastic.operations.Catalogue.MATRIX;
import static org.meshbook.elastic.operations.Catalogue.ROW;
import static org.meshbook.elastic.operations.Catalogue.f64;

import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Index;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.operations.Operation.Gradient;

/// Indexing, sorting, running along an axis, arranging and windows.
final class IndexOperations {
    private IndexOperations() {}

    private static Array at(int i) {
        return Array.scalar(i);
    }

    static Catalogue indexing() {
        var updates = f64(Array.normal(22, 6, 6));
        var block = f64(Array.normal(23, 2, 3));
        return new Catalogue()
                .one(
                        "dynamicSlice",
                        "jax.lax.dynamic_slice(a, (9, 1), (2, 3))",
                        a -> a.dynamicSlice(List.of(at(9), at(1)), 2, 3))
                .two(
                        "dynamicUpdate",
                        "jax.lax.dynamic_update_slice(a, b, (1, 9))",
                        (a, b) -> a.dynamicUpdate(b, List.of(at(1), at(9))),
                        MATRIX,
                        block)
                .two(
                        "index, rows",
                        "a[b[0] % a.shape[0]]",
                        (a, b) -> a.index(inside(b.at(0), a, 0)).get(),
                        MATRIX,
                        COUNTS)
                .two(
                        "index, elements",
                        "a[b[0] % a.shape[0], b[1] % a.shape[1]]",
                        (a, b) -> a.index(inside(b.at(0), a, 0), inside(b.at(1), a, 1)).get(),
                        MATRIX,
                        COUNTS)
                .two(
                        "index, windows",
                        "a[b[0] % a.shape[0], 1:4]",
                        (a, b) -> a.index(inside(b.at(0), a, 0), Index.span(1, 4)).get(),
                        MATRIX,
                        COUNTS)
                .many(
                        "index, set",
                        "a.at[b[0]].set(c)",
                        in -> in.get(0).index(in.get(1).at(0)).set(in.get(2)),
                        MATRIX,
                        COUNTS,
                        updates)
                .many(
                        "index, add",
                        "a.at[b[0]].add(c)",
                        in -> in.get(0).index(in.get(1).at(0)).add(in.get(2)),
                        MATRIX,
                        COUNTS,
                        updates)
                .one(
                        "index, set a block",
                        "a.at[1, 2:5].set(0.5)",
                        a -> a.index(Index.at(1), Index.span(2, 5)).set(0.5))
                .two(
                        "takeAlongAxis",
                        "jnp.take_along_axis(a, b % 6, axis=1)",
                        (a, b) -> a.takeAlongAxis(b.rem(6), 1),
                        MATRIX,
                        COUNTS)
                .one("diagonal", "jnp.diagonal(a, 1, -2, -1)", a -> a.diagonal(1))
                .with(Gradient.ONE_WAY)
                .many(
                        "index, mul",
                        "a.at[b[0]].multiply(c)",
                        in -> in.get(0).index(in.get(1).at(0)).mul(in.get(2)),
                        MATRIX,
                        COUNTS,
                        updates)
                .many(
                        "index, max",
                        "a.at[b[0]].max(c)",
                        in -> in.get(0).index(in.get(1).at(0)).max(in.get(2)),
                        MATRIX,
                        COUNTS,
                        updates)
                .many(
                        "index, min",
                        "a.at[b[0]].min(c)",
                        in -> in.get(0).index(in.get(1).at(0)).min(in.get(2)),
                        MATRIX,
                        COUNTS,
                        updates);
    }

    static Catalogue orders() {
        return new Catalogue()
                .one("sort", "jnp.sort(a, axis=0)", a -> a.sort(0))
                .one(
                        "sortDescending",
                        "jnp.sort(a, axis=-1, descending=True)",
                        a -> a.sortDescending(-1))
                .one("topK", "jax.lax.top_k(a, 3)[0]", a -> a.topK(3).values())
                .one("median", "jnp.median(a, axis=-1)", a -> a.median(-1))
                .one("cumsum", "jnp.cumsum(a, axis=-1)", a -> a.cumsum(-1))
                .one(
                        "cumsumReverse",
                        "jax.lax.cumsum(a, axis=0, reverse=True)",
                        a -> a.cumsumReverse(0))
                .one("cumprod", "jnp.cumprod(a, axis=-1)", a -> a.cumprod(-1))
                .one("cummax", "jax.lax.cummax(a, axis=1)", a -> a.cummax(1))
                .one("cummin", "jax.lax.cummin(a, axis=0)", a -> a.cummin(0))
                .one("norm", "jnp.linalg.norm(a, axis=-1)", a -> a.norm(-1))
                .one("std", "jnp.std(a, axis=-1)", a -> a.std(-1))
                .one("varianceDdof", "jnp.var(a, axis=0, ddof=1)", a -> a.varianceDdof(1, 0))
                .with(Gradient.NONE)
                .one("argsort", "jnp.argsort(a, axis=-1).astype(jnp.int32)", a -> a.argsort(-1))
                .one("argmin", "jnp.argmin(a, axis=0).astype(jnp.int32)", a -> a.argmin(0))
                .with(Gradient.INTEGER)
                .one(
                        "argsort of integers",
                        "jnp.argsort(a, axis=0).astype(jnp.int32)",
                        a -> a.argsort(0),
                        INTS)
                .one(
                        "cumsum of integers",
                        "jnp.cumsum(a, axis=0, dtype=a.dtype)",
                        a -> a.cumsum(0),
                        INTS);
    }

    static Catalogue arrangements() {
        return new Catalogue()
                .one("moveAxis", "jnp.moveaxis(a, 0, -1)", a -> a.moveAxis(0, -1), CUBE)
                .one("split", "jnp.split(a, 2, 1)[1]", a -> a.split(2, 1).get(1))
                .one("unstack", "a[:, 2]", a -> a.unstack(1).get(2))
                .one("roll", "jnp.roll(a, -2, 1)", a -> a.roll(-2, 1))
                .one("repeat", "jnp.repeat(a, 3, 0)", a -> a.repeat(3, 0))
                .one("tile", "jnp.tile(a, (2, 3))", a -> a.tile(2, 3))
                .one("tril", "jnp.tril(a, -1)", a -> a.tril(-1))
                .one("triu", "jnp.triu(a)", Array::triu)
                .one("diag", "jnp.diag(a)", Array::diag, ROW)
                .two("outer", "jnp.outer(a, b)", Array::outer, ROW, ROW)
                .two(
                        "tensordot",
                        "jnp.tensordot(a, b, 2)",
                        (a, b) -> a.tensordot(b, 2),
                        MATRIX,
                        CUBE)
                .two(
                        "einsum",
                        "jnp.einsum('ij,ijk->k', a, b)",
                        (a, b) -> Array.einsum("ij,ijk->k", a, b),
                        MATRIX,
                        CUBE)
                .two(
                        "einsum, batches",
                        "jnp.einsum('bik,bjk->bij', a, b)",
                        (a, b) -> Array.einsum("bik,bjk->bij", a, b),
                        CUBE,
                        CUBE);
    }

    static Catalogue windows() {
        var pictures = f64(Array.normal(20, 2, 6, 4, 2));
        return new Catalogue()
                .one(
                        "maxPool, SAME",
                        pool("-jnp.inf", "max", ""),
                        a -> a.maxPool(3, 2, "SAME"),
                        pictures)
                .one(
                        "avgPool, SAME",
                        pool("0.0", "add", " / 9"),
                        a -> a.avgPool(3, 2, "SAME"),
                        pictures)
                .one(
                        "reduceWindow",
                        "jax.lax.reduce_window(a, jnp.asarray(jnp.inf, a.dtype), jax.lax.min, (2, 3),"
                                + " (1, 2), ((1, 0), (0, 2)))",
                        a ->
                                a.reduceWindow(
                                        ReduceKind.MIN,
                                        List.of(2, 3),
                                        List.of(1, 2),
                                        List.of(1, 0),
                                        List.of(0, 2)));
    }

    private static String pool(String start, String kind, String after) {
        return "jax.lax.reduce_window(a, jnp.asarray(%s, a.dtype), jax.lax.%s, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')%s"
                .formatted(start, kind, after);
    }

    /// Indices within bounds: beyond them JAX reads the nearest element but differentiates as if
    /// there were none.
    private static Array inside(Array indices, Array of, int dim) {
        return indices.floorMod(of.shape().dim(dim));
    }
}
