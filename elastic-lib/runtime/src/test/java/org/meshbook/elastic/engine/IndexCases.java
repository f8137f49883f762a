package org.meshbook.elastic.engine;

import static org.meshbook.elastic.array.DType.BOOL;
import static org.meshbook.elastic.array.DType.F32;
import static org.meshbook.elastic.array.DType.F64;
import static org.meshbook.elastic.array.DType.I32;
import static org.meshbook.elastic.array.DType.I64;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.ScatterKind;
import org.meshbook.elastic.array.Shape;

/// Operations whose addresses are data, and sorting, with operands at their edges: for any engine.
public final class IndexCases {
    private static final double NAN = Double.NaN;
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final List<DType> TYPES = List.of(DType.values());

    /// One operation and what it is asked to work on.
    public record Case(String name, Op op, List<HostArray> operands) {
        @Override
        public String toString() {
            return name + " " + op + " " + operands.stream().map(HostArray::type).toList();
        }
    }

    private final List<Case> cases = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(7);

    private IndexCases() {}

    /// @return all cases
    public static List<Case> all() {
        var made = new IndexCases();
        made.blocks();
        made.gathers();
        made.scatters();
        made.sorts();
        return made.cases;
    }

    private void add(String name, Op op, HostArray... operands) {
        cases.add(new Case(name, op, List.of(operands)));
    }

    private HostArray any(DType dtype, int... dims) {
        var type = ArrayType.of(dtype, dims);
        return dtype == BOOL ? Given.random(random, type, 0, 2) : Given.random(random, type, -9, 9);
    }

    private static HostArray scalar(DType dtype, long value) {
        return Given.array(dtype, Shape.SCALAR, value);
    }

    private static HostArray ints(Shape shape, double... values) {
        return Given.array(I32, shape, values);
    }

    private void blocks() {
        for (var dtype : TYPES) {
            for (int start : new int[] {-3, 0, 1, 2, 7}) {
                var x = any(dtype, 4, 5);
                var i = scalar(I32, start);
                add("slice", new Op.DynamicSlice(List.of(2, 3)), x, i, i);
                add("update", new Op.DynamicUpdateSlice(), x, any(dtype, 2, 3), i, i);
                add("update rows", new Op.DynamicUpdateSlice(), x, any(dtype, 2, 5), i, i);
                add("update columns", new Op.DynamicUpdateSlice(), x, any(dtype, 4, 2), i, i);
            }
        }
        var x = any(F32, 3, 2);
        var far = scalar(I64, Long.MAX_VALUE);
        var before = scalar(I64, Long.MIN_VALUE);
        add("far", new Op.DynamicSlice(List.of(1, 1)), x, far, before);
        add("far", new Op.DynamicUpdateSlice(), x, any(F32, 1, 1), far, before);
        var zero = scalar(I32, 0);
        add("whole", new Op.DynamicSlice(List.of(3, 2)), x, zero, zero);
        add("whole", new Op.DynamicUpdateSlice(), x, any(F32, 3, 2), zero, zero);
        add("nothing", new Op.DynamicSlice(List.of(0, 2)), x, zero, zero);
        add("nothing", new Op.DynamicUpdateSlice(), x, any(F32, 0, 2), zero, zero);
        add("scalar", new Op.DynamicSlice(List.of()), any(F32));
        add("scalar", new Op.DynamicUpdateSlice(), any(F32), any(F32));
    }

    private static IndexMap map(
            List<Integer> window, List<Integer> dropped, List<Integer> indexed, int vector) {
        return new IndexMap(window, dropped, List.of(), List.of(), indexed, vector);
    }

    private void gathers() {
        for (var dtype : TYPES) {
            var x = any(dtype, 4, 5, 3);
            var rows = Given.vector(I64, -1, 0, 3, 9, 2);
            add(
                    "rows",
                    new Op.Gather(map(List.of(1, 2), List.of(0), List.of(0), 1), List.of(1, 5, 3)),
                    x,
                    rows);
            var pairs = ints(Shape.of(3, 2), 0, 4, -2, 1, 3, 7);
            add(
                    "elements",
                    new Op.Gather(
                            map(List.of(1), List.of(0, 1), List.of(0, 1), 1), List.of(1, 1, 3)),
                    x,
                    pairs);
            add(
                    "windows",
                    new Op.Gather(
                            map(List.of(0, 2, 3), List.of(), List.of(1, 0), 1), List.of(2, 3, 2)),
                    x,
                    pairs);
            add(
                    "first vectors",
                    new Op.Gather(
                            map(List.of(1), List.of(1, 2), List.of(2, 1, 0), 0), List.of(2, 1, 1)),
                    x,
                    ints(Shape.of(3, 2), 0, 9, 2, -1, 1, 3));
            add(
                    "along",
                    new Op.Gather(IndexMap.along(3, 1), List.of(1, 1, 1)),
                    x,
                    any(I32, 4, 2, 3));
        }
        add(
                "one",
                new Op.Gather(map(List.of(), List.of(0), List.of(0), 0), List.of(1)),
                any(F32, 5),
                scalar(I32, 8));
        add(
                "no indices",
                new Op.Gather(map(List.of(), List.of(0), List.of(0), 1), List.of(1)),
                any(F32, 5),
                any(I32, 0));
        add(
                "no components",
                new Op.Gather(map(List.of(1), List.of(), List.of(), 1), List.of(5)),
                any(F32, 5),
                any(I32, 3, 0));
        add(
                "far",
                new Op.Gather(map(List.of(), List.of(0), List.of(0), 1), List.of(1)),
                any(F32, 5),
                Given.longs(Long.MAX_VALUE, Long.MIN_VALUE));
    }

    private void scatters() {
        for (var kind : ScatterKind.values()) {
            for (var dtype : TYPES) {
                if (dtype == BOOL && kind != ScatterKind.SET) {
                    continue;
                }
                var x = any(dtype, 4, 5, 3);
                var rows = Given.vector(I64, -1, 0, 3, 3, 9);
                add(
                        "rows",
                        new Op.Scatter(kind, map(List.of(1, 2), List.of(0), List.of(0), 1)),
                        x,
                        rows,
                        any(dtype, 5, 5, 3));
                var pairs = ints(Shape.of(4, 2), 0, 4, -2, 1, 0, 4, 3, 1);
                add(
                        "elements",
                        new Op.Scatter(kind, map(List.of(1), List.of(0, 1), List.of(0, 1), 1)),
                        x,
                        pairs,
                        any(dtype, 4, 3));
                add(
                        "windows",
                        new Op.Scatter(kind, map(List.of(0, 2, 3), List.of(), List.of(1, 0), 1)),
                        x,
                        pairs,
                        any(dtype, 2, 4, 3, 2));
                add(
                        "along",
                        new Op.Scatter(kind, IndexMap.along(3, 1)),
                        x,
                        any(I32, 4, 2, 3),
                        any(dtype, 4, 2, 3));
            }
            var edges = Given.vector(F32, 1, NAN, -INF, INF, 2);
            var at = Given.vector(I32, 0, 1, 2, 3, 4);
            var op = new Op.Scatter(kind, map(List.of(), List.of(0), List.of(0), 1));
            add("edges", op, edges, at, Given.vector(F32, NAN, 1, INF, -INF, -0.0));
            add("no updates", op, edges, any(I32, 0), any(F32, 0));
            add("far", op, edges, Given.longs(Long.MAX_VALUE, Long.MIN_VALUE), any(F32, 2));
        }
    }

    private void sorts() {
        for (boolean descending : new boolean[] {false, true}) {
            for (var dtype : TYPES) {
                for (int dim = 0; dim < 3; dim++) {
                    add("sort", new Op.ArgSort(dim, descending), any(dtype, 4, 7, 3));
                }
                add("empty", new Op.ArgSort(1, descending), any(dtype, 2, 0));
                add("one", new Op.ArgSort(0, descending), any(dtype, 1));
            }
            for (var dtype : List.of(F32, F64)) {
                var edges =
                        Given.vector(
                                dtype, 3, NAN, 1, 2, INF, -0.0, 0, 1, -INF, NAN, INF, -1, -INF);
                add("edges", new Op.ArgSort(0, descending), edges);
            }
            var edges = Given.longs(3, Long.MAX_VALUE, Long.MIN_VALUE, 3, 1L << 53, (1L << 53) + 1);
            add("edges", new Op.ArgSort(0, descending), edges);
        }
    }
}
