package org.meshbook.elastic.array;

import java.util.List;
import java.util.stream.Stream;

/// Types of operations whose addresses are data, and of sorting.
final class IndexTypes {
    private final Operands operands;

    IndexTypes(Operands operands) {
        this.operands = operands;
    }

    ArrayType dynamicSlice(List<Integer> sizes) {
        operands.check(!operands.operands().isEmpty(), "takes an array and where to start");
        var x = operands.get(0);
        starts(x, 1);
        operands.check(
                inside(sizes, x.shape()), "%s has no block of sizes %s", x, new Sizes(sizes));
        return new ArrayType(x.dtype(), new Shape(sizes));
    }

    ArrayType dynamicUpdateSlice() {
        operands.check(
                operands.operands().size() >= 2, "takes an array, a block and where to write it");
        var x = operands.get(0);
        var update = operands.get(1);
        operands.sameDtype(x, update);
        operands.check(
                inside(update.shape().dims(), x.shape()),
                "%s does not fit into %s; it must have as many dimensions and be no larger in any",
                update,
                x);
        starts(x, 2);
        return x;
    }

    /// One integer scalar a dimension.
    private void starts(ArrayType x, int from) {
        var starts = operands.operands().subList(from, operands.operands().size());
        operands.check(
                starts.size() == x.shape().rank(),
                "%d starts for the %d dimensions of %s; give one for each",
                starts.size(),
                x.shape().rank(),
                x);
        for (var start : starts) {
            operands.check(
                    start.shape().rank() == 0
                            && start.dtype().isInteger()
                            && start.equals(starts.getFirst()),
                    "starts are %s; they must be integer scalars of one dtype",
                    starts);
        }
    }

    private static boolean inside(List<Integer> sizes, Shape shape) {
        boolean fits = sizes.size() == shape.rank();
        for (int d = 0; fits && d < shape.rank(); d++) {
            fits = sizes.get(d) >= 0 && sizes.get(d) <= shape.dim(d);
        }
        return fits;
    }

    ArrayType gather(Op.Gather gather) {
        var x = operands.two();
        var indices = operands.get(1);
        map(gather.map(), x, indices);
        operands.check(
                inside(gather.sizes(), x.shape()),
                "%s has no windows of sizes %s",
                x,
                new Sizes(gather.sizes()));
        var kept = gather.map().kept(x.shape().rank());
        operands.check(
                kept.size() == gather.map().window().size()
                        && windows(gather.map(), kept.size() + around(gather.map(), indices)),
                "windows keep dimensions %s of %s, the result has %s for them",
                kept,
                x,
                gather.map().window());
        for (int d = 0; d < x.shape().rank(); d++) {
            operands.check(
                    kept.contains(d) || gather.sizes().get(d) == 1,
                    "windows of sizes %s cannot drop dimension %d of %s; its size must be 1",
                    new Sizes(gather.sizes()),
                    d,
                    x);
        }
        return new ArrayType(x.dtype(), gather.map().gathered(indices.shape(), gather.sizes()));
    }

    ArrayType scatter(Op.Scatter scatter) {
        operands.arity(3);
        var x = operands.get(0);
        var indices = operands.get(1);
        var updates = operands.get(2);
        var map = scatter.map();
        operands.sameDtype(x, updates);
        boolean logical = x.dtype() == DType.BOOL && scatter.kind() != Op.ScatterKind.SET;
        operands.defined(!logical, x, DType.I32);
        map(map, x, indices);
        var kept = map.kept(x.shape().rank());
        boolean fits =
                kept.size() == map.window().size()
                        && updates.shape().rank() == kept.size() + around(map, indices)
                        && windows(map, updates.shape().rank());
        if (fits) {
            var sizes = map.sizes(x.shape(), updates.shape());
            fits =
                    inside(sizes, x.shape())
                            && map.gathered(indices.shape(), sizes).equals(updates.shape());
        }
        operands.check(fits, "%s at %s of %s does not fit by %s", updates, indices, x, map);
        return x;
    }

    private static int around(IndexMap map, ArrayType indices) {
        return map.indexDims(indices.shape().rank()).size();
    }

    private static boolean windows(IndexMap map, int rank) {
        return Operands.distinct(map.window())
                && map.window().stream().sorted().toList().equals(map.window())
                && map.window().stream().allMatch(d -> d >= 0 && d < rank);
    }

    private void map(IndexMap map, ArrayType x, ArrayType indices) {
        operands.check(
                indices.dtype().isInteger(),
                "indices are %s; cast them, as in i.cast(DType.I32)",
                indices);
        int rank = indices.shape().rank();
        operands.check(
                map.vector() >= 0 && map.vector() <= rank,
                "index vectors lie in dimension %d of %s",
                map.vector(),
                indices);
        operands.check(
                map.indexed().size() == map.components(indices.shape()),
                "%d components an index of %s, for dimensions %s of %s",
                map.components(indices.shape()),
                indices,
                map.indexed(),
                x);
        var out = Stream.concat(map.dropped().stream(), map.batch().stream()).toList();
        var once = Stream.concat(map.indexed().stream(), map.batch().stream()).toList();
        var all = Stream.concat(out.stream(), map.indexed().stream()).toList();
        all.forEach(d -> operands.inRange(d, x));
        boolean paired =
                map.batch().size() == map.indexBatch().size()
                        && Operands.distinct(map.indexBatch())
                        && Operands.distinct(out)
                        && Operands.distinct(once);
        for (int i = 0; paired && i < map.batch().size(); i++) {
            int at = map.indexBatch().get(i);
            paired =
                    at >= 0
                            && at < rank
                            && at != map.vector()
                            && indices.shape().dim(at) == x.shape().dim(map.batch().get(i));
        }
        operands.check(paired, "%s and %s do not fit by %s", x, indices, map);
    }

    ArrayType argSort(int dim) {
        var x = operands.one();
        operands.inRange(dim, x);
        return new ArrayType(DType.I32, x.shape());
    }

    /// Sizes as they are written for shapes, though they may be no shape.
    private record Sizes(List<Integer> sizes) {
        @Override
        public String toString() {
            return sizes.toString().replace(" ", "");
        }
    }
}
