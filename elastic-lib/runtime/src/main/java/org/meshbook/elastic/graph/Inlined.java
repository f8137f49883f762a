package org.meshbook.elastic.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.meshbook.elastic.array.Op;

/// Writes out the functions that only differentiation looks at: what is left is for engines.
public final class Inlined {
    private final GraphBuilder builder;

    private Inlined(String name) {
        this.builder = new GraphBuilder(name);
    }

    /// @param graph a graph
    /// @return the same computation without [Op.Remat] and [Op.CustomVjp], inside bodies, too
    public static Graph of(Graph graph) {
        if (graph.nodes().stream().allMatch(node -> node.op().bodies().isEmpty())) {
            return graph;
        }
        var inlined = new Inlined(graph.name());
        var parameters = graph.parameters().stream().map(inlined.builder::parameter).toList();
        return inlined.builder.build(inlined.results(graph, parameters));
    }

    private List<Integer> results(Graph graph, List<Integer> parameters) {
        var values = new ArrayList<>(parameters);
        var written = new HashMap<Integer, List<Integer>>();
        for (var node : graph.nodes()) {
            var inputs = node.inputs().stream().map(values::get).toList();
            switch (node.op()) {
                case Op.Remat(var body) ->
                        written.put(values.size(), results(Graph.of(body), inputs));
                case Op.CustomVjp call ->
                        written.put(values.size(), results(Graph.of(call.body()), inputs));
                default -> {}
            }
            var made = written.get(values.size());
            if (made != null) {
                values.add(made.getFirst());
            } else if (node.op() instanceof Op.Result(int index, _)
                    && written.containsKey(node.inputs().getFirst())) {
                values.add(written.getOrDefault(node.inputs().getFirst(), List.of()).get(index));
            } else {
                values.add(builder.add(inner(node.op()), inputs));
            }
        }
        return graph.results().stream().map(values::get).toList();
    }

    private static Op inner(Op op) {
        return switch (op) {
            case Op.Cond(var onTrue, var onFalse) ->
                    new Op.Cond(of(Graph.of(onTrue)), of(Graph.of(onFalse)));
            case Op.While(var cond, var body, int consts) ->
                    new Op.While(of(Graph.of(cond)), of(Graph.of(body)), consts);
            case Op.Scan scan ->
                    new Op.Scan(
                            of(Graph.of(scan.body())),
                            scan.length(),
                            scan.consts(),
                            scan.carries(),
                            scan.reverse());
            default -> op;
        };
    }
}
