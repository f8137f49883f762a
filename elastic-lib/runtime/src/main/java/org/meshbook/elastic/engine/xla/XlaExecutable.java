package org.meshbook.elastic.engine.xla;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.engine.Arguments;
import org.meshbook.elastic.engine.EngineFailure;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.engine.Lifetime;
import org.meshbook.elastic.graph.Graph;

/// A compiled program that reads its inputs where they lie, and whose results stay where XLA put
/// them; on a device with memory of its own both are copied.
///
/// Thread-safe: XLA runs one program on many threads at once. Closing waits for nobody; the last
/// run to leave frees the program.
final class XlaExecutable implements Executable {
    private final Graph graph;
    private final NativeProgram program;
    private final List<Transfer> inputs;
    private final List<Transfer> outputs;
    private final Lifetime lifetime;

    /// @param graph what the program was made of
    XlaExecutable(Graph graph, NativeProgram program) {
        var client = program.client();
        this.graph = graph;
        this.program = program;
        this.inputs = graph.parameters().stream().map(type -> new Transfer(client, type)).toList();
        this.outputs =
                graph.results().stream()
                        .map(value -> new Transfer(client, graph.type(value)))
                        .toList();
        this.lifetime = new Lifetime("graph '" + graph.name() + "'", program::destroy);
    }

    @Override
    public List<HostArray> run(List<HostArray> arguments) {
        // XLA compares byte counts only, and would read one type as another.
        Arguments.check(graph, arguments);
        lifetime.enter();
        try {
            return results(execute(arguments));
        } catch (PjrtFailure e) {
            throw new EngineFailure(
                    "engine 'xla' %s graph '%s': %s"
                            .formatted(
                                    e.isOutOfMemory() ? "is out of memory in" : "failed in",
                                    graph.name(),
                                    e.firstLine()),
                    e);
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public void close() {
        lifetime.close();
    }

    private MemorySegment[] execute(List<HostArray> arguments) throws PjrtFailure {
        var buffers = new ArrayList<MemorySegment>(arguments.size());
        // The arrays that are copied for the run lie in the arena: buffers go before it.
        try (var arena = Arena.ofConfined()) {
            try {
                for (int i = 0; i < arguments.size(); i++) {
                    buffers.add(inputs.get(i).toDevice(arguments.get(i), arena));
                }
                return program.run(buffers.toArray(MemorySegment[]::new), arena);
            } finally {
                for (int i = 0; i < buffers.size(); i++) {
                    inputs.get(i).destroy(buffers.get(i));
                }
            }
        } finally {
            Reference.reachabilityFence(arguments);
        }
    }

    /// Each buffer becomes an array's, or is destroyed.
    private List<HostArray> results(MemorySegment[] buffers) throws PjrtFailure {
        var results = new ArrayList<HostArray>(buffers.length);
        try {
            for (var buffer : buffers) {
                results.add(outputs.get(results.size()).toHost(buffer));
            }
            return results;
        } catch (PjrtFailure e) {
            for (int i = results.size() + 1; i < buffers.length; i++) {
                outputs.get(i).destroy(buffers[i]);
            }
            throw e;
        }
    }
}
