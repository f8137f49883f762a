package org.meshbook.bench.step;

import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.slices.Placement.put;

import java.util.Random;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.nn.Dense;
import org.meshbook.elastic.nn.Losses;
import org.meshbook.elastic.nn.Transformer;
import org.meshbook.elastic.optim.Optimizer;
import org.meshbook.elastic.optim.TrainState;

/// The trainings that are measured; `jax_step.py` has the same.
final class Programs {
    private static final int ROWS = 128;
    private static final int IN = 784;
    private static final int HIDDEN = 512;
    private static final int OUT = 10;
    private static final double RATE = 0.05;

    private static final int TINY_ROWS = 1000;
    private static final double TINY_RATE = 0.1;

    private static final int TEXTS = 16;
    private static final int TIME = 64;
    private static final Transformer.Size SIZE = new Transformer.Size(96, TIME, 128, 4, 4);

    private Programs() {}

    record Mlp(Dense first, Dense second, Dense third) {
        Array loss(Rows rows) {
            var hidden = second.apply(first.apply(rows.x).relu()).relu();
            return Losses.crossEntropy(third.apply(hidden), rows.y).mean();
        }
    }

    record Rows(Array x, Array y) {}

    record Line(Array w, Array b) {
        Array loss(Rows rows) {
            return rows.x.matmul(w).add(b).sub(rows.y).square().mean();
        }
    }

    /// An MLP 784-512-512-10, 128 rows for each slice of the mesh, gradient descent.
    static Training<Mlp, Rows> mlp(Mesh mesh, int slices) {
        var random = new Random(1);
        var fresh =
                new Mlp(
                        Dense.init(random, IN, HIDDEN),
                        Dense.init(random, HIDDEN, HIDDEN),
                        Dense.init(random, HIDDEN, OUT));
        int rows = ROWS * slices;
        var batch = new Rows(Array.normal(2, rows, IN), Array.normal(3, rows, OUT).argmax(1));
        return new Training<>(
                (Mlp p, Rows b) -> {
                    var g = valueAndGrad(Mlp::loss).apply(p, b);
                    return pair(descended(p, g.grad(), RATE), g.value());
                },
                put(fresh, mesh.replicated()),
                put(batch, mesh.sharding("replica")));
    }

    /// A line through 1,000 points of 10 numbers.
    static Training<Line, Rows> tiny(Mesh mesh) {
        var batch = new Rows(Array.normal(4, TINY_ROWS, OUT), Array.normal(5, TINY_ROWS));
        return new Training<>(
                (Line p, Rows b) -> {
                    var g = valueAndGrad(Line::loss).apply(p, b);
                    return pair(descended(p, g.grad(), TINY_RATE), g.value());
                },
                put(new Line(Array.zeros(OUT), Array.scalar(0f)), mesh.replicated()),
                put(batch, mesh.replicated()));
    }

    /// A transformer of 4 layers, 128 wide, 4 heads; 16 texts of 64 characters, Adam.
    ///
    /// @param rate learning rate; another one is another program, which no cache knows
    static Training<TrainState<Transformer>, Array> transformer(Mesh mesh, double rate) {
        var adam = Optimizer.adam(rate);
        var fresh = Transformer.init(new Random(6), SIZE);
        var texts = Array.uniform(7, TEXTS, TIME + 1).mul(SIZE.tokens()).cast(DType.I32);
        return new Training<>(
                (TrainState<Transformer> s, Array b) -> {
                    var g = valueAndGrad(Transformer::loss).apply(s.params(), b);
                    return pair(adam.step(s, g.grad()), g.value());
                },
                put(adam.init(fresh), mesh.replicated()),
                put(texts, mesh.replicated()));
    }

    private static <P> P descended(P params, P gradient, double rate) {
        return Tree.map(params, gradient, (p, g) -> p.sub(g.mul(rate)));
    }
}
