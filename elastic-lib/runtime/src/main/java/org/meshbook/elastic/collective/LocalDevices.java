package org.meshbook.elastic.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.mesh.Mesh;

/// All devices of a mesh in this process, which take each operation of a per-device graph together.
///
/// Slow, and right: what workers compute is compared with it.
public final class LocalDevices {
    private LocalDevices() {}

    /// Runs a per-device graph.
    ///
    /// @param graph the graph
    /// @param mesh the devices
    /// @param inputs for each parameter one shard a device, in order of place
    /// @return for each result one shard a device
    public static List<List<HostArray>> run(Graph graph, Mesh mesh, List<List<HostArray>> inputs) {
        var values = new ArrayList<>(inputs);
        // All results of the operations that have more than one, device by device.
        var several = new HashMap<Integer, List<List<HostArray>>>();
        for (var node : graph.nodes()) {
            var operands = node.inputs().stream().map(values::get).toList();
            if (node.op() instanceof Op.Result(int index, _)) {
                var made = several.getOrDefault(node.inputs().getFirst(), List.of());
                values.add(made.stream().map(results -> results.get(index)).toList());
            } else if (node.op().bodies().isEmpty()) {
                values.add(step(node, mesh, operands));
            } else {
                var made =
                        IntStream.range(0, mesh.devices().size())
                                .mapToObj(place -> all(node.op(), operands, place))
                                .toList();
                several.put(values.size(), made);
                values.add(made.stream().map(List::getFirst).toList());
            }
        }
        return graph.results().stream().map(values::get).toList();
    }

    private static List<HostArray> all(Op op, List<List<HostArray>> operands, int place) {
        return Evaluator.LOCAL.evaluateAll(
                op, operands.stream().map(shards -> shards.get(place)).toList());
    }

    private static List<HostArray> step(Node node, Mesh mesh, List<List<HostArray>> operands) {
        return IntStream.range(0, mesh.devices().size())
                .mapToObj(place -> device(node, mesh, operands, place))
                .toList();
    }

    private static HostArray device(
            Node node, Mesh mesh, List<List<HostArray>> operands, int place) {
        return switch (node.op()) {
            case Op.AllReduce(var kind, var axes) ->
                    combined(kind, mesh.group(place, axes), operands.getFirst());
            case Op.AllGather(var axes, int dim, _) ->
                    joined(mesh.group(place, axes), dim, operands.getFirst());
            case Op.ReduceScatter(var axes, int dim, int size) -> {
                var group = mesh.group(place, axes);
                var sum = combined(Op.ReduceKind.SUM, group, operands.getFirst());
                yield piece(sum, dim, size, group.indexOf(place));
            }
            case Op.ShardOf(var axes, int dim, int size) ->
                    piece(
                            operands.getFirst().get(place),
                            dim,
                            size,
                            mesh.group(place, axes).indexOf(place));
            case Op.AxisIndex(var axis) -> Array.scalar(mesh.coordinate(place, axis));
            case Op.AllToAll all -> exchanged(all, mesh, operands.getFirst(), place);
            case Op.CollectivePermute permute ->
                    sent(permute, mesh, operands.getFirst(), place, node.type());
            default ->
                    Evaluator.LOCAL.evaluate(
                            node.op(), operands.stream().map(shards -> shards.get(place)).toList());
        };
    }

    private static HostArray combined(
            Op.ReduceKind kind, List<Integer> group, List<HostArray> shards) {
        var op =
                switch (kind) {
                    case SUM -> Op.BinaryKind.ADD;
                    case MAX -> Op.BinaryKind.MAXIMUM;
                    case MIN -> Op.BinaryKind.MINIMUM;
                    case PRODUCT -> Op.BinaryKind.MULTIPLY;
                };
        return group.stream()
                .map(shards::get)
                .reduce((a, b) -> Evaluator.LOCAL.evaluate(new Op.Binary(op), List.of(a, b)))
                .orElseThrow();
    }

    private static HostArray joined(List<Integer> group, int dim, List<HostArray> shards) {
        return (HostArray) Array.concat(dim, group.stream().map(shards::get).toList());
    }

    private static HostArray piece(HostArray whole, int dim, int pieces, int piece) {
        int size = whole.type().shape().dim(dim) / pieces;
        return (HostArray) whole.slice(dim, piece * size, (piece + 1) * size);
    }

    private static HostArray exchanged(
            Op.AllToAll all, Mesh mesh, List<HostArray> shards, int place) {
        var group = mesh.group(place, List.of(all.axis()));
        int at = group.indexOf(place);
        return (HostArray)
                Array.concat(
                        all.concatDim(),
                        group.stream()
                                .map(
                                        from ->
                                                piece(
                                                        shards.get(from),
                                                        all.splitDim(),
                                                        all.size(),
                                                        at))
                                .toList());
    }

    private static HostArray sent(
            Op.CollectivePermute permute,
            Mesh mesh,
            List<HostArray> shards,
            int place,
            ArrayType type) {
        var group = mesh.group(place, List.of(permute.axis()));
        int pair = permute.targets().indexOf(group.indexOf(place));
        return pair < 0
                ? HostArray.zeros(type)
                : shards.get(group.get(permute.sources().get(pair)));
    }
}
