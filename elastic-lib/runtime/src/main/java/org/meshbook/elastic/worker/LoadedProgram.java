package org.meshbook.elastic.worker;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.engine.Segments;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

/// A program as this worker has it: when devices talk is known even if the engine could not compile
/// it, so that nobody waits for them in vain.
///
/// @param graph the whole
/// @param segments its steps
/// @param executables one a compute step, in order
/// @param fault why it cannot run; null if it can
record LoadedProgram(
        Graph graph, Segments segments, List<Executable> executables, @Nullable Fault fault)
        implements AutoCloseable {
    static LoadedProgram compile(Graph graph, Engine engine, int threads) {
        var segments = Segments.cut(graph);
        var executables = new ArrayList<Executable>();
        try {
            for (var step : segments.steps()) {
                if (step instanceof Segments.Step.Compute compute) {
                    executables.add(engine.compile(compute.graph(), threads));
                }
            }
            return new LoadedProgram(graph, segments, executables, null);
        } catch (RuntimeException | OutOfMemoryError e) {
            executables.forEach(Executable::close);
            var fault = Fault.of(e, "compiling '" + graph.name() + "'");
            return new LoadedProgram(graph, segments, List.of(), fault);
        }
    }

    void requireRunnable() throws FaultException {
        if (fault != null) {
            throw new FaultException(fault);
        }
    }

    @Override
    public void close() {
        executables.forEach(Executable::close);
    }
}
