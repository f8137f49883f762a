package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// The per-device graph while it is built, with the moves between cuts.
final class LocalGraph {
    private final GraphBuilder builder;
    private final Mesh mesh;
    private final Map<Integer, Made> made = new HashMap<>();

    private final Map<Cut, Piece> cut = new HashMap<>();

    private record Cut(Piece x, int dim, String axis) {}

    private record Made(Op op, Piece[] operands) {}

    LocalGraph(String name, Mesh mesh) {
        this.builder = new GraphBuilder(name);
        this.mesh = mesh;
    }

    Piece parameter(ArrayType shard, Sharding sharding) {
        var cuts = new ArrayList<List<String>>();
        for (int dim = 0; dim < shard.shape().rank(); dim++) {
            cuts.add(sharding.axes(dim));
        }
        return new Piece(builder.parameter(shard), shard, cuts);
    }

    Piece add(Op op, List<List<String>> cuts, Piece... operands) {
        int value = builder.add(op, Stream.of(operands).map(Piece::value).toList());
        made.putIfAbsent(value, new Made(op, operands));
        return new Piece(value, builder.type(value), cuts);
    }

    /// An operation of several results.
    List<Piece> addAll(Op op, List<List<List<String>>> cuts, List<Piece> operands) {
        var types = op.inferAll(operands.stream().map(Piece::type).toList());
        int first = builder.add(op, operands.stream().map(Piece::value).toList());
        var results = new ArrayList<Piece>();
        results.add(new Piece(first, types.getFirst(), cuts.getFirst()));
        for (int i = 1; i < types.size(); i++) {
            int value = builder.add(new Op.Result(i, types.get(i)), List.of(first));
            results.add(new Piece(value, types.get(i), cuts.get(i)));
        }
        return results;
    }

    Graph build(List<Piece> results) {
        return ScatteredSums.of(builder.build(results.stream().map(Piece::value).toList()));
    }

    Mesh mesh() {
        return mesh;
    }

    /// The same value on each device under another name: into and out of `shardMap`.
    Piece relabeled(Piece x, List<List<String>> cuts) {
        return new Piece(x.value(), x.type(), cuts);
    }

    ArrayType type(Piece piece) {
        return piece.type();
    }

    /// @return number of pieces that these axes make
    int count(List<String> axes) {
        return axes.stream().mapToInt(mesh::size).reduce(1, Math::multiplyExact);
    }

    /// @return sizes of a shard; cuts are known to divide
    Shape shape(Shape whole, List<List<String>> cuts) {
        var dims = new ArrayList<Integer>();
        for (int i = 0; i < whole.rank(); i++) {
            dims.add(whole.dim(i) / count(cuts.get(i)));
        }
        return new Shape(dims);
    }

    Piece allReduce(Op.ReduceKind kind, List<String> axes, Piece x) {
        var others = axes.stream().filter(axis -> mesh.size(axis) > 1).toList();
        return others.isEmpty() ? x : add(new Op.AllReduce(kind, others), x.cuts(), x);
    }

    /// Moves to another cut: an axis that only changes its dimension is exchanged, what else
    /// differs is gathered, then what is whole is cut.
    Piece recut(Piece x, List<List<String>> target) {
        for (int dim = 0; dim < target.size(); dim++) {
            x = exchange(x, dim, target);
        }
        for (int dim = 0; dim < target.size(); dim++) {
            x = x.cuts().get(dim).equals(target.get(dim)) ? x : gather(x, dim);
        }
        for (int dim = 0; dim < target.size(); dim++) {
            x = x.cuts().get(dim).equals(target.get(dim)) ? x : cut(x, dim, target.get(dim));
        }
        return x;
    }

    /// Moves the innermost axis of a dimension to where it is wanted next.
    private Piece exchange(Piece x, int from, List<List<String>> target) {
        var axes = x.cuts().get(from);
        if (axes.isEmpty() || !target.get(from).equals(axes.subList(0, axes.size() - 1))) {
            return x;
        }
        // What is repeated is cheaper to gather before than to exchange after.
        boolean repeated = made.get(x.value()) instanceof Made(Op.BroadcastInDim _, _);
        var axis = axes.getLast();
        int size = mesh.size(axis);
        for (int to = 0; !repeated && to < target.size(); to++) {
            var wanted = Cuts.plus(x.cuts().get(to), axis);
            if (to != from && size > 1 && target.get(to).equals(wanted)) {
                var cuts = replaced(replaced(x.cuts(), from, target.get(from)), to, wanted);
                return add(new Op.AllToAll(axis, to, from, size), cuts, x);
            }
        }
        return x;
    }

    /// Makes one dimension whole; innermost axis first, so that pieces come in order.
    Piece gather(Piece x, int dim) {
        var repeated = repeated(x, dim);
        if (repeated.isPresent()) {
            return repeated.get();
        }
        while (!x.cuts().get(dim).isEmpty()) {
            var axes = x.cuts().get(dim);
            var axis = axes.getLast();
            var cuts = replaced(x.cuts(), dim, axes.subList(0, axes.size() - 1));
            int size = mesh.size(axis);
            x =
                    size == 1
                            ? new Piece(x.value(), x.type(), cuts)
                            : add(new Op.AllGather(List.of(axis), dim, size), cuts, x);
        }
        return x;
    }

    /// Of a value that is repeated along other dimensions, what is repeated is gathered.
    private Optional<Piece> repeated(Piece x, int dim) {
        if (x.cuts().get(dim).isEmpty()
                || !(made.get(x.value())
                        instanceof Made(Op.BroadcastInDim broadcast, var operands))) {
            return Optional.empty();
        }
        var operand = operands[0];
        int from = broadcast.dims().indexOf(dim);
        if (from < 0 || !operand.cuts().get(from).equals(x.cuts().get(dim))) {
            return Optional.empty();
        }
        var whole = gather(operand, from);
        var dims = new ArrayList<>(x.type().shape().dims());
        dims.set(dim, whole.size(from));
        var op = new Op.BroadcastInDim(new Shape(dims), broadcast.dims());
        return Optional.of(add(op, replaced(x.cuts(), dim, List.of()), whole));
    }

    /// Makes whole every dimension that one of the axes cuts.
    Piece gatherAxes(Piece x, List<String> axes) {
        for (int dim = 0; dim < x.cuts().size(); dim++) {
            x = x.cuts().get(dim).stream().anyMatch(axes::contains) ? gather(x, dim) : x;
        }
        return x;
    }

    /// Cuts a whole dimension; outermost axis first.
    private Piece cut(Piece x, int dim, List<String> axes) {
        for (var axis : axes) {
            x = cut(x, dim, axis);
        }
        return x;
    }

    /// A piece of a computed value is computed from pieces, as far up as that is possible.
    Piece cut(Piece x, int dim, String axis) {
        var key = new Cut(x, dim, axis);
        var before = Optional.ofNullable(cut.get(key));
        if (before.isPresent()) {
            return before.get();
        }
        var cuts = replaced(x.cuts(), dim, Cuts.plus(x.cuts().get(dim), axis));
        if (mesh.size(axis) == 1) {
            return new Piece(x.value(), x.type(), cuts);
        }
        var source = Optional.ofNullable(made.get(x.value()));
        var narrowing = new Narrowing(this, dim, axis, cuts);
        var piece =
                source.flatMap(m -> narrowing.of(m.op(), m.operands(), x))
                        .orElseGet(() -> shard(x, dim, axis, cuts));
        cut.put(key, piece);
        return piece;
    }

    private Piece shard(Piece x, int dim, String axis, List<List<String>> cuts) {
        return add(new Op.ShardOf(List.of(axis), dim, mesh.size(axis)), cuts, x);
    }

    private static List<List<String>> replaced(
            List<List<String>> cuts, int dim, List<String> axes) {
        var copy = new ArrayList<>(cuts);
        copy.set(dim, axes);
        return copy;
    }
}
