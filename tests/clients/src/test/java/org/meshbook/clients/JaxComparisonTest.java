package org.meshbook.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.mesh.Mesh;

/// Twenty steps of one MLP here and in JAX, from the same numbers.
///
/// Skips where no Python with JAX is found.
final class JaxComparisonTest {
    private static final int STEPS = 20;
    private static final int BATCH = 96;
    private static final int IN = 64;
    private static final int HIDDEN = 32;
    private static final int OUT = 10;
    private static final double RATE = 0.5;

    /// f32 sums in another order differ in the last bits; twenty steps do not let that grow past
    /// this.
    private static final double TOLERANCE = 1e-5;

    record Params(Array w1, Array b1, Array w2, Array b2) {}

    record Batch(Array x, Array y) {}

    @TempDir Path folder;

    @BeforeAll
    static void thereIsJax() throws InterruptedException {
        Jax.require();
    }

    @Test
    void theReferenceEngineTrainsAsJaxDoes() throws Exception {
        var start = params();
        var batches = batches();
        assertClose(train(start, batches, tree -> tree, tree -> tree), jax(start, batches));
    }

    @Test
    void fourSlicesTrainAsJaxDoes() throws Exception {
        var start = params();
        var batches = batches();
        try (var session =
                Session.open(
                        SessionOptions.named("jax comparison")
                                .withFolder(folder.resolve("head")))) {
            session.provision(ProvisionRequest.of(4).withDevices(2));
            try (var runtime = session.runtime().orElseThrow()) {
                var mesh = Mesh.of(runtime.devices(), axis("replica", 4), axis("model", 2));
                var losses =
                        train(
                                start,
                                batches,
                                p ->
                                        new Params(
                                                runtime.put(p.w1, mesh.sharding("", "model")),
                                                runtime.put(p.b1, mesh.sharding("model")),
                                                runtime.put(p.w2, mesh.sharding("model")),
                                                runtime.put(p.b2, mesh.replicated())),
                                b -> Tree.map(b, a -> runtime.put(a, mesh.sharding("replica"))));
                assertClose(losses, jax(start, batches));
            }
        }
    }

    private static List<Double> train(
            Params start,
            List<Batch> batches,
            UnaryOperator<Params> placeParams,
            UnaryOperator<Batch> placeBatch) {
        var step =
                jit(
                        (Params p, Batch b) -> {
                            var g = valueAndGrad(JaxComparisonTest::loss).apply(p, b);
                            return pair(descend(p, g.grad()), g.value());
                        });
        var params = placeParams.apply(start);
        var losses = new ArrayList<Double>();
        for (var batch : batches) {
            var done = step.apply(params, placeBatch.apply(batch));
            params = done.first();
            losses.add(done.second().toHost().item());
        }
        return losses;
    }

    private static Array loss(Params p, Batch b) {
        var hidden = b.x.matmul(p.w1).add(p.b1).relu();
        var logits = hidden.matmul(p.w2).add(p.b2);
        return b.y.mul(logits.logSoftmax(1)).sum(1).mean().neg();
    }

    private static Params descend(Params p, Params g) {
        return new Params(
                p.w1.sub(g.w1.mul(RATE)),
                p.b1.sub(g.b1.mul(RATE)),
                p.w2.sub(g.w2.mul(RATE)),
                p.b2.sub(g.b2.mul(RATE)));
    }

    private static Params params() {
        return new Params(
                Array.normal(1, IN, HIDDEN).mul(0.2),
                Array.zeros(HIDDEN),
                Array.normal(2, HIDDEN, OUT).mul(0.2),
                Array.zeros(OUT));
    }

    private static List<Batch> batches() {
        var batches = new ArrayList<Batch>();
        for (int i = 0; i < STEPS; i++) {
            var x = Array.normal(100 + i, BATCH, IN);
            // Labels that depend on the inputs, so that the loss really falls.
            var y = x.matmul(Array.normal(3, IN, OUT)).argmax(1).oneHot(OUT);
            batches.add(new Batch(x, y));
        }
        return batches;
    }

    private static void assertClose(List<Double> ours, List<Double> theirs) {
        assertThat(ours).hasSize(STEPS);
        assertThat(theirs).hasSize(STEPS);
        assertThat(ours.getLast()).as("the loss falls").isLessThan(0.9 * ours.getFirst());
        for (int i = 0; i < STEPS; i++) {
            assertThat(ours.get(i))
                    .as("loss of step %d", i)
                    .isCloseTo(theirs.get(i), within(TOLERANCE * Math.abs(theirs.get(i))));
        }
    }

    private List<Double> jax(Params start, List<Batch> batches) throws Exception {
        var numbers = folder.resolve("numbers.bin");
        try (var out = Files.newOutputStream(numbers)) {
            for (var tree : concat(start, batches)) {
                for (var leaf : Tree.flatten(tree).leaves()) {
                    out.write(littleEndian(leaf.toHost()));
                }
            }
        }
        var lines =
                Jax.run(
                        "jax_mlp.py",
                        folder,
                        numbers.toString(),
                        "" + STEPS,
                        "" + BATCH,
                        "" + IN,
                        "" + HIDDEN,
                        "" + OUT,
                        "" + RATE);
        return lines.stream().map(Double::valueOf).toList();
    }

    private static List<Object> concat(Params start, List<Batch> batches) {
        var all = new ArrayList<Object>();
        all.add(start);
        all.addAll(batches);
        return all;
    }

    private static byte[] littleEndian(HostArray array) {
        var floats = array.floats();
        var bytes = ByteBuffer.allocate(4 * floats.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(floats);
        return bytes.array();
    }
}
