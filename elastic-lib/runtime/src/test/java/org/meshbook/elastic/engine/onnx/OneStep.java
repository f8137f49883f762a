package org.meshbook.elastic.engine.onnx;

import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.engine.Training;

/// A process that compiles and runs one training step, then stops as a killed worker does.
final class OneStep {
    private OneStep() {}

    public static void main(String[] arguments) {
        var step = Training.mlp(4, 8);
        try (var executable = Engines.named("onnx").compile(step.graph(), 1)) {
            executable.run(step.inputs());
        }
        Runtime.getRuntime().halt(0);
    }
}
