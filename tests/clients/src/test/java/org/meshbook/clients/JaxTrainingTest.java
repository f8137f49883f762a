package org.meshbook.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.session.ProvisionRequest;
import org.meshbook.elastic.controller.session.Session;
import org.meshbook.elastic.controller.session.SessionOptions;
import org.meshbook.elastic.data.Datasets;
import org.meshbook.elastic.jit.Fn2;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.nn.Conv;
import org.meshbook.elastic.nn.Dense;
import org.meshbook.elastic.nn.Losses;
import org.meshbook.elastic.nn.Transformer;
import org.meshbook.elastic.optim.Optimizer;
import org.meshbook.elastic.optim.TrainState;

/// Three models on real data, on two slices here and in JAX, from the same weights and batches.
///
/// Skips where there is no JAX.
final class JaxTrainingTest {
    private static final double RATE = 1e-3;
    private static final int SLICES = 2;

    /// f32 sums in another order differ in the last bits, and Adam, which divides by the size of a
    /// gradient, makes much of small ones; a hundred steps do not let that grow past this.
    private static final double TOLERANCE = 1e-3;

    @TempDir static Path head;

    @TempDir Path folder;

    private static Session session;
    private static MeshRuntime runtime;

    record Mlp(Dense hidden, Dense last) {
        Array loss(Rows rows) {
            return Losses.crossEntropy(last.apply(hidden.apply(rows.pixels).relu()), rows.digit)
                    .mean();
        }
    }

    record ConvNet(Conv first, Conv second, Dense last) {
        Array loss(Rows rows) {
            var x = rows.pixels.reshape(-1, 8, 8, 1);
            x = first.apply(x).relu().maxPool(2);
            x = second.apply(x).relu().maxPool(2);
            return Losses.crossEntropy(last.apply(x.reshape(-1, 2 * 2 * 32)), rows.digit).mean();
        }
    }

    record Rows(Array pixels, Array digit) {}

    @BeforeAll
    static void openTwoSlices() throws Exception {
        Jax.require();
        session =
                Session.open(SessionOptions.named("jax training").withFolder(head.resolve("head")));
        runtime = session.provision(ProvisionRequest.of(SLICES).withDevices(1));
    }

    @AfterAll
    static void close() {
        if (session != null) {
            runtime.close();
            session.close();
        }
    }

    @Test
    void anMlpLearnsDigitsAsInJax() throws Exception {
        var random = new Random(1);
        var start = new Mlp(Dense.init(random, 64, 64), Dense.init(random, 64, 10));
        var losses = same("mlp", start, Mlp::loss, digits(150), 1);
        assertThat(losses.getLast()).isLessThan(0.25 * losses.getFirst());
    }

    @Test
    void aConvolutionalNetLearnsDigitsAsInJax() throws Exception {
        var random = new Random(2);
        var start =
                new ConvNet(
                        Conv.init(random, 3, 1, 16),
                        Conv.init(random, 3, 16, 32),
                        Dense.init(random, 2 * 2 * 32, 10));
        var losses = same("convnet", start, ConvNet::loss, digits(100), 1);
        assertThat(losses.getLast()).isLessThan(0.4 * losses.getFirst());
    }

    @Test
    void aTransformerLearnsEnglishAsInJax() throws Exception {
        var text = Datasets.text();
        int heads = 4;
        var size = new Transformer.Size(text.alphabet().length(), 64, 64, heads, 2);
        var start = Transformer.init(new Random(3), size);
        var random = new Random(4);
        var batches = new ArrayList<Array>();
        for (int i = 0; i < 100; i++) {
            var parts = new ArrayList<Array>();
            for (int j = 0; j < 16; j++) {
                int from = random.nextInt(text.characters().shape().dim(0) - 65);
                parts.add(text.characters().slice(0, from, from + 65));
            }
            batches.add(Array.stack(0, parts));
        }
        var losses = same("transformer", start, Transformer::loss, batches, heads);
        assertThat(losses.getLast()).isLessThan(0.75 * losses.getFirst());
    }

    private <P, B> List<Double> same(
            String model, P start, Fn2<P, B, Array> loss, List<B> batches, int heads)
            throws Exception {
        var ours = train(start, loss, batches);
        write(start, batches);
        var theirs =
                Jax.run(
                                "jax_train.py",
                                folder,
                                folder.toString(),
                                model,
                                "" + batches.size(),
                                "" + RATE,
                                "" + heads)
                        .stream()
                        .map(Double::valueOf)
                        .toList();
        assertThat(theirs).hasSameSizeAs(ours);
        for (int i = 0; i < ours.size(); i++) {
            assertThat(ours.get(i))
                    .as("loss of %s at step %d", model, i)
                    .isCloseTo(theirs.get(i), within(TOLERANCE * theirs.get(i)));
        }
        return ours;
    }

    private <P, B> List<Double> train(P start, Fn2<P, B, Array> loss, List<B> batches) {
        var adam = Optimizer.adam(RATE);
        var step =
                jit(
                        (TrainState<P> s, B b) -> {
                            var g = valueAndGrad(loss).apply(s.params(), b);
                            return pair(adam.step(s, g.grad()), g.value());
                        });
        var mesh = Mesh.of(runtime.devices(), axis("replica", SLICES));
        var state = Tree.map(adam.init(start), array -> runtime.put(array, mesh.replicated()));
        var losses = new ArrayList<Array>();
        for (var batch : batches) {
            var rows = Tree.map(batch, array -> runtime.put(array, mesh.sharding("replica")));
            var done = step.apply(state, rows);
            state = done.first();
            losses.add(done.second());
        }
        return losses.stream().map(Array::item).toList();
    }

    /// Writes what `jax_train.py` reads: `numbers.bin` (little-endian float32: the leaves of the
    /// parameters, then those of each batch) and `shapes.txt` (a line for each leaf of the
    /// parameters, an empty one, and a line for each leaf of a batch).
    private void write(Object params, List<?> batches) throws IOException {
        Files.writeString(
                folder.resolve("shapes.txt"),
                shapes(params) + "\n\n" + shapes(batches.getFirst()) + "\n");
        try (var out = Files.newOutputStream(folder.resolve("numbers.bin"))) {
            write(out, params);
            for (var batch : batches) {
                write(out, batch);
            }
        }
    }

    private static void write(OutputStream out, Object tree) throws IOException {
        for (var leaf : Tree.leaves(tree)) {
            var floats = leaf.cast(DType.F32).toHost().floats();
            var bytes = ByteBuffer.allocate(4 * floats.length).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(floats);
            out.write(bytes.array());
        }
    }

    private static String shapes(Object tree) {
        return Tree.leaves(tree).stream()
                .map(
                        leaf ->
                                leaf.shape().dims().stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(" ", "(", ")")))
                .collect(Collectors.joining("\n"));
    }

    /// Batches of 96 images, drawn anew each time.
    private static List<Rows> digits(int steps) {
        var digits = Datasets.digits();
        var random = new Random(5);
        var batches = new ArrayList<Rows>();
        for (int i = 0; i < steps; i++) {
            var which = Array.of(random.ints(96, 0, digits.count()).toArray());
            batches.add(new Rows(digits.pixels().take(which, 0), digits.digit().take(which, 0)));
        }
        return batches;
    }
}
