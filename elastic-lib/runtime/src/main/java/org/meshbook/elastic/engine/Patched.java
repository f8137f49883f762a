package org.meshbook.elastic.engine;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// A graph of which an engine lacks some operations: the engine runs what lies between them, the
/// reference kernels of this process run them.
///
/// The only fallback there is. Each engine says in one place of its own what it lacks. Thread-safe
/// as its pieces are.
public final class Patched implements Executable {
    private final Graph graph;
    private final List<Segments.Step> steps;
    private final List<Executable> pieces;

    private Patched(Graph graph, List<Segments.Step> steps, List<Executable> pieces) {
        this.graph = graph;
        this.steps = steps;
        this.pieces = pieces;
    }

    /// Compiles what the engine has.
    ///
    /// @param graph free of collectives
    /// @param lacks whether the engine lacks a node of the graph
    /// @param compile the engine's own compiler
    /// @return the engine's executable if it lacks nothing, else a patched one
    public static Executable compile(
            Graph graph, Predicate<Node> lacks, Function<Graph, Executable> compile) {
        if (graph.nodes().stream().noneMatch(lacks)) {
            return compile.apply(graph);
        }
        int values = graph.parameters().size() + graph.nodes().size();
        var cut = new Cutter(graph, lacks).steps();
        var steps = Segments.released(cut, values, graph.results());
        var pieces = new ArrayList<Executable>();
        try {
            for (var step : steps) {
                if (step instanceof Segments.Step.Compute compute) {
                    pieces.add(compile.apply(compute.graph()));
                }
            }
            return new Patched(graph, steps, pieces);
        } catch (RuntimeException | Error e) {
            pieces.forEach(Executable::close);
            throw e;
        }
    }

    @Override
    public List<HostArray> run(List<HostArray> inputs) {
        Arguments.check(graph, inputs);
        int parameters = inputs.size();
        var values = new @Nullable HostArray[parameters + graph.nodes().size()];
        for (int i = 0; i < parameters; i++) {
            values[i] = inputs.get(i);
        }
        var several = new HashMap<Integer, List<HostArray>>();
        var piece = pieces.iterator();
        for (var step : steps) {
            switch (step) {
                case Segments.Step.Compute(_, var in, var out, _) -> {
                    var found = piece.next().run(arrays(values, in));
                    for (int i = 0; i < out.size(); i++) {
                        values[out.get(i)] = found.get(i);
                    }
                }
                case Segments.Step.Communicate(var nodes, var out, _) -> {
                    for (int i = 0; i < out.size(); i++) {
                        var all = results(nodes.get(i), values, several);
                        several.put(out.get(i), all);
                        values[out.get(i)] = all.getFirst();
                    }
                }
            }
            step.released().forEach(value -> values[value] = null);
        }
        return arrays(values, graph.results());
    }

    /// @param several all results of what ran on the reference kernels so far
    private static List<HostArray> results(
            Node node, @Nullable HostArray[] values, Map<Integer, List<HostArray>> several) {
        return node.op() instanceof Op.Result(int index, _)
                ? List.of(requireNonNull(several.get(node.inputs().getFirst())).get(index))
                : Evaluator.LOCAL.evaluateAll(node.op(), arrays(values, node.inputs()));
    }

    private static List<HostArray> arrays(@Nullable HostArray[] values, List<Integer> numbers) {
        return numbers.stream().map(number -> requireNonNull(values[number])).toList();
    }

    @Override
    public void close() {
        pieces.forEach(Executable::close);
    }
}
