package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;

/// Sums over devices of which every device uses only its piece: AllReduce and ShardOf become
/// ReduceScatter, which sends half as much and keeps a piece instead of the whole.
///
/// This is what gradients of cut parameters come to. Where the sum runs over more axes than the
/// piece is cut over, the piece is cut first and then summed over the others.
final class ScatteredSums {
    private final Graph graph;
    private final int first;
    private final List<List<Integer>> users = new ArrayList<>();

    private ScatteredSums(Graph graph) {
        this.graph = graph;
        this.first = graph.parameters().size();
    }

    /// @param graph a per-device graph
    /// @return one that computes the same
    static Graph of(Graph graph) {
        // Each round takes one axis off each sum.
        var before = graph;
        while (true) {
            var after = new ScatteredSums(before).round();
            if (after.isEmpty()) {
                return before;
            }
            before = after.get();
        }
    }

    private Optional<Graph> round() {
        findUsers();
        var builder = new GraphBuilder(graph.name());
        var numbers = new ArrayList<Integer>();
        graph.parameters().forEach(type -> numbers.add(builder.parameter(type)));
        boolean changed = false;
        for (int i = 0; i < graph.nodes().size(); i++) {
            var node = graph.nodes().get(i);
            var inputs = node.inputs().stream().map(numbers::get).toList();
            var shard = scattered(node.inputs(), node.op());
            if (shard.isEmpty()) {
                numbers.add(builder.add(node.op(), inputs));
                continue;
            }
            changed = true;
            var sum = graph.nodes().get(node.inputs().getFirst() - first);
            int operand = numbers.get(sum.inputs().getFirst());
            numbers.add(piece(builder, (Op.AllReduce) sum.op(), shard.get(), operand));
        }
        var results = graph.results().stream().map(numbers::get).toList();
        return changed ? Optional.of(builder.build(results)) : Optional.empty();
    }

    private void findUsers() {
        for (int i = 0; i < first + graph.nodes().size(); i++) {
            users.add(new ArrayList<>());
        }
        for (int i = 0; i < graph.nodes().size(); i++) {
            for (int input : graph.nodes().get(i).inputs()) {
                users.get(input).add(i);
            }
        }
    }

    /// The cut of a sum, if the sum is used in no other way.
    private Optional<Op.ShardOf> scattered(List<Integer> inputs, Op op) {
        if (!(op instanceof Op.ShardOf shard) || inputs.getFirst() < first) {
            return Optional.empty();
        }
        int sum = inputs.getFirst();
        boolean fits =
                graph.nodes().get(sum - first).op()
                                instanceof Op.AllReduce(Op.ReduceKind kind, var axes)
                        && kind == Op.ReduceKind.SUM
                        && axes.containsAll(shard.axes())
                        && !graph.results().contains(sum)
                        && users.get(sum).stream()
                                .allMatch(user -> graph.nodes().get(user).op().equals(op));
        return fits ? Optional.of(shard) : Optional.empty();
    }

    private static int piece(
            GraphBuilder builder, Op.AllReduce sum, Op.ShardOf shard, int operand) {
        var scatter = new Op.ReduceScatter(shard.axes(), shard.dim(), shard.size());
        int piece = builder.add(scatter, List.of(operand));
        var others = sum.axes().stream().filter(axis -> !shard.axes().contains(axis)).toList();
        return others.isEmpty()
                ? piece
                : builder.add(new Op.AllReduce(sum.kind(), others), List.of(piece));
    }
}
