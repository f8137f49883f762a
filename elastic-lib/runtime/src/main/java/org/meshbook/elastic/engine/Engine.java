package org.meshbook.elastic.engine;

import org.meshbook.elastic.graph.Graph;

/// Compiles graphs for devices of this host; found by ServiceLoader, chosen by name.
public interface Engine {
    /// @return the name that users choose it by: `onnx`, `reference`
    String name();

    /// Compiles a graph that has no collectives.
    ///
    /// @param graph the graph
    /// @param threads threads that one run may use
    /// @return the compiled graph, free of any device
    /// @throws org.meshbook.elastic.UsageError if the engine lacks an operation; names the
    ///   operation and the types
    Executable compile(Graph graph, int threads);
}
