package org.meshbook.elastic.jit;

import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.StableHlo;

/// A traced function as a program; prints as StableHLO text.
///
/// @param graph the whole computation, as if there were one device
/// @param program what each device runs; empty if no argument lies on a mesh
public record Lowered(Graph graph, Optional<Program> program) {
    /// @return StableHLO text of the whole computation
    public String text() {
        return StableHlo.text(graph);
    }

    /// @return StableHLO text of what each device runs, collectives included; the whole computation
    ///   if no argument lies on a mesh
    public String perDevice() {
        return program.map(p -> StableHlo.text(p.graph(), p.mesh())).orElseGet(this::text);
    }

    /// @return what the devices say to each other in one run; nothing if no argument lies on a mesh
    public Communication communication() {
        return program.map(Communication::of).orElseGet(() -> new Communication(List.of()));
    }

    @Override
    public String toString() {
        return text();
    }
}
