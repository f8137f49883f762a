package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.collective.LocalDevices;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// Runs a graph in this process, operation by operation.
final class LocalRun {
    private LocalRun() {}

    static List<HostArray> of(Graph graph, List<Array> inputs) {
        var axes = graph.shardMapped();
        return axes.isPresent()
                ? onDevices(graph, Mesh.numbered(axes.get()), inputs)
                : alone(graph, inputs);
    }

    /// All devices of the mesh of a `shardMap` in this process.
    private static List<HostArray> onDevices(Graph graph, Mesh mesh, List<Array> inputs) {
        var whole = Collections.nCopies(inputs.size(), List.<List<String>>of());
        var cut = Partitioner.partition(graph, mesh, whole);
        int devices = mesh.devices().size();
        var copies = inputs.stream().map(x -> Collections.nCopies(devices, x.toHost())).toList();
        var shards = LocalDevices.run(cut.graph(), mesh, copies);
        var results = new ArrayList<HostArray>();
        for (int i = 0; i < shards.size(); i++) {
            var sharding = new Sharding(mesh, cut.outputs().get(i));
            var map = ShardMap.of(graph.type(graph.results().get(i)), sharding);
            var result = HostArray.zeros(map.type());
            for (var part : map.regions().entrySet()) {
                int place = part.getValue().getFirst().id();
                part.getKey().paste(shards.get(i).get(place).bytes(), result);
            }
            results.add(result);
        }
        return results;
    }

    private static List<HostArray> alone(Graph graph, List<Array> inputs) {
        int first = graph.parameters().size();
        var last = lastUses(graph);
        // All results of each operation; a parameter is its own.
        var values = new ArrayList<List<HostArray>>();
        inputs.forEach(input -> values.add(List.of(input.toHost())));
        for (int i = 0; i < graph.nodes().size(); i++) {
            var node = graph.nodes().get(i);
            var from = node.inputs().stream().map(values::get).toList();
            values.add(
                    node.op() instanceof Op.Result(int index, _)
                            ? List.of(from.getFirst().get(index))
                            : Evaluator.LOCAL.evaluateAll(
                                    node.op(), from.stream().map(List::getFirst).toList()));
            free(values, node.inputs(), last, first + i);
        }
        return graph.results().stream().map(result -> values.get(result).getFirst()).toList();
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

    private static void free(
            List<List<HostArray>> values, List<Integer> inputs, int[] last, int at) {
        for (int input : inputs) {
            if (last[input] == at) {
                values.set(input, List.of());
            }
        }
    }
}
