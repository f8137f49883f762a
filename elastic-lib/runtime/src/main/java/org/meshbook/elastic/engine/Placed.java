package org.meshbook.elastic.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;
import org.meshbook.elastic.graph.Node;

/// A graph whose dependence on the device's place has become parameters, after its own.
///
/// @param graph without `AxisIndex` and `ShardOf`
/// @param places for each added parameter the axes that its index counts along
record Placed(Graph graph, List<List<String>> places) {
    static Placed of(Graph graph) {
        var builder = new GraphBuilder(graph.name());
        var numbers = new ArrayList<Integer>();
        graph.parameters().forEach(type -> numbers.add(builder.parameter(type)));
        var places = new ArrayList<List<String>>();
        Map<List<String>, Integer> known = new HashMap<>();
        for (var node : graph.nodes()) {
            numbers.add(
                    switch (node.op()) {
                        case Op.AxisIndex(var axis) -> place(List.of(axis), builder, places, known);
                        case Op.ShardOf shard -> {
                            int index = place(shard.axes(), builder, places, known);
                            int whole = numbers.get(node.inputs().getFirst());
                            yield cut(shard, node, whole, index, builder);
                        }
                        default ->
                                builder.add(
                                        node.op(),
                                        node.inputs().stream().map(numbers::get).toList());
                    });
        }
        return new Placed(
                builder.build(graph.results().stream().map(numbers::get).toList()), places);
    }

    private static int place(
            List<String> axes,
            GraphBuilder builder,
            List<List<String>> places,
            Map<List<String>, Integer> known) {
        return known.computeIfAbsent(
                axes,
                _ -> {
                    places.add(axes);
                    return builder.parameter(ArrayType.of(DType.I32));
                });
    }

    /// `[size * piece]` becomes `[size, piece]`, of which the index takes one.
    private static int cut(
            Op.ShardOf shard, Node node, int whole, int index, GraphBuilder builder) {
        var dims = new ArrayList<>(node.type().shape().dims());
        dims.add(shard.dim(), shard.size());
        int pieces = builder.add(new Op.Reshape(new Shape(dims)), List.of(whole));
        return builder.add(new Op.Take(shard.dim()), List.of(pieces, index));
    }
}
