package org.meshbook.elastic.engine;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// A per-device graph cut at its collectives: what the engine computes, and what the devices say to
/// each other, in turn.
///
/// A value's level is the number of exchanges on the longest way to it. All collectives of one
/// level make one step, so that they can share an exchange; all other operations of one level make
/// one graph for the engine. What only depends on the device's place is no exchange: its indices
/// come in as scalars, and `ShardOf` is cut out by the engine with them. What no result needs is
/// left out.
///
/// Values are numbered from 0: the graph's parameters, then one I32 scalar a place, then what the
/// steps yield.
///
/// @param values number of values
/// @param places for each scalar the axes that it counts along: the device's piece of a dimension
///   cut over them, first axis outermost, as `Sharding.piece` counts
/// @param steps in order
/// @param results numbers of the graph's results
public record Segments(
        int values, List<List<String>> places, List<Step> steps, List<Integer> results) {
    public Segments {
        places = List.copyOf(places);
        steps = List.copyOf(steps);
        results = List.copyOf(results);
    }

    /// One step of the schedule.
    public sealed interface Step {
        /// @return values that no later step and no result needs
        List<Integer> released();

        /// @return this step with other released values
        Step releasing(List<Integer> released);

        /// Something for the engine.
        ///
        /// @param graph free of collectives
        /// @param inputs one value a parameter
        /// @param outputs one value a result
        record Compute(
                Graph graph, List<Integer> inputs, List<Integer> outputs, List<Integer> released)
                implements Step {
            public Compute {
                inputs = List.copyOf(inputs);
                outputs = List.copyOf(outputs);
                released = List.copyOf(released);
            }

            @Override
            public Step releasing(List<Integer> values) {
                return new Compute(graph, inputs, outputs, values);
            }
        }

        /// Collectives that do not need each other.
        ///
        /// @param nodes the collectives; their inputs are value numbers
        /// @param outputs one value a node
        record Communicate(List<Node> nodes, List<Integer> outputs, List<Integer> released)
                implements Step {
            public Communicate {
                nodes = List.copyOf(nodes);
                outputs = List.copyOf(outputs);
                released = List.copyOf(released);
            }

            @Override
            public Step releasing(List<Integer> values) {
                return new Communicate(nodes, outputs, values);
            }
        }
    }

    /// Cuts a graph.
    ///
    /// @param graph per device, as a partitioner makes it
    /// @return its schedule
    public static Segments cut(Graph graph) {
        // 1. places become parameters  2. cut by level  3. say what can be dropped when
        var placed = Placed.of(graph);
        var steps = new Cutter(placed.graph(), node -> node.op().isCollective()).steps();
        int values = placed.graph().parameters().size() + placed.graph().nodes().size();
        var results = placed.graph().results();
        return new Segments(values, placed.places(), released(steps, values, results), results);
    }

    static List<Step> released(List<Step> steps, int values, List<Integer> results) {
        var kept = new boolean[values];
        results.forEach(value -> kept[value] = true);
        var backwards = new ArrayList<Step>();
        for (var step : steps.reversed()) {
            var released = new ArrayList<Integer>();
            for (int value : inputs(step)) {
                if (!kept[value]) {
                    kept[value] = true;
                    released.add(value);
                }
            }
            backwards.add(step.releasing(released));
        }
        return backwards.reversed();
    }

    private static List<Integer> inputs(Step step) {
        return switch (step) {
            case Step.Compute compute -> compute.inputs();
            case Step.Communicate exchange ->
                    exchange.nodes().stream().flatMap(node -> node.inputs().stream()).toList();
        };
    }
}
