package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.collective.Varying;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.trace.Trace;
import org.meshbook.elastic.jit.trace.Traced;

/// Reverse-mode differentiation, from graph to graph.
public final class Gradient {
    private final Graph graph;
    private final List<Array> values;
    private final boolean[] moves;
    private final Cotangents cotangents;

    private Gradient(Graph graph, int by, List<Array> values) {
        this.graph = graph;
        this.values = values;
        this.moves = moves(graph, by);
        this.cotangents = new Cotangents(values);
    }

    /// Differentiates the only result of a graph.
    ///
    /// @param graph yields one float scalar
    /// @param by number of leading parameters to differentiate by
    /// @return a graph of the same parameters that yields the value, then one derivative each
    public static Graph of(Graph graph, int by) {
        return of(graph, by, Collections.nCopies(graph.parameters().size(), Set.of()));
    }

    /// Differentiates a graph that may be one device's of many.
    ///
    /// @param graph yields one float scalar
    /// @param by number of leading parameters to differentiate by
    /// @param varying for each parameter the axes along which devices hold different values
    /// @return a graph of the same parameters that yields the value, then one derivative each
    public static Graph of(Graph graph, int by, List<Set<String>> varying) {
        var result = graph.type(graph.results().getFirst());
        UsageError.require(
                graph.results().size() == 1
                        && result.shape().rank() == 0
                        && result.dtype().isFloat(),
                "a gradient is taken of one float scalar, the function yields %s; reduce it, as with"
                        + " mean()",
                graph.results().stream().map(graph::type).toList());
        return Trace.of(
                        graph.name() + "_grad",
                        graph.parameters(),
                        varying,
                        parameters -> {
                            var trace = ((Traced) parameters.getFirst()).trace();
                            var values = trace.inline(graph, parameters);
                            return new Gradient(graph, by, values).backward(by);
                        })
                .graph();
    }

    /// Which values change, smoothly, with the parameters in question.
    private static boolean[] moves(Graph graph, int by) {
        int first = graph.parameters().size();
        var moves = new boolean[first + graph.nodes().size()];
        Arrays.fill(moves, 0, by, true);
        for (int i = 0; i < graph.nodes().size(); i++) {
            var node = graph.nodes().get(i);
            moves[first + i] =
                    node.type().dtype().isFloat()
                            && !(node.op() instanceof Op.StopGradient)
                            && node.inputs().stream().anyMatch(input -> moves[input]);
        }
        return moves;
    }

    private List<Array> backward(int by) {
        int result = graph.results().getFirst();
        // Inside the trace, so that the whole way back is written down and nothing computed here.
        var one = traced(new Op.Constant(Array.ones(graph.type(result).dtype())));
        add(result, one, Trace.varying(values.get(result)));
        int first = graph.parameters().size();
        for (int i = graph.nodes().size() - 1; i >= 0; i--) {
            var node = graph.nodes().get(i);
            var cotangent = moves[first + i] ? cotangents.of(first + i) : Optional.<Array>empty();
            if (cotangent.isPresent()) {
                var inputs = node.inputs().stream().map(values::get).toList();
                var axes =
                        Varying.operands(node.op(), inputs.stream().map(Trace::varying).toList());
                new Vjp(
                                inputs,
                                values.get(first + i),
                                cotangent.get(),
                                (operand, part) -> add(node.inputs().get(operand), part, axes))
                        .of(node.op());
            }
        }
        var results = new ArrayList<>(List.of(values.get(result)));
        for (int i = 0; i < by; i++) {
            int parameter = i;
            results.add(cotangents.of(i).orElseGet(() -> zeros(values.get(parameter))));
        }
        return results;
    }

    private Array traced(Op op, Array... operands) {
        return values.get(graph.results().getFirst()).apply(op, List.of(operands));
    }

    private Array zeros(Array like) {
        var zero = Array.zeros(like.type().dtype());
        return traced(new Op.BroadcastInDim(like.type().shape(), List.of()), zero);
    }

    private void add(int value, Array part, Set<String> axes) {
        if (moves[value]) {
            cotangents.add(value, part, axes);
        }
    }
}
