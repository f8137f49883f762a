package org.meshbook.elastic.engine;

import java.util.List;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.graph.Graph;

/// Checks that every engine makes alike.
public final class Arguments {
    private Arguments() {}

    /// Checks the inputs of a run against the graph's parameters.
    ///
    /// @param graph the graph
    /// @param inputs what was given
    /// @throws MeshMismatch if the number or a type differs
    public static void check(Graph graph, List<HostArray> inputs) {
        if (inputs.size() != graph.parameters().size()) {
            throw new MeshMismatch(
                    "graph '%s' takes %d arrays, %d are given",
                    graph.name(), graph.parameters().size(), inputs.size());
        }
        for (int i = 0; i < inputs.size(); i++) {
            if (!inputs.get(i).type().equals(graph.parameters().get(i))) {
                throw new MeshMismatch(
                        "parameter %d of graph '%s' is %s, %s is given",
                        i, graph.name(), graph.parameters().get(i), inputs.get(i).type());
            }
        }
    }

    /// Checks that a graph has no collectives.
    ///
    /// @param engine the engine's name
    /// @param graph the graph
    /// @throws UsageError if a node is a collective; names it
    public static void checkLocal(String engine, Graph graph) {
        for (var node : graph.nodes()) {
            if (node.op().isCollective()) {
                throw new UsageError(
                        "engine '%s' computes on one device and %s is a collective; cut graph '%s'"
                                + " with Segments first",
                        engine, node.op(), graph.name());
            }
        }
    }

    /// Checks that every array of a graph fits a buffer of Java's.
    ///
    /// @param graph the graph
    /// @throws UsageError if one has 2 GiB or more; names it
    public static void checkSizes(Graph graph) {
        for (int i = 0; i < graph.parameters().size(); i++) {
            checkSize("parameter " + i, graph.parameters().get(i), graph);
        }
        for (var node : graph.nodes()) {
            checkSize(node.op().getClass().getSimpleName(), node.type(), graph);
        }
    }

    private static void checkSize(String what, ArrayType type, Graph graph) {
        UsageError.require(
                type.bytes() <= Integer.MAX_VALUE,
                "%s of graph '%s' is %s of %d bytes; one device holds at most 2 GiB of an array,"
                        + " shard it over more devices",
                what,
                graph.name(),
                type,
                type.bytes());
    }
}
