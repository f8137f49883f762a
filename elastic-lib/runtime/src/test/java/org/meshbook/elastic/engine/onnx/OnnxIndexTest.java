package org.meshbook.elastic.engine.onnx;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.engine.Given;
import org.meshbook.elastic.engine.IndexCases;
import org.meshbook.elastic.engine.Same;
import org.meshbook.elastic.engine.reference.ReferenceEngine;

/// Operations whose addresses are data, and sorting, against the reference.
class OnnxIndexTest {
    @TestFactory
    Stream<DynamicTest> sameAsTheReference() {
        var onnx = new OnnxEngine();
        var reference = new ReferenceEngine();
        return IndexCases.all().stream()
                .map(
                        c ->
                                DynamicTest.dynamicTest(
                                        c.toString(),
                                        () -> {
                                            var in = c.operands().toArray(HostArray[]::new);
                                            var types = c.operands().stream().map(HostArray::type);
                                            var type = c.op().infer(types.toList());
                                            Same.values(
                                                    Given.run(onnx, c.op(), type, in),
                                                    Given.run(reference, c.op(), type, in));
                                        }));
    }
}
