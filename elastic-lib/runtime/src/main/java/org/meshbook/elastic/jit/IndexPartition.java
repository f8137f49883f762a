package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;

/// Partitions operations whose addresses are data: dimensions that are taken whole, and those that
/// go along with the indices', stay cut; what is indexed is gathered.
record IndexPartition(LocalGraph local) {
    /// @param x shape of the whole array
    Piece dynamicSlice(Op.DynamicSlice slice, List<Piece> in, Shape x) {
        var array = in.getFirst();
        var sizes = new ArrayList<>(slice.sizes());
        for (int d = 0; d < x.rank(); d++) {
            if (sizes.get(d) == x.dim(d)) {
                sizes.set(d, array.size(d));
            } else {
                array = local.gather(array, d);
            }
        }
        return local.add(new Op.DynamicSlice(sizes), array.cuts(), replaced(in, array));
    }

    /// @param x shape of the whole array
    /// @param block shape of the whole block
    Piece dynamicUpdate(Op op, List<Piece> in, Shape x, Shape block) {
        var array = in.get(0);
        var update = in.get(1);
        for (int d = 0; d < x.rank(); d++) {
            if (block.dim(d) != x.dim(d)) {
                array = local.gather(array, d);
                update = local.gather(update, d);
            }
        }
        var cuts = Cuts.merge(List.of(array.cuts(), update.cuts()));
        var operands = replaced(in, local.recut(array, cuts), local.recut(update, cuts));
        return local.add(op, cuts, operands);
    }

    /// @param x shape of the whole array
    Piece gather(Op.Gather gather, List<Piece> in, Shape x) {
        var map = gather.map();
        // 1. cut the indices, and the array along with them
        var indices =
                map.vector() < in.get(1).cuts().size()
                        ? local.gather(in.get(1), map.vector())
                        : in.get(1);
        var indexCuts = new ArrayList<>(indices.cuts());
        var wanted = new ArrayList<>(Cuts.none(x.rank()));
        paired(map, in.get(0).cuts(), indexCuts, wanted);
        // 2. keep the array's cuts of dimensions that windows take whole
        var kept = map.kept(x.rank());
        for (int d : kept) {
            boolean whole = gather.sizes().get(d) == x.dim(d);
            if (whole && free(in.get(0).cuts().get(d), indexCuts)) {
                wanted.set(d, in.get(0).cuts().get(d));
            }
        }
        var array = local.recut(in.get(0), wanted);
        indices = local.recut(indices, indexCuts);
        // 3. windows of this device's size
        var sizes = new ArrayList<>(gather.sizes());
        for (int d : kept) {
            sizes.set(d, wanted.get(d).isEmpty() ? sizes.get(d) : array.size(d));
        }
        var cuts = around(map, kept, wanted, indexCuts);
        return local.add(new Op.Gather(map, sizes), cuts, array, indices);
    }

    /// @param x shape of the whole array
    /// @param windows shape of all updates
    Piece scatter(Op.Scatter scatter, List<Piece> in, Shape x, Shape windows) {
        var map = scatter.map();
        var none = new ArrayList<>(Cuts.none(in.get(1).cuts().size()));
        var wanted = new ArrayList<>(Cuts.none(x.rank()));
        // 1. only what goes along with the array stays cut: each device needs all its updates
        for (int i = 0; i < map.batch().size(); i++) {
            var axes = in.get(0).cuts().get(map.batch().get(i));
            axes = axes.isEmpty() ? in.get(1).cuts().get(map.indexBatch().get(i)) : axes;
            if (free(axes, wanted)) {
                wanted.set(map.batch().get(i), axes);
                none.set(map.indexBatch().get(i), axes);
            }
        }
        // 2. and what windows take whole
        var kept = map.kept(x.rank());
        for (int i = 0; i < kept.size(); i++) {
            int d = kept.get(i);
            int window = map.window().get(i);
            var axes = in.get(0).cuts().get(d);
            axes = axes.isEmpty() ? in.get(2).cuts().get(window) : axes;
            if (windows.dim(window) == x.dim(d) && free(axes, wanted)) {
                wanted.set(d, axes);
            }
        }
        return local.add(
                scatter,
                wanted,
                local.recut(in.get(0), wanted),
                local.recut(in.get(1), none),
                local.recut(in.get(2), around(map, kept, wanted, none)));
    }

    /// Gives dimensions that go along with each other one cut, the indices' first.
    private static void paired(
            IndexMap map,
            List<List<String>> array,
            List<List<String>> indices,
            List<List<String>> wanted) {
        for (int i = 0; i < map.batch().size(); i++) {
            int at = map.indexBatch().get(i);
            var axes = array.get(map.batch().get(i));
            if (indices.get(at).isEmpty() && free(axes, indices)) {
                indices.set(at, axes);
            }
            wanted.set(map.batch().get(i), indices.get(at));
        }
    }

    /// How a result or updates are cut.
    private static List<List<String>> around(
            IndexMap map,
            List<Integer> kept,
            List<List<String>> array,
            List<List<String>> indices) {
        int rank = map.window().size() + map.indexDims(indices.size()).size();
        var cuts = new ArrayList<>(Cuts.none(rank));
        var dims = map.indexDims(indices.size());
        var around = map.around(rank);
        for (int i = 0; i < around.size(); i++) {
            cuts.set(around.get(i), indices.get(dims.get(i)));
        }
        for (int i = 0; i < kept.size(); i++) {
            cuts.set(map.window().get(i), array.get(kept.get(i)));
        }
        return cuts;
    }

    private static boolean free(List<String> axes, List<List<String>> cuts) {
        return cuts.stream().flatMap(List::stream).noneMatch(axes::contains);
    }

    private static Piece[] replaced(List<Piece> in, Piece... first) {
        var all = in.toArray(Piece[]::new);
        System.arraycopy(first, 0, all, 0, first.length);
        return all;
    }

    Piece argSort(Op.ArgSort sort, Piece x) {
        var whole = local.gather(x, sort.dim());
        return local.add(sort, whole.cuts(), whole);
    }
}
