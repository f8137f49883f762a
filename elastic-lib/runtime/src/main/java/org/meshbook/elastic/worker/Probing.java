package org.meshbook.elastic.worker;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

/// The known computation of a health probe: 99 + 1, by the engine that runs the programs.
final class Probing {
    private static final float GIVEN = 99;
    private static final ArrayType ONE = ArrayType.of(DType.F32, 1);

    private final FutureTask<LoadedProgram> compiling;

    Probing(Engine engine) {
        var one = new Node(new Op.Constant(filled(1)), List.of(), ONE);
        var sum = new Node(new Op.Binary(Op.BinaryKind.ADD), List.of(0, 1), ONE);
        var graph = new Graph("probe", List.of(ONE), List.of(one, sum), List.of(2));
        compiling = new FutureTask<>(() -> LoadedProgram.compile(graph, engine, 1));
        Programs.compiler("compile probe").start(compiling);
    }

    /// Computes on the calling thread, beside whatever the devices do.
    float value() throws FaultException, InterruptedException {
        try {
            var program = compiling.get();
            program.requireRunnable();
            return (float)
                    program.executables().getFirst().run(List.of(filled(GIVEN))).getFirst().get(0);
        } catch (ExecutionException | RuntimeException | OutOfMemoryError e) {
            throw new FaultException(Fault.of(e, "probe"));
        }
    }

    void close() {
        if (compiling.state() == Future.State.SUCCESS) {
            compiling.resultNow().close();
        }
    }

    private static HostArray filled(float value) {
        var array = HostArray.zeros(ONE);
        array.bytes().putFloat(value);
        return array;
    }
}
