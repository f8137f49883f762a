package org.meshbook.elastic.jit;

import java.util.Comparator;
import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Inlined;
import org.meshbook.elastic.jit.trace.Traced;

/// A graph that runs where its inputs are: written into the trace they belong to, on their mesh, or
/// in this process.
final class Runner {
    private final String name;
    private final Graph graph;
    private final Graph lowered;
    private final Placement placement;

    /// @param names path of each result, or none
    Runner(String name, Graph graph, List<String> names) {
        this.name = name;
        this.graph = graph;
        this.lowered = Inlined.of(graph);
        this.placement = new Placement(lowered, names);
    }

    List<? extends Array> run(List<Array> inputs) {
        var innermost =
                inputs.stream()
                        .filter(Traced.class::isInstance)
                        .map(Traced.class::cast)
                        .max(Comparator.comparingInt(Array::precedence));
        if (innermost.isPresent()) {
            return innermost.get().trace().call(graph, inputs);
        }
        var mesh = Placement.mesh(name, inputs);
        return mesh.isPresent() ? placement.run(mesh.get(), inputs) : LocalRun.of(lowered, inputs);
    }

    Lowered lowered(List<Array> inputs) {
        var mesh = Placement.mesh(name, inputs);
        return new Lowered(lowered, mesh.map(m -> placement.program(m, inputs)));
    }
}
