package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.graph.Graph;

/// Runs a graph in this process, operation by operation.
final class LocalRun {
    private LocalRun() {}

    static List<HostArray> of(Graph graph, List<Array> inputs) {
        int first = graph.parameters().size();
        var last = lastUses(graph);
        var values = new HostArray[first + graph.nodes().size()];
        for (int i = 0; i < first; i++) {
            values[i] = inputs.get(i).toHost();
        }
        for (int i = 0; i < graph.nodes().size(); i++) {
            var node = graph.nodes().get(i);
            var operands = node.inputs().stream().map(input -> values[input]).toList();
            values[first + i] = Evaluator.LOCAL.evaluate(node.op(), operands);
            free(values, node.inputs(), last, first + i);
        }
        return graph.results().stream().map(result -> values[result]).toList();
    }

    private static int[] lastUses(Graph graph) {
        int first = graph.parameters().size();
        var last = new int[first + graph.nodes().size()];
        for (int i = 0; i < graph.nodes().size(); i++) {
            for (int input : graph.nodes().get(i).inputs()) {
                last[input] = first + i;
            }
        }
        graph.results().forEach(result -> last[result] = Integer.MAX_VALUE);
        return last;
    }

    @SuppressWarnings("NullAway") // a freed value is never read again
    private static void free(HostArray[] values, List<Integer> inputs, int[] last, int at) {
        for (int input : inputs) {
            if (last[input] == at) {
                values[input] = null;
            }
        }
    }
}
