package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.PartitionerTest.axis;
import static org.meshbook.elastic.jit.PartitionerTest.mesh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.graph.Fingerprint;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;
import org.meshbook.elastic.graph.StableHlo;
import org.meshbook.elastic.mesh.PartitionSpec;

/// StableHLO text against goldens, which JAX's parser has read; `-Dgolden.write=true` writes them.
class LoweredTest {
    record Params(Array w1, Array b1, Array w2, Array b2) {}

    record Batch(Array x, Array y) {}

    private static final Params PARAMS =
            new Params(Array.zeros(4, 8), Array.zeros(8), Array.zeros(8, 3), Array.zeros(3));
    private static final Batch BATCH = new Batch(Array.zeros(6, 4), Array.zeros(DType.I32, 6));

    private static Array loss(Params p, Batch b) {
        var hidden = b.x().matmul(p.w1()).add(p.b1()).relu();
        var logits = hidden.matmul(p.w2()).add(p.b2()).logSoftmax(-1);
        return logits.mul(b.y().oneHot(3)).sum(-1).mean().neg();
    }

    private static Pair<Params, Array> step(Params p, Batch b) {
        var g = valueAndGrad(LoweredTest::loss).apply(p, b);
        return pair(Tree.map(p, g.grad(), (w, d) -> w.sub(d.mul(0.1))), g.value());
    }

    @Test
    void stepOfAnMlp() throws IOException {
        golden("mlp-step", jit(LoweredTest::step).lower(PARAMS, BATCH).toString());
    }

    @Test
    void stepOfAnMlpForEachDevice() throws IOException {
        var devices = new Lockstep();
        var mesh = mesh(axis("replica", 2), axis("model", 2));
        var p =
                new Params(
                        devices.place(PARAMS.w1().toHost(), mesh.sharding("", "model")),
                        devices.place(PARAMS.b1().toHost(), mesh.sharding("model")),
                        devices.place(PARAMS.w2().toHost(), mesh.sharding("model")),
                        devices.place(PARAMS.b2().toHost(), mesh.replicated()));
        var b = Tree.map(BATCH, x -> devices.place(x.toHost(), mesh.sharding("replica")));
        golden("mlp-step-per-device", jit(LoweredTest::step).lower(p, b).perDevice());
    }

    @Test
    void everyOperation() throws IOException {
        golden("operations", StableHlo.text(operations(), mesh(axis("r", 2), axis("m", 2))));
    }

    static Graph operations() {
        var b = new GraphBuilder("operations");
        int x = b.parameter(ArrayType.of(DType.F32, 2, 3));
        int k = b.parameter(ArrayType.of(DType.I32, 4));
        int d = b.parameter(ArrayType.of(DType.F64, 2, 3));
        int pictures = b.parameter(ArrayType.of(DType.F32, 2, 6, 5, 3));
        int kernel = b.parameter(ArrayType.of(DType.F32, 3, 2, 3, 4));
        var results = new ArrayList<Integer>();
        int positive = b.add(new Op.Compare(Op.CompareKind.GT), List.of(x, x));
        for (var kind : Op.UnaryKind.values()) {
            results.add(
                    b.add(new Op.Unary(kind), List.of(kind == Op.UnaryKind.NOT ? positive : x)));
        }
        for (var kind : Op.BinaryKind.values()) {
            int operand =
                    switch (kind) {
                        case AND, OR, XOR -> positive;
                        case SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL -> k;
                        default -> x;
                    };
            results.add(b.add(new Op.Binary(kind), List.of(operand, operand)));
        }
        for (var kind : Op.CompareKind.values()) {
            results.add(b.add(new Op.Compare(kind), List.of(x, x)));
            results.add(b.add(new Op.Compare(kind), List.of(k, k)));
        }
        for (var dtype : DType.values()) {
            var ends = HostArray.zeros(ArrayType.of(dtype, 3));
            boolean isFloat = dtype.isFloat();
            Encoding.number(ends.bytes(), dtype, 0, isFloat ? 0.1 : dtype.least());
            Encoding.number(ends.bytes(), dtype, 1, isFloat ? Double.NaN : dtype.greatest());
            int constant = b.add(new Op.Constant(ends), List.of());
            results.add(b.add(new Op.Compare(Op.CompareKind.LT), List.of(constant, constant)));
            results.add(b.add(new Op.Convert(dtype), List.of(k)));
            if (dtype != DType.BOOL) {
                var least = new Op.Reduce(Op.ReduceKind.MIN, List.of(0));
                results.add(b.add(least, List.of(constant)));
            }
        }
        for (var kind : Op.ReduceKind.values()) {
            results.add(b.add(new Op.Reduce(kind, List.of(0)), List.of(x)));
            results.add(b.add(new Op.Reduce(kind, List.of(1, 0)), List.of(d)));
            results.add(b.add(new Op.Reduce(kind, List.of(0)), List.of(k)));
        }
        results.add(b.add(new Op.Compare(Op.CompareKind.EQ), List.of(positive, positive)));
        results.add(b.add(new Op.Select(), List.of(positive, x, x)));
        for (var dtype : DType.values()) {
            results.add(b.add(new Op.Convert(dtype), List.of(x)));
            results.add(
                    b.add(
                            new Op.Iota(
                                    ArrayType.of(dtype == DType.BOOL ? DType.I32 : dtype, 2, 3), 1),
                            List.of()));
        }
        results.add(b.add(new Op.Constant(Array.normal(1, 100)), List.of()));
        results.add(
                b.add(
                        new Op.Constant(Array.of(new float[][] {{1, -2.5f}, {1e-10f, Float.NaN}})),
                        List.of()));
        results.add(b.add(new Op.Constant(Array.of(true, false)), List.of()));
        results.add(b.add(new Op.Constant(Array.of(1.5, Double.NEGATIVE_INFINITY)), List.of()));
        results.add(b.add(new Op.Constant(Array.arange(70)), List.of()));
        results.add(b.add(new Op.Constant(Array.zeros(0, 3)), List.of()));
        results.add(b.add(new Op.Constant(Array.ones(3, 3)), List.of()));
        int wide = b.add(new Op.BroadcastInDim(Shape.of(3, 5, 2), List.of(2, 0)), List.of(x));
        results.add(b.add(new Op.Reshape(Shape.of(6, 5)), List.of(wide)));
        results.add(b.add(new Op.Transpose(List.of(2, 0, 1)), List.of(wide)));
        results.add(b.add(new Op.ArgMax(1), List.of(x)));
        results.add(b.add(new Op.ArgMax(0), List.of(k)));
        results.add(
                b.add(
                        new Op.DotGeneral(List.of(0), List.of(2), List.of(2), List.of(0)),
                        List.of(b.add(new Op.Transpose(List.of(2, 1, 0)), List.of(wide)), wide)));
        results.add(
                b.add(
                        new Op.DotGeneral(List.of(), List.of(), List.of(1), List.of(1)),
                        List.of(x, x)));
        results.add(
                b.add(
                        new Op.DotGeneral(List.of(), List.of(), List.of(), List.of()),
                        List.of(x, x)));
        results.add(
                b.add(
                        new Op.Convolution(
                                List.of(2, 1),
                                List.of(1, -1),
                                List.of(0, 2),
                                List.of(1, 2),
                                List.of(2, 1)),
                        List.of(pictures, kernel)));
        results.add(b.add(new Op.Slice(List.of(0, 1), List.of(2, 3), List.of(1, 2)), List.of(x)));
        int zero = b.add(new Op.Constant(Array.scalar(0f)), List.of());
        results.add(
                b.add(new Op.Pad(List.of(1, -1), List.of(0, 2), List.of(2, 0)), List.of(x, zero)));
        results.add(b.add(new Op.Concatenate(1), List.of(x, x)));
        results.add(b.add(new Op.Reverse(List.of(0, 1)), List.of(x)));
        int taken = b.add(new Op.Take(1), List.of(x, k));
        results.add(taken);
        results.add(b.add(new Op.ScatterAdd(1), List.of(x, k, taken)));
        results.add(b.add(new Op.StopGradient(), List.of(x)));
        results.add(b.add(new Op.AllReduce(Op.ReduceKind.SUM, List.of("r", "m")), List.of(x)));
        results.add(b.add(new Op.AllReduce(Op.ReduceKind.MAX, List.of("m")), List.of(x)));
        results.add(b.add(new Op.AllGather(List.of("r"), 1, 2), List.of(x)));
        results.add(b.add(new Op.ReduceScatter(List.of("m"), 0, 2), List.of(x)));
        results.add(b.add(new Op.ShardOf(List.of("r"), 0, 2), List.of(x)));
        results.add(b.add(new Op.AxisIndex("m"), List.of()));
        results.add(b.add(new Op.AllToAll("r", 0, 1, 2), List.of(x)));
        results.add(b.add(new Op.CollectivePermute("r", List.of(0, 1), List.of(1, 0)), List.of(x)));
        results.add(b.add(new Op.ShardingConstraint(PartitionSpec.spec("r")), List.of(x)));
        return b.build(results);
    }

    @Test
    void collectivesNeedAMesh() {
        assertThatThrownBy(() -> StableHlo.text(operations()))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("text(graph, mesh)");
    }

    @Test
    void fingerprintNamesTheContent() {
        var a = jit(LoweredTest::step).lower(PARAMS, BATCH).graph();
        var again = jit(LoweredTest::step).lower(PARAMS, BATCH).graph();
        assertThat(Fingerprint.of(a)).isEqualTo(Fingerprint.of(again)).hasSize(64);
        assertThat(Fingerprint.of(constant(1))).isNotEqualTo(Fingerprint.of(constant(2)));
        assertThat(a).isEqualTo(again);
    }

    private static Graph constant(int value) {
        return jit((Array x) -> x.add(Array.of(value, 7))).lower(Array.of(1, 2)).graph();
    }

    @Test
    void deadOperationsAreLeftOutAndEqualOnesShared() {
        var graph =
                jit((Array x) -> {
                            x.exp();
                            return x.sin().add(x.sin());
                        })
                        .lower(Array.of(1f))
                        .graph();
        assertThat(graph.nodes()).hasSize(2);
    }

    private static void golden(String name, String text) throws IOException {
        var file = Path.of("src/test/resources/stablehlo", name + ".mlir");
        if (Optional.ofNullable(System.getProperty("golden.write")).isPresent()) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }
}
