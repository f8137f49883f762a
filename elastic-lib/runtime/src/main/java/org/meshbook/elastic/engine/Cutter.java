package org.meshbook.elastic.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// Sorts a graph's nodes by level, and each level into one exchange and one graph.
final class Cutter {
    private final Graph graph;
    private final Predicate<Node> apart;
    private final int parameters;
    private final int[] level;
    private final boolean[] exported;

    /// @param apart which nodes no engine's graph may hold
    Cutter(Graph graph, Predicate<Node> apart) {
        this.graph = graph;
        this.apart = apart;
        this.parameters = graph.parameters().size();
        this.level = new int[parameters + graph.nodes().size()];
        this.exported = new boolean[level.length];
    }

    List<Segments.Step> steps() {
        // 1. levels
        int deepest = 0;
        for (int value = parameters; value < level.length; value++) {
            int deep = node(value).inputs().stream().mapToInt(v -> level[v]).max().orElse(0);
            level[value] = isApart(value) ? deep + 1 : deep;
            deepest = Math.max(deepest, level[value]);
        }
        // 2. which values leave the level that makes them; literals are repeated where they are
        // used
        graph.results().forEach(value -> exported[value] = true);
        for (int value = parameters; value < level.length; value++) {
            for (int input : node(value).inputs()) {
                boolean later = level[input] != level[value] && !isLiteral(input);
                exported[input] |= isApart(value) || later;
            }
        }
        // 3. steps
        var steps = new ArrayList<Segments.Step>();
        for (int at = 0; at <= deepest; at++) {
            communicate(at, steps);
            compute(at, steps);
        }
        return steps;
    }

    private void communicate(int at, List<Segments.Step> steps) {
        var outputs = new ArrayList<Integer>();
        for (int value = parameters; value < level.length; value++) {
            if (isApart(value) && level[value] == at) {
                outputs.add(value);
            }
        }
        if (!outputs.isEmpty()) {
            var nodes = outputs.stream().map(this::node).toList();
            steps.add(new Segments.Step.Communicate(nodes, outputs, List.of()));
        }
    }

    private void compute(int at, List<Segments.Step> steps) {
        // The level's nodes, with the literals they use, and what they need from outside
        var chosen = new TreeSet<Integer>();
        var inputs = new LinkedHashSet<Integer>();
        for (int value = parameters; value < level.length; value++) {
            boolean unused = isLiteral(value) && !exported[value];
            if (isApart(value) || level[value] != at || unused) {
                continue;
            }
            chosen.add(value);
            for (int input : node(value).inputs()) {
                if (isLiteral(input)) {
                    chosen.add(input);
                } else if (level[input] < at || input < parameters || isApart(input)) {
                    inputs.add(input);
                }
            }
        }
        var outputs = chosen.stream().filter(v -> level[v] == at && exported[v]).toList();
        if (!outputs.isEmpty()) {
            var segment = segment(chosen, inputs, outputs);
            steps.add(new Segments.Step.Compute(segment, List.copyOf(inputs), outputs, List.of()));
        }
    }

    private Graph segment(
            TreeSet<Integer> chosen, LinkedHashSet<Integer> inputs, List<Integer> outputs) {
        var numbers = new LinkedHashMap<Integer, Integer>();
        var types = new ArrayList<ArrayType>();
        for (int input : inputs) {
            numbers.put(input, numbers.size());
            types.add(graph.type(input));
        }
        var nodes = new ArrayList<Node>();
        for (int value : chosen) {
            var node = node(value);
            var operands = node.inputs().stream().map(numbers::get).toList();
            nodes.add(new Node(node.op(), operands, node.type()));
            numbers.put(value, numbers.size());
        }
        return new Graph(graph.name(), types, nodes, outputs.stream().map(numbers::get).toList());
    }

    private boolean isApart(int value) {
        return value >= parameters && apart.test(node(value));
    }

    private boolean isLiteral(int value) {
        return value >= parameters
                && switch (node(value).op()) {
                    case Op.Constant _, Op.Iota _ -> true;
                    default -> false;
                };
    }

    private Node node(int value) {
        return graph.nodes().get(value - parameters);
    }
}
