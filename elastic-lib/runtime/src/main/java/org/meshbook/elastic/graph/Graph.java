package org.meshbook.elastic.graph;

import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.mesh.Axis;

/// A function of arrays as a list of operations in order of computation.
///
/// Values are numbered: parameters from 0, then one a node. A graph has no mutable state. Control
/// flow is an operation that holds graphs ([Op#bodies]); its value is its first result, an
/// [Op.Result] node names each other.
///
/// @param name shown in StableHLO text and errors
/// @param parameters types of the parameters
/// @param nodes operations; node `i` yields value `parameters.size() + i`
/// @param results value numbers of the results
public record Graph(
        String name, List<ArrayType> parameters, List<Node> nodes, List<Integer> results)
        implements Op.Body {
    public Graph {
        parameters = List.copyOf(parameters);
        nodes = List.copyOf(nodes);
        results = List.copyOf(results);
    }

    /// @param body a function that an operation holds
    /// @return it; every body is a graph
    public static Graph of(Op.Body body) {
        return (Graph) body;
    }

    @Override
    public List<ArrayType> resultTypes() {
        return results.stream().map(this::type).toList();
    }

    /// The same function with other parameters beside its own.
    ///
    /// @param types of all parameters
    /// @param places where among them each of this graph's parameters stands
    /// @return the graph that takes them all
    public Graph widened(List<ArrayType> types, List<Integer> places) {
        int shift = types.size() - parameters.size();
        IntUnaryOperator moved = v -> v < places.size() ? places.get(v) : v + shift;
        return new Graph(
                name,
                types,
                nodes.stream()
                        .map(node -> new Node(node.op(), moved(node.inputs(), moved), node.type()))
                        .toList(),
                moved(results, moved));
    }

    private static List<Integer> moved(List<Integer> values, IntUnaryOperator to) {
        return values.stream().map(to::applyAsInt).toList();
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
