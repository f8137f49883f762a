package org.meshbook.elastic.engine.reference;

import java.util.List;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.engine.Arguments;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.graph.Graph;

/// Interprets graphs one operation at a time, on the calling thread.
///
/// Arithmetic: F64 in double. F32 in double too, rounded once an operation: for `+ - * / sqrt` that
/// is exactly float arithmetic, and sums, products, dots and convolutions are rounded only at their
/// end. BF16 and F16 likewise, rounded to F32 on the way. Integers wrap; division by zero yields -1
/// and its remainder the dividend, as XLA's. BOOL adds as "or" and multiplies as "and".
/// Thread-safe.
public final class ReferenceEngine implements Engine, Evaluator {
    /// For ServiceLoader.
    public ReferenceEngine() {}

    @Override
    public String name() {
        return "reference";
    }

    @Override
    public HostArray evaluate(Op op, List<HostArray> operands) {
        var types = operands.stream().map(HostArray::type).toList();
        return Interpreter.evaluate(op, operands, op.infer(types));
    }

    @Override
    public List<HostArray> evaluateAll(Op op, List<HostArray> operands) {
        return op.bodies().isEmpty() ? List.of(evaluate(op, operands)) : FlowRun.of(op, operands);
    }

    @Override
    public Executable compile(Graph graph, int threads) {
        Arguments.checkLocal(name(), graph);
        return new Interpreted(graph);
    }

    private record Interpreted(Graph graph) implements Executable {
        @Override
        public List<HostArray> run(List<HostArray> inputs) {
            Arguments.check(graph, inputs);
            return FlowRun.of(graph, inputs);
        }

        @Override
        public void close() {}
    }
}
