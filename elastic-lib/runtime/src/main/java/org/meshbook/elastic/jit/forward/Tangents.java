package org.meshbook.elastic.jit.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.jit.trace.Trace;

/// A function's values with their tangents.
///
/// @param values the results
/// @param tangents one a result; none stands for zero
public record Tangents(List<Array> values, List<Optional<Array>> tangents) {

    /// Writes a function and its derivative in one direction down.
    ///
    /// @param trace where
    /// @param graph the function
    /// @param inputs one array a parameter
    /// @param tangents the direction, one a parameter; none stands for zero
    /// @return the results with their tangents
    public static Tangents of(
            Trace trace, Graph graph, List<Array> inputs, List<Optional<Array>> tangents) {
        var all = new ArrayList<Tangents>();
        for (int i = 0; i < inputs.size(); i++) {
            all.add(new Tangents(List.of(inputs.get(i)), List.of(tangents.get(i))));
        }
        for (var node : graph.nodes()) {
            all.add(of(trace, node, all));
        }
        return new Tangents(
                graph.results().stream().map(r -> all.get(r).values().getFirst()).toList(),
                graph.results().stream().map(r -> all.get(r).tangents().getFirst()).toList());
    }

    private static Tangents of(Trace trace, Node node, List<Tangents> all) {
        if (node.op() instanceof Op.Result(int index, _)) {
            var made = all.get(node.inputs().getFirst());
            return new Tangents(
                    List.of(made.values().get(index)), List.of(made.tangents().get(index)));
        }
        var in = node.inputs().stream().map(i -> all.get(i).values().getFirst()).toList();
        var by = node.inputs().stream().map(i -> all.get(i).tangents().getFirst()).toList();
        if (!node.op().bodies().isEmpty()) {
            return FlowJvp.of(trace, node.op(), in, by);
        }
        var out = trace.apply(node.op(), in);
        boolean moves = node.type().dtype().isFloat() && by.stream().anyMatch(Optional::isPresent);
        var tangent = moves ? new Jvp(trace, in, out, by).of(node.op()) : Optional.<Array>empty();
        return new Tangents(List.of(out), List.of(tangent));
    }

    /// Writes zeros where there is no tangent.
    static List<Array> filled(Trace trace, List<Optional<Array>> tangents, List<Array> like) {
        var all = new ArrayList<Array>();
        for (int i = 0; i < like.size(); i++) {
            var type = like.get(i).type();
            all.add(tangents.get(i).orElseGet(() -> trace.fill(type, 0)));
        }
        return all;
    }
}
