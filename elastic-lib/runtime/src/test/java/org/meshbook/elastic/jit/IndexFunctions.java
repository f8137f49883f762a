package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Index;
import org.meshbook.elastic.array.Op.ReduceKind;

/// Smooth functions of arrays in F64 that index, sort, run along an axis or move windows.
final class IndexFunctions {
    /// A function and where to try it; all sizes of first dimensions divide by 2.
    record Case(String name, Fn1<List<Array>, Array> f, List<HostArray> at) {}

    private final List<Case> cases = new ArrayList<>();

    private IndexFunctions() {}

    static List<Case> all() {
        var made = new IndexFunctions();
        made.blocks();
        made.picks();
        made.orders();
        made.windows();
        made.arrangements();
        made.products();
        return made.cases;
    }

    private void on(String name, Fn1<List<Array>, Array> f, HostArray... at) {
        cases.add(new Case(name, f, List.of(at)));
    }

    private void one(String name, Fn1<Array, Array> f, int... dims) {
        on(name, x -> f.apply(x.getFirst()), random(dims));
    }

    static HostArray random(int... dims) {
        return (HostArray) Array.normal(Arrays.hashCode(dims) + 7L, dims).cast(DType.F64);
    }

    private static HostArray other(int... dims) {
        return (HostArray) Array.normal(Arrays.hashCode(dims) + 99L, dims).cast(DType.F64);
    }

    private void blocks() {
        for (int start : new int[] {-2, 1, 9}) {
            var i = Array.scalar(start);
            one("slice " + start, x -> x.dynamicSlice(List.of(i, i), 2, 3), 4, 5);
            one("slice rows " + start, x -> x.dynamicSlice(0, i, 2), 4, 6);
            one("slice columns " + start, x -> x.dynamicSlice(1, i, 2), 4, 6);
            on(
                    "update " + start,
                    x -> x.get(0).dynamicUpdate(x.get(1), List.of(i, i)),
                    random(4, 5),
                    other(2, 3));
            on(
                    "update rows " + start,
                    x -> x.get(0).dynamicUpdate(0, x.get(1), i),
                    random(4, 6),
                    other(2, 6));
            on(
                    "update columns " + start,
                    x -> x.get(0).dynamicUpdate(1, x.get(1), i),
                    random(4, 6),
                    other(4, 2));
        }
    }

    private void picks() {
        var rows = Array.of(0, 3, -1, 1, 3, 9);
        var columns = Array.of(2, 4, 0, 1, 4, 1);
        var all = Index.all();
        one("rows", x -> x.index(rows).get(), 4, 6);
        one("elements", x -> x.index(rows, columns).get(), 4, 6, 2);
        one("columns", x -> x.index(all, columns).get(), 4, 6, 2);
        one("apart", x -> x.index(rows, all, Array.of(1)).get(), 4, 6, 2);
        one("windows", x -> x.index(rows, Index.span(1, 4)).get(), 4, 6);
        one("grid", x -> x.index(rows.reshape(6, 1), columns).get(), 4, 6, 2);
        one("block", x -> x.index(Index.at(-2), Index.span(-3, -1)).get(), 4, 6);
        for (var kind : List.of("set", "add")) {
            Fn3<org.meshbook.elastic.array.Indexed, Array, String, Array> change =
                    (at, v, k) -> k.equals("set") ? at.set(v) : at.add(v);
            on(
                    kind + " rows",
                    x -> change.apply(x.get(0).index(rows), x.get(1), kind),
                    random(4, 6),
                    other(6, 6));
            on(
                    kind + " elements",
                    x -> change.apply(x.get(0).index(rows, columns), x.get(1), kind),
                    random(4, 6, 2),
                    other(6, 2));
            on(
                    kind + " columns",
                    x -> change.apply(x.get(0).index(all, columns), x.get(1), kind),
                    random(4, 6, 2),
                    other(4, 6, 2));
            on(
                    kind + " windows",
                    x -> change.apply(x.get(0).index(rows, Index.span(1, 4)), x.get(1), kind),
                    random(4, 6),
                    other(6, 3));
            on(
                    kind + " block",
                    x -> change.apply(x.get(0).index(Index.at(1), Index.from(2)), x.get(1), kind),
                    random(4, 6),
                    other(4));
        }
        on("factor of a block", x -> x.get(0).index(1).mul(x.get(1)), random(4, 6), other(6));
        var along = Array.of(new float[][] {{0, 2, 5}, {1, -1, 7}, {2, 2, 2}, {5, 4, 3}});
        one("along", x -> x.takeAlongAxis(along.cast(DType.I32), 1), 4, 6);
        one("along one line", x -> x.takeAlongAxis(Array.of(1, 1, 0).reshape(1, 3), 1), 4, 6);
    }

    private void orders() {
        for (int axis = 0; axis < 2; axis++) {
            int at = axis;
            one("sort " + axis, x -> x.sort(at), 4, 6);
            one("sort descending " + axis, x -> x.sortDescending(at), 4, 6);
            one("median " + axis, x -> x.median(at), 4, 6);
            one("cumsum " + axis, x -> x.cumsum(at), 4, 6);
            one("cumsum reverse " + axis, x -> x.cumsumReverse(at), 4, 6);
            one("cumprod " + axis, x -> x.cumprod(at), 4, 6);
            one("cummax " + axis, x -> x.cummax(at), 4, 6);
            one("cummin " + axis, x -> x.cumminReverse(at), 4, 6);
        }
        one("top", x -> x.topK(3).values(), 4, 6);
        one("norm", x -> x.norm(-1), 4, 6);
        one("sample variance", x -> x.varianceDdof(1, -1), 4, 6);
        one("deviation", x -> x.std(0), 4, 6);
        one("log of sums", x -> x.logSumExp(-1), 4, 6);
    }

    private void windows() {
        one("max pool", x -> x.maxPool(2), 2, 5, 4, 3);
        one("max pool same", x -> x.maxPool(3, 2, "SAME"), 2, 5, 4, 3);
        one("mean pool", x -> x.avgPool(2), 2, 5, 4, 3);
        one("mean pool same", x -> x.avgPool(3, 2, "SAME"), 2, 5, 4, 3);
        for (var kind : ReduceKind.values()) {
            one(
                    "window " + kind,
                    x ->
                            x.reduceWindow(
                                    kind,
                                    List.of(1, 3, 2),
                                    List.of(1, 2, 1),
                                    List.of(0, 1, 1),
                                    List.of(0, 2, 0)),
                    4,
                    5,
                    3);
        }
    }

    private void arrangements() {
        one("move axis", x -> x.moveAxis(0, -1), 4, 6, 2);
        one("roll", x -> x.roll(-2, 1), 4, 6);
        one("repeat", x -> x.repeat(3, 1), 4, 6);
        one("tile", x -> x.tile(2, 1, 3), 4, 6);
        one("tril", x -> x.tril(-1), 4, 6);
        one("triu", x -> x.triu(), 2, 4, 6);
        one("diagonal", x -> x.diagonal(1), 2, 4, 6);
        one("diag", x -> x.diag(), 4, 6);
        one("split", x -> x.split(3, 1).get(1), 4, 6);
        one("split at", x -> x.split(List.of(1, 4), 1).get(1), 4, 6);
        one("unstack", x -> x.unstack(1).get(2), 4, 6);
    }

    private void products() {
        on("outer", x -> x.get(0).outer(x.get(1)), random(4), other(6));
        on("tensordot", x -> x.get(0).tensordot(x.get(1), 2), random(4, 6, 2), other(6, 2, 4));
        for (var spec : List.of("ij,jk->ik", "ij,jk", "ij,jk->kij", "ij,jk->", "ij,jk->j")) {
            on(spec, x -> Array.einsum(spec, x.get(0), x.get(1)), random(4, 6), other(6, 2));
        }
        on(
                "three",
                x -> Array.einsum("bij,bjk,k->bi", x.get(0), x.get(1), x.get(2)),
                random(4, 3, 2),
                other(4, 2, 6),
                random(6));
        one("diagonal by letters", x -> Array.einsum("bii->bi", x), 2, 4, 4);
        one("trace by letters", x -> Array.einsum("iij", x), 4, 4, 2);
    }
}
