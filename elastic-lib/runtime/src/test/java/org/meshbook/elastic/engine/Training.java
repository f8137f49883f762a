package org.meshbook.elastic.engine;

import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;

import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.graph.Graph;

/// Graphs of training steps as `jit` makes them, and data for them.
public final class Training {
    private Training() {}

    public record Params(Array w1, Array b1, Array w2, Array b2) {}

    public record Batch(Array images, Array labels) {}

    /// A step graph and its first inputs: four parameters and a batch. Results: the parameters
    /// after the step, and the loss.
    public record Step(Graph graph, List<HostArray> inputs) {}

    /// Softmax regression through one hidden layer, `[rows, 64]` to 10 classes.
    public static Step mlp(int rows, int hidden) {
        var params =
                new Params(
                        Array.normal(1, 64, hidden).mul(0.15),
                        Array.zeros(hidden),
                        Array.normal(2, hidden, 10).mul(0.1),
                        Array.zeros(10));
        var batch = new Batch(Array.uniform(3, rows, 64), labels(rows));
        return step(params, batch, Training::mlpLoss);
    }

    /// One convolution with pooling and one dense layer, `[rows, 8, 8, 1]` to 10 classes.
    public static Step convNet(int rows) {
        var params =
                new Params(
                        Array.normal(1, 3, 3, 1, 6).mul(0.3),
                        Array.zeros(6),
                        Array.normal(2, 96, 10).mul(0.1),
                        Array.zeros(10));
        var batch = new Batch(Array.uniform(3, rows, 8, 8, 1), labels(rows));
        return step(params, batch, Training::convLoss);
    }

    private interface Loss {
        Array of(Params params, Batch batch);
    }

    private static Step step(Params params, Batch batch, Loss loss) {
        var lowered =
                jit((Params p, Batch b) -> {
                            var g = valueAndGrad((Params q, Batch c) -> loss.of(q, c)).apply(p, b);
                            return new Pair<>(sgd(p, g.grad()), g.value());
                        })
                        .lower(params, batch);
        var inputs =
                List.of(
                        params.w1(),
                        params.b1(),
                        params.w2(),
                        params.b2(),
                        batch.images(),
                        batch.labels());
        return new Step(lowered.graph(), inputs.stream().map(Array::toHost).toList());
    }

    private static Params sgd(Params p, Params g) {
        return new Params(
                p.w1().sub(g.w1().mul(0.1)),
                p.b1().sub(g.b1().mul(0.1)),
                p.w2().sub(g.w2().mul(0.1)),
                p.b2().sub(g.b2().mul(0.1)));
    }

    private static Array mlpLoss(Params p, Batch batch) {
        var hidden = batch.images().matmul(p.w1()).add(p.b1()).relu();
        return crossEntropy(hidden.matmul(p.w2()).add(p.b2()), batch.labels());
    }

    private static Array convLoss(Params p, Batch batch) {
        var hidden = batch.images().conv2d(p.w1(), 1, "SAME").add(p.b1()).relu().maxPool(2);
        var flat = hidden.reshape(-1, 96);
        return crossEntropy(flat.matmul(p.w2()).add(p.b2()), batch.labels());
    }

    private static Array crossEntropy(Array logits, Array labels) {
        return logits.logSoftmax(1).mul(labels.oneHot(10)).sum(1).mean().neg();
    }

    private static Array labels(int rows) {
        var labels = new int[rows];
        for (int i = 0; i < rows; i++) {
            labels[i] = i * 7 % 10;
        }
        return Array.of(labels);
    }
}
