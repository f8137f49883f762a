package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;

/// Sums over devices that a loop only adds up: each device adds its own part, from zero, and the
/// devices' totals are summed once, after the loop. Gradients of a loop's constants are such sums.
///
/// @param body the step without them
/// @param axes for each number in the carry that is such a sum, over what it goes
record LoopSums(Graph body, TreeMap<Integer, List<String>> axes) {

    static LoopSums of(Graph body, int consts, int carries) {
        var axes = new TreeMap<Integer, List<String>>();
        var alone = new TreeMap<Integer, Integer>();
        int first = body.parameters().size();
        var uses = uses(body);
        for (int i = 0; i < carries; i++) {
            int result = body.results().get(i);
            if (result < first
                    || !(body.nodes().get(result - first).op() instanceof Op.Binary(var kind))
                    || kind != Op.BinaryKind.ADD
                    || uses[result] > 1) {
                continue;
            }
            var inputs = body.nodes().get(result - first).inputs();
            int own = inputs.indexOf(consts + i);
            if (own < 0 || uses[consts + i] > 1) {
                continue;
            }
            int added = inputs.get(1 - own);
            if (added >= first
                    && body.nodes().get(added - first).op()
                            instanceof Op.AllReduce(var sum, var over)
                    && sum == Op.ReduceKind.SUM) {
                axes.put(i, over);
                alone.put(result, body.nodes().get(added - first).inputs().getFirst());
            }
        }
        return new LoopSums(axes.isEmpty() ? body : without(body, alone), axes);
    }

    private static int[] uses(Graph body) {
        var uses = new int[body.parameters().size() + body.nodes().size()];
        body.nodes().forEach(node -> node.inputs().forEach(input -> uses[input]++));
        body.results().forEach(result -> uses[result]++);
        return uses;
    }

    /// @param alone for each addition what is added in place of the sum
    private static Graph without(Graph body, TreeMap<Integer, Integer> alone) {
        var builder = new GraphBuilder(body.name());
        var numbers = new ArrayList<>(body.parameters().stream().map(builder::parameter).toList());
        for (var node : body.nodes()) {
            var inputs = new ArrayList<>(node.inputs());
            var part = alone.get(numbers.size());
            if (part != null) {
                int own = inputs.get(0) < body.parameters().size() ? 0 : 1;
                inputs.set(1 - own, part);
            }
            numbers.add(builder.add(node.op(), inputs.stream().map(numbers::get).toList()));
        }
        return builder.build(body.results().stream().map(numbers::get).toList());
    }

    /// The operands with zeros in place of the sums' starts.
    List<Piece> starts(LocalGraph local, List<Piece> operands, int consts) {
        var starts = new ArrayList<>(operands);
        for (int i : axes.keySet()) {
            var x = operands.get(consts + i);
            var zero = new Op.Constant(HostArray.zeros(scalar(x)));
            var scalar = local.add(zero, List.of());
            starts.set(
                    consts + i,
                    local.add(
                            new Op.BroadcastInDim(x.type().shape(), List.of()), x.cuts(), scalar));
        }
        return starts;
    }

    /// The results with the devices' totals, and the starts, in them.
    List<Piece> ends(LocalGraph local, List<Piece> made, List<Piece> operands, int consts) {
        var ends = new ArrayList<>(made);
        for (var sum : axes.entrySet()) {
            int i = sum.getKey();
            var total = local.allReduce(Op.ReduceKind.SUM, sum.getValue(), made.get(i));
            ends.set(
                    i,
                    local.add(
                            new Op.Binary(Op.BinaryKind.ADD),
                            total.cuts(),
                            operands.get(consts + i),
                            total));
        }
        return ends;
    }

    private static org.meshbook.elastic.array.ArrayType scalar(Piece x) {
        return org.meshbook.elastic.array.ArrayType.of(x.type().dtype());
    }
}
