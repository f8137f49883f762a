package org.meshbook.elastic.worker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// A per-device graph cut at its collectives: what the engine computes, and what the devices say to
/// each other, in turn.
///
/// A value's level is the number of collectives on the longest way to it. All collectives of one
/// level make one step, so that they can share an exchange; all other operations of one level make
/// one graph for the engine. Literals are repeated where they are used.
///
/// @param steps in order
record Schedule(List<Step> steps) {
    /// One step; `inputs` and `outputs` are value numbers of the whole graph.
    sealed interface Step {
        /// @param graph for the engine; free of collectives
        record Compute(Graph graph, List<Integer> inputs, List<Integer> outputs) implements Step {}

        /// @param nodes collectives that do not need each other
        /// @param outputs one value a node
        record Communicate(List<Node> nodes, List<Integer> outputs) implements Step {}
    }

    static Schedule of(Graph graph) {
        return new Cutter(graph).cut();
    }

    private static final class Cutter {
        private final Graph graph;
        private final int parameters;
        private final int[] level;
        private final boolean[] exported;

        Cutter(Graph graph) {
            this.graph = graph;
            this.parameters = graph.parameters().size();
            this.level = new int[parameters + graph.nodes().size()];
            this.exported = new boolean[level.length];
        }

        Schedule cut() {
            // 1. levels
            int deepest = 0;
            for (int i = 0; i < graph.nodes().size(); i++) {
                var node = graph.nodes().get(i);
                int deep = node.inputs().stream().mapToInt(v -> level[v]).max().orElse(0);
                level[parameters + i] = node.op().isCollective() ? deep + 1 : deep;
                deepest = Math.max(deepest, level[parameters + i]);
            }
            // 2. which values leave the level that makes them
            graph.results().forEach(value -> exported[value] = true);
            for (int i = 0; i < graph.nodes().size(); i++) {
                var node = graph.nodes().get(i);
                for (int value : node.inputs()) {
                    exported[value] |=
                            node.op().isCollective() || level[value] != level[parameters + i];
                }
            }
            // 3. steps
            var steps = new ArrayList<Step>();
            for (int at = 0; at <= deepest; at++) {
                communicate(at, steps);
                compute(at, steps);
            }
            return new Schedule(List.copyOf(steps));
        }

        private void communicate(int at, List<Step> steps) {
            var nodes = new ArrayList<Node>();
            var outputs = new ArrayList<Integer>();
            for (int i = 0; i < graph.nodes().size(); i++) {
                var node = graph.nodes().get(i);
                if (node.op().isCollective() && level[parameters + i] == at) {
                    nodes.add(node);
                    outputs.add(parameters + i);
                }
            }
            if (!nodes.isEmpty()) {
                steps.add(new Step.Communicate(List.copyOf(nodes), List.copyOf(outputs)));
            }
        }

        private void compute(int at, List<Step> steps) {
            // 1. the level's nodes, and what they need from outside
            var chosen = new TreeSet<Integer>();
            var inputs = new LinkedHashSet<Integer>();
            for (int i = 0; i < graph.nodes().size(); i++) {
                var node = graph.nodes().get(i);
                if (!node.op().isCollective() && level[parameters + i] == at) {
                    boolean used = !literal(parameters + i) || exported[parameters + i];
                    if (used) {
                        chosen.add(parameters + i);
                    }
                    for (int value : node.inputs()) {
                        if (literal(value)) {
                            chosen.add(value);
                        } else if (level[value] < at || outside(value)) {
                            inputs.add(value);
                        }
                    }
                }
            }
            var outputs = chosen.stream().filter(v -> exported[v] && level[v] == at).toList();
            if (!outputs.isEmpty()) {
                var cut = renumber(chosen, inputs, outputs);
                steps.add(new Step.Compute(cut, List.copyOf(inputs), outputs));
            }
        }

        private boolean outside(int value) {
            return value < parameters || graph.nodes().get(value - parameters).op().isCollective();
        }

        private boolean literal(int value) {
            if (value < parameters) {
                return false;
            }
            return switch (graph.nodes().get(value - parameters).op()) {
                case Op.Constant _, Op.Iota _ -> true;
                default -> false;
            };
        }

        private Graph renumber(
                TreeSet<Integer> chosen, LinkedHashSet<Integer> inputs, List<Integer> outputs) {
            Map<Integer, Integer> number = new HashMap<>();
            var types = new ArrayList<ArrayType>();
            for (int value : inputs) {
                number.put(value, number.size());
                types.add(graph.type(value));
            }
            var nodes = new ArrayList<Node>();
            for (int value : chosen) {
                var node = graph.nodes().get(value - parameters);
                nodes.add(
                        new Node(
                                node.op(),
                                node.inputs().stream().map(number::get).toList(),
                                node.type()));
                number.put(value, number.size());
            }
            return new Graph(
                    graph.name(), types, nodes, outputs.stream().map(number::get).toList());
        }
    }
}
