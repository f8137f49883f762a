package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.collective.Varying;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.jit.trace.Trace;

/// A graph's way forward, written into a trace and kept, so that cotangents can go the way back.
public final class Tape {
    private final Trace trace;
    private final Graph graph;
    private final List<boolean[]> moves;

    /// For each value all results of its operation; a parameter is its own.
    private final List<List<Array>> values = new ArrayList<>();

    private final List<Optional<FlowVjp>> flows = new ArrayList<>();

    private Tape(Trace trace, Graph graph, List<boolean[]> moves) {
        this.trace = trace;
        this.graph = graph;
        this.moves = moves;
    }

    /// Goes forward.
    ///
    /// @param trace where everything is written down
    /// @param graph the function
    /// @param inputs one array a parameter
    /// @param moving which of them are to be differentiated by
    /// @return the way that was taken
    public static Tape of(Trace trace, Graph graph, List<Array> inputs, boolean[] moving) {
        var tape = new Tape(trace, graph, Moving.values(graph, moving));
        inputs.forEach(input -> tape.put(List.of(input), Optional.empty()));
        graph.nodes().forEach(tape::forward);
        return tape;
    }

    private void forward(Node node) {
        var in = node.inputs().stream().map(this::value).toList();
        if (node.op() instanceof Op.Result(int index, _)) {
            put(List.of(values.get(node.inputs().getFirst()).get(index)), Optional.empty());
        } else if (node.op().bodies().isEmpty()) {
            put(List.of(trace.apply(node.op(), in)), Optional.empty());
        } else if (Moving.any(moves.get(values.size()))) {
            var moving = new boolean[in.size()];
            for (int i = 0; i < moving.length; i++) {
                moving[i] = moves.get(node.inputs().get(i))[0];
            }
            var flow = FlowVjp.of(trace, node.op(), in, moving, moves.get(values.size()));
            put(flow.results(), Optional.of(flow));
        } else {
            put(trace.applyAll(node.op(), in), Optional.empty());
        }
    }

    private void put(List<Array> results, Optional<FlowVjp> flow) {
        values.add(results);
        flows.add(flow);
    }

    private Array value(int number) {
        return values.get(number).getFirst();
    }

    /// @return the function's results
    public List<Array> results() {
        return graph.results().stream().map(this::value).toList();
    }

    /// Goes back.
    ///
    /// @param cotangents one a result; none stands for zero
    /// @return one an input; none stands for zero, as for what does not move
    public List<Optional<Array>> back(List<Optional<Array>> cotangents) {
        var sums = new Cotangents(values);
        for (int i = 0; i < cotangents.size(); i++) {
            int result = graph.results().get(i);
            var axes = Trace.varying(value(result));
            cotangents.get(i).ifPresent(part -> add(sums, result, part, axes));
        }
        int first = graph.parameters().size();
        for (int value = values.size() - 1; value >= first; value--) {
            var given = sums.of(value);
            if (given.stream().anyMatch(Optional::isPresent)) {
                back(graph.nodes().get(value - first), value, given, sums);
            }
        }
        return IntStream.range(0, first).mapToObj(i -> sums.of(i).getFirst()).toList();
    }

    private void back(Node node, int value, List<Optional<Array>> given, Cotangents sums) {
        var in = node.inputs().stream().map(this::value).toList();
        var axes = Varying.operands(node.op(), in.stream().map(Trace::varying).toList());
        var flow = flows.get(value);
        if (flow.isPresent()) {
            var parts = flow.get().back(given);
            for (int i = 0; i < parts.size(); i++) {
                int operand = node.inputs().get(i);
                parts.get(i).ifPresent(part -> add(sums, operand, part, axes));
            }
            return;
        }
        Vjp.Sink sink = (i, part) -> add(sums, node.inputs().get(i), part, axes);
        new Vjp(in, value(value), given.getFirst().orElseThrow(), sink).of(node.op());
    }

    /// Cotangents of an operation's further results gather at the operation.
    private void add(Cotangents sums, int value, Array part, Set<String> axes) {
        int at = value;
        int index = 0;
        int first = graph.parameters().size();
        if (value >= first
                && graph.nodes().get(value - first).op() instanceof Op.Result(int i, _)) {
            at = graph.nodes().get(value - first).inputs().getFirst();
            index = i;
        }
        if (moves.get(at)[index]) {
            sums.add(at, index, part, axes);
        }
    }
}
