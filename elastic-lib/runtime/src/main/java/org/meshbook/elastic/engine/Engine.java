package org.meshbook.elastic.engine;

import java.nio.ByteBuffer;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.graph.Graph;

/// Compiles graphs for devices of this host; found by ServiceLoader, chosen by name.
public interface Engine {
    /// @return the name that users choose it by: `onnx`, `reference`, `xla`
    String name();

    /// @return whether a fault in it can end the whole process, so that it runs in workers only,
    ///   whose end is a typed loss
    default boolean canEndProcess() {
        return false;
    }

    /// Looks whether all is there that the engine needs; a worker does before it serves, and who
    /// asks for workers before they start. Loads nothing.
    ///
    /// @throws org.meshbook.elastic.UsageError if something is missing; says how to get it
    default void prepare() {}

    /// Compiles a graph that has no collectives.
    ///
    /// @param graph the graph
    /// @param threads threads that one run may use
    /// @return the compiled graph, free of any device
    /// @throws org.meshbook.elastic.UsageError if the engine lacks an operation; names the
    ///   operation and the types
    Executable compile(Graph graph, int threads);

    /// Copies a part of what a device holds into host memory. The worker calls it beside runs, on a
    /// thread that is no device's, for a value that nothing writes to meanwhile.
    ///
    /// @param value an array of one of this engine's devices
    /// @param from first byte of the part
    /// @param host filled from its position to its limit; shares no memory with the value
    default void copyToHost(HostArray value, int from, ByteBuffer host) {
        host.put(value.bytes().slice(from, host.remaining()));
    }
}
