package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.ScatterKind;
import org.meshbook.elastic.array.Shape;

/// Operations whose addresses are data, and sorting.
///
/// A gather or scatter sees the array as rows: its last dimensions, as far as windows take them
/// whole, are one row, and the row's number is computed from the index vector and the place in the
/// window.
record IndexTranslation(Emit emit) {
    Value dynamicSlice(List<Integer> sizes, Value x, List<Value> starts) {
        var axes = new ArrayList<Integer>();
        var from = new ArrayList<Value>();
        for (int d = 0; d < sizes.size(); d++) {
            if (sizes.get(d) < x.shape().dim(d)) {
                axes.add(d);
                var start = clamped(starts.get(d), x.shape().dim(d) - sizes.get(d));
                from.add(emit.reshape(emit.cast(start, DType.I64), Shape.of(1)));
            }
        }
        if (axes.isEmpty()) {
            return x;
        }
        var start = emit.concatenate(0, from);
        var limit = emit.add(start, emit.longs(axes.stream().map(sizes::get).toList()));
        return emit.model()
                .node(
                        "Slice",
                        x.dtype(),
                        new Shape(sizes),
                        List.of(x, start, limit, emit.longs(axes)));
    }

    /// As a scatter of rows.
    Value dynamicUpdate(Value x, Value update, List<Value> starts) {
        var block = update.shape();
        int whole = 0;
        int rank = x.shape().rank();
        while (whole < rank && block.dim(-1 - whole) == x.shape().dim(-1 - whole)) {
            whole++;
        }
        if (whole == rank) {
            return update;
        }
        int row = size(x.shape().dims().subList(rank - whole, rank));
        int stride = 1;
        Value number = emit.model().whole(DType.I64, 0);
        for (int d = rank - whole - 1; d >= 0; d--) {
            var start = clamped(starts.get(d), x.shape().dim(d) - block.dim(d));
            number = emit.add(number, times(emit.cast(start, DType.I64), stride));
            number = emit.add(number, counted(rank - whole, d, block.dim(d), stride, DType.I64));
            stride *= x.shape().dim(d);
        }
        int count = size(block.dims().subList(0, rank - whole));
        var rows = emit.reshape(x, Shape.of(stride, row));
        var updates = emit.reshape(update, Shape.of(count, row));
        var leading = new Shape(block.dims().subList(0, rank - whole));
        var at = emit.reshape(emit.expand(number, leading), Shape.of(count, 1));
        return emit.reshape(elements(rows, at, updates, ""), x.shape());
    }

    Value gather(Op.Gather gather, Value x, Value indices, Shape result) {
        var plan = new Rows(gather.map(), x.shape(), gather.sizes(), result);
        var rows = emit.reshape(x, Shape.of(plan.count(), plan.row()));
        var at = number(plan, indices, true);
        var dims = new ArrayList<>(at.shape().dims());
        dims.add(plan.row());
        var picked =
                emit.model()
                        .node(
                                "Gather",
                                x.dtype(),
                                new Shape(dims),
                                List.of(rows, at),
                                Model.attribute("axis", 0));
        // The rows' number may be smaller than it will be: what does not depend on a dimension.
        var all = new ArrayList<>(plan.leading().dims());
        all.add(plan.row());
        return emit.reshape(emit.expand(picked, new Shape(all)), result);
    }

    /// Dropped updates go to a row behind the last.
    Value scatter(Op.Scatter scatter, Value x, Value indices, Value updates) {
        var sizes = scatter.map().sizes(x.shape(), updates.shape());
        var plan = new Rows(scatter.map(), x.shape(), sizes, updates.shape());
        var rows = emit.reshape(x, Shape.of(plan.count(), plan.row()));
        var waste = emit.expand(emit.like(x, 0), Shape.of(1, plan.row()));
        int count = Math.toIntExact(plan.leading().size());
        var at = emit.expand(number(plan, indices, false), plan.leading());
        at = emit.reshape(at, Shape.of(count, 1));
        var flat = emit.reshape(updates, Shape.of(count, plan.row()));
        var more = emit.concatenate(0, List.of(rows, waste));
        var result = combined(scatter.kind(), more, at, flat);
        var kept =
                emit.slice(result, List.of(0, 0), List.of(plan.count(), plan.row()), List.of(1, 1));
        return emit.reshape(kept, x.shape());
    }

    private Value combined(ScatterKind kind, Value rows, Value at, Value updates) {
        return switch (kind) {
            case SET -> elements(rows, at, updates, "");
            case ADD -> elements(rows, at, updates, "add");
            case MULTIPLY -> elements(rows, at, updates, "mul");
            case MAX -> extreme(rows, at, updates, "max");
            case MIN -> extreme(rows, at, updates, "min");
        };
    }

    /// ONNX Runtime's comparison drops NaN: marks are scattered along.
    private Value extreme(Value rows, Value at, Value updates, String reduction) {
        var result = elements(rows, at, updates, reduction);
        if (!rows.isFloat()) {
            return result;
        }
        var marks = emit.cast(emit.isNan(rows), DType.I32);
        var more = emit.cast(emit.isNan(updates), DType.I32);
        var nan = emit.cast(elements(marks, at, more, "max"), DType.BOOL);
        return emit.where(nan, emit.model().real(rows.dtype(), Double.NaN), result);
    }

    /// ScatterElements, one update after the other.
    private Value elements(Value rows, Value at, Value updates, String reduction) {
        var attributes = new ArrayList<>(List.of(Model.attribute("axis", 0)));
        if (!reduction.isEmpty()) {
            attributes.add(Model.attribute("reduction", reduction));
        }
        return emit.model()
                .node(
                        "ScatterElements",
                        rows.dtype(),
                        rows.shape(),
                        List.of(rows, emit.expand(at, updates.shape()), updates),
                        attributes.toArray(Proto[]::new));
    }

    /// How an array is cut into rows.
    ///
    /// @param array shape of the array
    /// @param sizes of the windows
    /// @param windows shape of the result or the updates
    private record Rows(IndexMap map, Shape array, List<Integer> sizes, Shape windows) {
        /// Last dimensions that each row has whole.
        int whole() {
            var kept = map.kept(array.rank());
            int whole = 0;
            while (whole < kept.size()) {
                int d = array.rank() - 1 - whole;
                int last = kept.size() - 1 - whole;
                boolean fits =
                        kept.get(last) == d
                                && map.window().get(last) == windows.rank() - 1 - whole
                                && sizes.get(d) == array.dim(d)
                                && !map.indexed().contains(d);
                if (!fits) {
                    break;
                }
                whole++;
            }
            return whole;
        }

        int row() {
            return size(array.dims().subList(array.rank() - whole(), array.rank()));
        }

        int count() {
            return size(array.dims().subList(0, array.rank() - whole()));
        }

        /// The dimensions before the rows.
        Shape leading() {
            return new Shape(windows.dims().subList(0, windows.rank() - whole()));
        }

        /// Rows from one element of an array's dimension to the next.
        int stride(int dim) {
            return size(array.dims().subList(dim + 1, array.rank() - whole()));
        }
    }

    /// The row's number, in a shape that broadcasts to the leading dimensions; clamped, or that of
    /// the row behind the last for a window that does not lie inside.
    private Value number(Rows plan, Value indices, boolean clamped) {
        var map = plan.map();
        var around = map.around(plan.windows().rank());
        int rank = plan.leading().rank();
        var dtype = indices.dtype();
        var number = emit.like(indices, 0);
        var inside = emit.model().whole(DType.BOOL, 1);
        // 1. from the index vectors
        for (int i = 0; i < map.indexed().size(); i++) {
            int dim = map.indexed().get(i);
            var component = component(map, indices, i, around, rank);
            int last = plan.array().dim(dim) - plan.sizes().get(dim);
            var start = clamped(component, last);
            number = emit.add(number, times(start, plan.stride(dim)));
            if (!clamped) {
                inside = emit.binary("And", inside, emit.test("Equal", start, component));
            }
        }
        // 2. from what goes along with the indices
        var dims = map.indexDims(indices.shape().rank());
        for (int i = 0; i < map.batch().size(); i++) {
            int at = around.get(dims.indexOf(map.indexBatch().get(i)));
            int dim = map.batch().get(i);
            int size = plan.array().dim(dim);
            number = emit.add(number, counted(rank, at, size, plan.stride(dim), dtype));
        }
        // 3. from the place in the window
        var kept = map.kept(plan.array().rank());
        for (int i = 0; i < kept.size() - plan.whole(); i++) {
            int dim = kept.get(i);
            int size = plan.sizes().get(dim);
            int at = map.window().get(i);
            number = emit.add(number, counted(rank, at, size, plan.stride(dim), dtype));
        }
        return clamped ? number : emit.where(inside, number, emit.like(indices, plan.count()));
    }

    /// One component of the index vectors, its dimensions where the result has them.
    private Value component(
            IndexMap map, Value indices, int component, List<Integer> around, int rank) {
        var shape = indices.shape();
        var one = indices;
        if (map.vector() < shape.rank()) {
            var start = new ArrayList<>(Collections.nCopies(shape.rank(), 0));
            var limit = new ArrayList<>(shape.dims());
            start.set(map.vector(), component);
            limit.set(map.vector(), component + 1);
            one = emit.slice(indices, start, limit, Collections.nCopies(shape.rank(), 1));
        }
        var dims = new ArrayList<>(Collections.nCopies(rank, 1));
        var own = map.indexDims(shape.rank());
        for (int i = 0; i < own.size(); i++) {
            dims.set(around.get(i), shape.dim(own.get(i)));
        }
        return emit.reshape(one, new Shape(dims));
    }

    /// `0, step, 2 step...` along one of `rank` dimensions.
    private Value counted(int rank, int dim, int size, int step, DType dtype) {
        var counts = HostArray.zeros(ArrayType.of(dtype, size));
        var bytes = counts.bytes();
        for (int i = 0; i < size; i++) {
            if (dtype == DType.I32) {
                bytes.putInt(i * step);
            } else {
                bytes.putLong((long) i * step);
            }
        }
        var dims = IntStream.range(0, rank).map(d -> d == dim ? size : 1).toArray();
        return emit.reshape(emit.model().constant(counts), Shape.of(dims));
    }

    private Value clamped(Value start, int last) {
        var most = emit.like(start, last);
        return emit.maximum(emit.minimum(start, most), emit.like(start, 0));
    }

    private Value times(Value x, int factor) {
        return factor == 1 ? x : emit.multiply(x, emit.like(x, factor));
    }

    private static int size(List<Integer> dims) {
        return dims.stream().reduce(1, Math::multiplyExact);
    }

    /// Ties keep their order in ONNX's TopK. NaN sorts as infinity there, and in a second sort
    /// behind all numbers.
    Value argSort(Op.ArgSort sort, Value operand) {
        var x = operand.isBool() ? emit.cast(operand, DType.I32) : operand;
        int dim = sort.dim();
        if (!x.isFloat()) {
            return emit.cast(order(x, dim, sort.descending()), DType.I32);
        }
        var nan = emit.isNan(x);
        var most = emit.model().real(x.dtype(), Double.POSITIVE_INFINITY);
        var first = order(emit.where(nan, most, x), dim, sort.descending());
        var marks = along(emit.cast(nan, DType.I32), first, dim);
        var second = order(marks, dim, sort.descending());
        return emit.cast(along(first, second, dim), DType.I32);
    }

    private Value along(Value x, Value order, int dim) {
        return emit.model()
                .node(
                        "GatherElements",
                        x.dtype(),
                        x.shape(),
                        List.of(x, order),
                        Model.attribute("axis", dim));
    }

    private Value order(Value x, int dim, boolean descending) {
        var count = emit.model().longs(List.of((long) x.shape().dim(dim)));
        return emit.model()
                .nodes(
                        "TopK",
                        List.of(x.type(), new ArrayType(DType.I64, x.shape())),
                        List.of(x, count),
                        Model.attribute("axis", dim),
                        Model.attribute("largest", descending ? 1 : 0),
                        Model.attribute("sorted", 1))
                .getLast();
    }
}
