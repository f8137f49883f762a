package org.meshbook.elastic.engine.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.array.DType.F32;
import static org.meshbook.elastic.engine.Given.vector;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.engine.ExecutableContract;
import org.meshbook.elastic.graph.GraphBuilder;

class OnnxExecutableTest extends ExecutableContract {
    private static final ArrayType FOUR = ArrayType.of(F32, 4);
    private static final Op ADD = new Op.Binary(BinaryKind.ADD);

    OnnxExecutableTest() {
        super(new OnnxEngine());
    }

    @Test
    void resultsAreWrittenOverWhatTheGivenMemoryHeld() {
        var b = new GraphBuilder("sum");
        int x = b.parameter(FOUR);
        var graph = b.build(List.of(b.add(ADD, List.of(x, x))));
        try (var executable = new OnnxEngine().compile(graph, 1)) {
            var memory = HostArray.zeros(FOUR);
            memory.bytes().asFloatBuffer().put(new float[] {9, Float.NaN, 9, 9});
            var results = executable.run(List.of(vector(F32, 1, 2, 3, 4)), _ -> memory);
            assertThat(results.getFirst()).isSameAs(memory);
            assertThat(memory.floats()).containsExactly(2, 4, 6, 8);
        }
    }
}
