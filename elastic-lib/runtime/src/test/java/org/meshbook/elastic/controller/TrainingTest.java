package org.meshbook.elastic.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.jit.Fn2;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.SliceLost;

/// Data-parallel training over workers, through a loss and a return.
@Timeout(120)
class TrainingTest {
    record Params(Array w1, Array b1, Array w2, Array b2) {
        Params on(MeshRuntime runtime, Sharding sharding) {
            return new Params(
                    runtime.put(w1, sharding),
                    runtime.put(b1, sharding),
                    runtime.put(w2, sharding),
                    runtime.put(b2, sharding));
        }

        List<Array> leaves() {
            return List.of(w1, b1, w2, b2);
        }
    }

    record Batch(Array x, Array y) {}

    record Stepped(Params params, Array loss) {}

    static Array loss(Params p, Batch batch) {
        var hidden = batch.x().matmul(p.w1()).add(p.b1()).tanh();
        var error = hidden.matmul(p.w2()).add(p.b2()).sub(batch.y());
        return error.mul(error).mean();
    }

    static final Fn2<Params, Batch, Stepped> STEP =
            jit(
                    (Params p, Batch batch) -> {
                        var g = valueAndGrad(TrainingTest::loss).apply(p, batch);
                        return new Stepped(
                                new Params(
                                        p.w1().sub(g.grad().w1().mul(0.1)),
                                        p.b1().sub(g.grad().b1().mul(0.1)),
                                        p.w2().sub(g.grad().w2().mul(0.1)),
                                        p.b2().sub(g.grad().b2().mul(0.1))),
                                g.value());
                    });

    static Params init() {
        return new Params(
                Array.normal(1, 8, 16).mul(0.3).toHost(),
                Array.zeros(16),
                Array.normal(2, 16, 4).mul(0.3).toHost(),
                Array.zeros(4));
    }

    static Batch batch(int step) {
        var x = Array.normal(100 + step, 24, 8);
        return new Batch(x, x.slice(List.of(0, 0), List.of(24, 4)).toHost());
    }

    static Batch on(MeshRuntime runtime, Mesh mesh, Batch batch) {
        return new Batch(
                runtime.put(batch.x(), mesh.sharding("replica")),
                runtime.put(batch.y(), mesh.sharding("replica")));
    }

    @Test
    void trainingOnManyDevicesEqualsTrainingOnOne() {
        try (var workers = LocalWorkers.of(4, 1, 2, "onnx");
                var runtime = new MeshRuntime(workers)) {
            var mesh = LocalWorkers.mesh(runtime, List.of(0, 1, 2, 3), "replica", "model");
            var alone = init();
            var together = init().on(runtime, mesh.replicated());
            for (int step = 0; step < 20; step++) {
                var a = STEP.apply(alone, batch(step));
                var b = STEP.apply(together, on(runtime, mesh, batch(step)));
                MeshRuntimeTest.assertClose(b.loss().toHost(), a.loss().toHost());
                alone = a.params();
                together = b.params();
            }
            assertThat(runtime.timeline().between(Duration.ZERO, runtime.clock().elapsed()))
                    .anySatisfy(span -> assertThat(span.phase()).isEqualTo("compile"));
        }
    }

    @Test
    void trainingGoesOnThroughLossAndReturn() throws InterruptedException {
        try (var workers = LocalWorkers.of(4, 1, 2, "onnx");
                var runtime = new MeshRuntime(workers)) {
            var slices = new ArrayList<>(List.of(0, 1, 2, 3));
            var mesh = LocalWorkers.mesh(runtime, slices, "replica", "model");
            var params = init().on(runtime, mesh.replicated());
            // 1. train and keep a copy in the hosts' memory
            for (int step = 0; step < 5; step++) {
                params = STEP.apply(params, on(runtime, mesh, batch(step))).params();
            }
            var expected = params.w1().toHost();
            var copy = runtime.copyToHosts(params.leaves());
            assertThat(copy.await(Duration.ofSeconds(20))).isTrue();
            // 2. lose a slice in the middle
            for (int step = 5; step < 10; step++) {
                params = STEP.apply(params, on(runtime, mesh, batch(step))).params();
            }
            workers.lose(1);
            var lost = params;
            assertThat(
                            org.assertj.core.api.Assertions.catchThrowable(
                                    () -> {
                                        for (int i = 0; i < 100; i++) {
                                            STEP.apply(lost, on(runtime, mesh, batch(0)))
                                                    .loss()
                                                    .toHost();
                                        }
                                    }))
                    .isInstanceOf(SliceLost.class);
            // 3. go on from the copy with those that survived
            var three = LocalWorkers.mesh(runtime, List.of(0, 2, 3), "replica", "model");
            var survivors = copy.readable(Set.of(0, 2, 3));
            assertThat(survivors).containsExactlyInAnyOrder(0, 2, 3);
            var target = three.replicated();
            var loaded = copy.load(survivors, List.of(target, target, target, target));
            params = new Params(loaded.get(0), loaded.get(1), loaded.get(2), loaded.get(3));
            assertThat(params.w1().toHost().bytes()).isEqualTo(expected.bytes());
            params = STEP.apply(params, on(runtime, three, batch(5))).params();
            var before =
                    new Params(
                            host(params.w1()),
                            host(params.b1()),
                            host(params.w2()),
                            host(params.b2()));
            // 4. grow in place
            workers.revive(1);
            LossTest.awaitHealth(runtime, 1, Health.HEALTHY);
            params = params.on(runtime, mesh.replicated());
            assertThat(params.w1().toHost().bytes()).isEqualTo(before.w1().toHost().bytes());
            var stepped = STEP.apply(params, on(runtime, mesh, batch(6)));
            var alone = STEP.apply(before, batch(6));
            MeshRuntimeTest.assertClose(stepped.loss().toHost(), alone.loss().toHost());
        }
    }

    private static Array host(Array array) {
        return array.toHost();
    }
}
