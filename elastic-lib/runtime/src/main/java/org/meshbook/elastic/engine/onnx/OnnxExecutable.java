package org.meshbook.elastic.engine.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.engine.Arguments;
import org.meshbook.elastic.engine.EngineFailure;
import org.meshbook.elastic.engine.Executable;
import org.meshbook.elastic.engine.Lifetime;
import org.meshbook.elastic.graph.Graph;

/// A session of ONNX Runtime that reads its inputs where they lie and writes its outputs into
/// direct buffers, fresh ones or the caller's.
///
/// Thread-safe: ONNX Runtime's sessions run concurrently. Closing waits for nobody; the last run to
/// leave frees the session.
final class OnnxExecutable implements Executable {
    private final Graph graph;
    private final Translation.Compiled compiled;
    private final @Nullable OrtSession session;
    private final long[][] inputDims;
    private final long[][] outputDims;
    private final Lifetime lifetime;

    private OnnxExecutable(
            Graph graph, Translation.Compiled compiled, @Nullable OrtSession session) {
        this.graph = graph;
        this.compiled = compiled;
        this.session = session;
        this.inputDims = dims(compiled.inputs().stream().map(graph::type).toList());
        this.outputDims = dims(compiled.outputs());
        this.lifetime =
                new Lifetime(
                        "graph '" + graph.name() + "'",
                        () -> {
                            if (session != null) {
                                Sessions.close(session);
                            }
                        });
    }

    static OnnxExecutable of(Graph graph, Translation.Compiled compiled, int threads)
            throws OrtException {
        // Results that are parameters or literals need no session.
        var session =
                compiled.outputs().isEmpty() ? null : Sessions.create(compiled.model(), threads);
        return new OnnxExecutable(graph, compiled, session);
    }

    @Override
    public List<HostArray> run(List<HostArray> inputs) {
        return run(inputs, HostArray::zeros);
    }

    @Override
    public List<HostArray> run(List<HostArray> inputs, Function<ArrayType, HostArray> memory) {
        Arguments.check(graph, inputs);
        lifetime.enter();
        try {
            var outputs = session == null ? List.<HostArray>of() : run(session, inputs, memory);
            var results = new ArrayList<HostArray>(compiled.results().size());
            for (var source : compiled.results()) {
                results.add(
                        switch (source) {
                            case Translation.Source.Parameter(var i) -> inputs.get(i);
                            case Translation.Source.Output(var i) -> outputs.get(i);
                            case Translation.Source.Literal(var value) -> copy(value);
                        });
            }
            return results;
        } catch (OrtException e) {
            throw new EngineFailure(
                    "engine 'onnx' failed in graph '"
                            + graph.name()
                            + "': "
                            + OnnxEngine.firstLine(e),
                    e);
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public void close() {
        lifetime.close();
    }

    private List<HostArray> run(
            OrtSession session, List<HostArray> inputs, Function<ArrayType, HostArray> memory)
            throws OrtException {
        var environment = Sessions.environment();
        var outputs = new ArrayList<HostArray>(outputDims.length);
        Map<String, OnnxTensor> in = HashMap.newHashMap(inputDims.length);
        Map<String, OnnxTensor> out = HashMap.newHashMap(outputDims.length);
        try {
            for (int i = 0; i < inputDims.length; i++) {
                var input = inputs.get(compiled.inputs().get(i));
                in.put(compiled.inputNames().get(i), tensor(environment, input, inputDims[i]));
            }
            for (int i = 0; i < outputDims.length; i++) {
                var output = memory.apply(compiled.outputs().get(i));
                outputs.add(output);
                out.put(compiled.outputNames().get(i), tensor(environment, output, outputDims[i]));
            }
            session.run(in, out).close();
            return outputs;
        } finally {
            in.values().forEach(OnnxTensor::close);
            out.values().forEach(OnnxTensor::close);
            Reference.reachabilityFence(inputs);
            Reference.reachabilityFence(outputs);
        }
    }

    private static OnnxTensor tensor(OrtEnvironment environment, HostArray array, long[] dims)
            throws OrtException {
        var bytes = array.bytes();
        return OnnxTensor.createTensor(
                environment,
                bytes.isDirect() ? bytes : direct(bytes),
                dims,
                type(array.type().dtype()));
    }

    private static ByteBuffer direct(ByteBuffer bytes) {
        var copy = ByteBuffer.allocateDirect(bytes.remaining()).order(ByteOrder.nativeOrder());
        return copy.put(bytes).flip();
    }

    private static HostArray copy(HostArray value) {
        return HostArray.wrap(value.type(), direct(value.bytes()));
    }

    private static OnnxJavaType type(DType dtype) {
        return switch (dtype) {
            case F32 -> OnnxJavaType.FLOAT;
            case F64 -> OnnxJavaType.DOUBLE;
            case I32 -> OnnxJavaType.INT32;
            case I64 -> OnnxJavaType.INT64;
            case BOOL -> OnnxJavaType.BOOL;
            case BF16 -> OnnxJavaType.BFLOAT16;
            case F16 -> OnnxJavaType.FLOAT16;
            case I8 -> OnnxJavaType.INT8;
            case I16, U16 -> OnnxJavaType.INT16;
            case U8 -> OnnxJavaType.UINT8;
            case U32 -> OnnxJavaType.INT32;
            case U64 -> OnnxJavaType.INT64;
        };
    }

    private static long[][] dims(List<ArrayType> types) {
        return types.stream()
                .map(type -> type.shape().dims().stream().mapToLong(dim -> dim).toArray())
                .toArray(long[][]::new);
    }
}
