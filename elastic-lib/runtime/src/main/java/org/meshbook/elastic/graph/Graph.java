package org.meshbook.elastic.graph;

import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.mesh.Axis;

/// A function of arrays as a list of operations in order of computation.
///
/// Values are numbered: parameters from 0, then one a node. A graph has no mutable state and no
/// control flow.
///
/// @param name shown in StableHLO text and errors
/// @param parameters types of the parameters
/// @param nodes operations; node `i` yields value `parameters.size() + i`
/// @param results value numbers of the results
public record Graph(
        String name, List<ArrayType> parameters, List<Node> nodes, List<Integer> results) {
    public Graph {
        parameters = List.copyOf(parameters);
        nodes = List.copyOf(nodes);
        results = List.copyOf(results);
    }

    /// @param value a value number
    /// @return its type
    public ArrayType type(int value) {
        return value < parameters.size()
                ? parameters.get(value)
                : nodes.get(value - parameters.size()).type();
    }

    /// @return the axes of the mesh that a part of the graph is written for, device by device;
    ///   empty if it is all about whole arrays
    public Optional<List<Axis>> shardMapped() {
        return nodes.stream()
                .filter(node -> node.op() instanceof Op.FullToShard)
                .map(node -> ((Op.FullToShard) node.op()).mesh())
                .findFirst();
    }
}
