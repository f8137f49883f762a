package org.meshbook.elastic.engine.onnx;

import static org.meshbook.elastic.UsageError.require;

import ai.onnxruntime.OrtException;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.engine.Arguments;
import org.meshbook.elastic.engine.DeepStack;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.EngineFailure;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.engine.Patched;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// Compiles graphs to sessions of ONNX Runtime on the CPU.
///
/// What its kernels lack is composed of what they have, and the little that is left ([Lacks]) runs
/// on the reference kernels. Where results differ from the reference by more than rounding, the
/// reference's tests say so. Thread-safe.
public final class OnnxEngine implements Engine {
    /// For ServiceLoader.
    public OnnxEngine() {}

    @Override
    public String name() {
        return "onnx";
    }

    @Override
    public Executable compile(Graph graph, int threads) {
        require(threads >= 1, "an engine runs on at least 1 thread, %d are asked for", threads);
        Arguments.checkLocal(name(), graph);
        Arguments.checkSizes(graph);
        return Patched.compile(graph, node -> lacks(graph, node), piece -> session(piece, threads));
    }

    /// A loop runs where the whole of it can, and its further results with it.
    private static boolean lacks(Graph graph, Node node) {
        if (node.op() instanceof Op.Result) {
            int at = node.inputs().getFirst() - graph.parameters().size();
            return lacks(graph, graph.nodes().get(at));
        }
        if (!node.op().bodies().isEmpty()) {
            return node.op().bodies().stream()
                    .map(Graph::of)
                    .anyMatch(body -> body.nodes().stream().anyMatch(n -> lacks(body, n)));
        }
        return Lacks.of(node.op(), node.inputs().stream().map(graph::type).toList(), node.type());
    }

    private static Executable session(Graph graph, int threads) {
        var compiled = Translation.of(graph);
        try {
            return DeepStack.call(
                    "onnx compile",
                    () -> OnnxExecutable.of(graph, compiled, threads),
                    OrtException.class);
        } catch (OrtException e) {
            if (e.getCode() == OrtException.OrtErrorCode.ORT_NOT_IMPLEMENTED) {
                throw new UsageError(
                        "engine 'onnx' lacks an operation of graph '%s': %s",
                        graph.name(), firstLine(e));
            }
            throw new EngineFailure(
                    "engine 'onnx' cannot compile graph '" + graph.name() + "': " + firstLine(e),
                    e);
        }
    }

    static String firstLine(OrtException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no message");
    }
}
