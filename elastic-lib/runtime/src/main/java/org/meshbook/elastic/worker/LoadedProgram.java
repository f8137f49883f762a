package org.meshbook.elastic.worker;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

/// A program as this worker has it: when devices talk is known even if the engine could not compile
/// it, so that nobody waits for them in vain.
///
/// @param graph the whole
/// @param schedule its steps
/// @param executables one a compute step, in order
/// @param fault why it cannot run; null if it can
record LoadedProgram(
        Graph graph, Schedule schedule, List<Executable> executables, @Nullable Fault fault)
        implements AutoCloseable {
    static LoadedProgram compile(Graph graph, Engine engine, int threads) {
        var schedule = Schedule.of(graph);
        var executables = new ArrayList<Executable>();
        try {
            for (var step : schedule.steps()) {
                if (step instanceof Schedule.Step.Compute compute) {
                    executables.add(engine.compile(compute.graph(), threads));
                }
            }
            return new LoadedProgram(graph, schedule, executables, null);
        } catch (RuntimeException | OutOfMemoryError e) {
            executables.forEach(Executable::close);
            var fault = Fault.of(e, "compiling '" + graph.name() + "'");
            return new LoadedProgram(graph, schedule, List.of(), fault);
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
