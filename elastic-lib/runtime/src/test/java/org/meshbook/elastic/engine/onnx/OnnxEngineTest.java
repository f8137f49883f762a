package org.meshbook.elastic.engine.onnx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.DType.F32;
import static org.meshbook.elastic.array.DType.I32;
import static org.meshbook.elastic.engine.Given.vector;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.UnaryKind;
import org.meshbook.elastic.engine.EngineContract;
import org.meshbook.elastic.engine.Given;
import org.meshbook.elastic.engine.Same;
import org.meshbook.elastic.engine.reference.ReferenceEngine;

class OnnxEngineTest extends EngineContract {
    OnnxEngineTest() {
        super(new OnnxEngine());
    }

    @Test
    void saysWhichOperationAndTypesItLacks() {
        var type = ArrayType.of(F32, 2);
        var graph = Given.single(new Op.Unary(UnaryKind.NOT), type, List.of(type));
        assertThatThrownBy(() -> new OnnxEngine().compile(graph, 1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("not")
                .hasMessageContaining("f32[2]");
    }

    @Test
    void integerPowersOfLargeExponentsWrap() {
        var power = new Op.Binary(BinaryKind.POWER);
        var x = vector(I32, 7, 7, -1, Integer.MIN_VALUE);
        var y = vector(I32, Integer.MAX_VALUE, 64, Integer.MAX_VALUE, Integer.MAX_VALUE);
        // pow(7, 2**31 - 1, 2**32) and pow(7, 64, 2**32) in Python
        var wanted = vector(I32, -1_227_133_513, -1_061_456_383, -1, 0);
        Same.values(Given.run(new OnnxEngine(), power, x.type(), x, y), wanted);
        Same.values(Given.run(new ReferenceEngine(), power, x.type(), x, y), wanted);
    }
}
