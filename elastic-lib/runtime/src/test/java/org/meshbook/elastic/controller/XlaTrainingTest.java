package org.meshbook.elastic.controller;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.engine.xla.WithPlugin;

/// Workers whose devices compute by XLA.
@WithPlugin
class XlaTrainingTest {
    @Test
    void trainingByXlaEqualsTrainingOnOneDeviceHere() {
        try (var workers = LocalWorkers.of(2, 1, 2, "xla");
                var runtime = new MeshRuntime(workers)) {
            var mesh = LocalWorkers.mesh(runtime, List.of(0, 1), "replica", "model");
            var alone = TrainingTest.init();
            var together = TrainingTest.init().on(runtime, mesh.replicated());
            for (int step = 0; step < 10; step++) {
                var batch = TrainingTest.batch(step);
                var a = TrainingTest.STEP.apply(alone, batch);
                var b = TrainingTest.STEP.apply(together, TrainingTest.on(runtime, mesh, batch));
                MeshRuntimeTest.assertClose(b.loss().toHost(), a.loss().toHost());
                alone = a.params();
                together = b.params();
            }
        }
    }
}
