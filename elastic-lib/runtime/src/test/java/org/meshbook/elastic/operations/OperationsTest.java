package org.meshbook.elastic.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Near.assertNear;
import static org.meshbook.elastic.jit.Transform.jvp;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.engine.Same;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.Axes;
import org.meshbook.elastic.jit.Fn1;
import org.meshbook.elastic.jit.Lockstep;
import org.meshbook.elastic.jit.Transform;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.operations.Operation.Gradient;

/// One test a column of docs/operations.md, one case a row.
///
/// That the reference engine is right is JAX's to say: `JaxOperationsTest`.
class OperationsTest {
    private static final Mesh MESH =
            Mesh.of(
                    IntStream.range(0, 4).mapToObj(i -> new Device(i, i / 2, 0, i % 2)).toList(),
                    axis("r", 2),
                    axis("m", 2));

    static Stream<Operation> all() {
        return Operations.all().stream();
    }

    static Stream<Operation> differentiable() {
        return all().filter(op -> op.gradient() == Gradient.YES);
    }

    @ParameterizedTest
    @MethodSource("all")
    void reference(Operation op) {
        agree(op, Engines.named("reference"));
    }

    @ParameterizedTest
    @MethodSource("all")
    void onnx(Operation op) {
        agree(op, Engines.named("onnx"));
    }

    /// An engine that compiles the traced operation computes what one operation after the other
    /// computes here, in both float types.
    static void agree(Operation op, Engine engine) {
        for (var floats : List.of(DType.F32, DType.F64)) {
            var inputs = op.inputs(floats);
            Same.values(run(engine, op, inputs), op.call().apply(List.copyOf(inputs)).toHost());
        }
    }

    private static HostArray run(Engine engine, Operation op, List<HostArray> inputs) {
        try (var executable = engine.compile(graph(op, inputs), 1)) {
            return executable.run(inputs).getFirst();
        }
    }

    private static Graph graph(Operation op, List<? extends Array> inputs) {
        return jit((List<Array> in) -> op.call().apply(in)).lower(List.copyOf(inputs)).graph();
    }

    /// Against differences of the function itself, in every direction at once and with weights that
    /// tell the elements of the result apart.
    @ParameterizedTest
    @MethodSource("differentiable")
    void gradient(Operation op) {
        var inputs = op.inputs(DType.F64);
        for (int by = 0; by < inputs.size(); by++) {
            if (inputs.get(by).dtype().isFloat()) {
                gradient(op, inputs, by);
            }
        }
    }

    private static void gradient(Operation op, List<HostArray> inputs, int by) {
        var found = grad((Array x) -> weighted(op, with(inputs, by, x))).apply(inputs.get(by));
        double step = 1e-5;
        for (int seed = 0; seed < 3; seed++) {
            var way = Array.normal(seed, inputs.get(by).shape().toArray()).cast(DType.F64);
            var up = with(inputs, by, inputs.get(by).add(way.mul(step)));
            var down = with(inputs, by, inputs.get(by).sub(way.mul(step)));
            var slope = weighted(op, up).sub(weighted(op, down)).div(2 * step);
            // What stops gradients has another slope than the function shows.
            if (!op.name().equals("stopGradient")) {
                double tolerance = op.name().contains("F32") ? 1e-1 : 2e-6;
                assertNear(op + " by operand " + by, found.mul(way).sum(), slope, tolerance);
            }
        }
    }

    private static Array weighted(Operation op, List<Array> inputs) {
        return Weighted.sum(op.call().apply(inputs));
    }

    private static List<Array> with(List<HostArray> inputs, int place, Array value) {
        var changed = new ArrayList<Array>(inputs);
        changed.set(place, value);
        return changed;
    }

    /// Forwards it changes as backwards: a weighted change of the result either way.
    @ParameterizedTest
    @MethodSource("differentiable")
    void tangent(Operation op) {
        var inputs = op.inputs(DType.F64);
        for (int by = 0; by < inputs.size(); by++) {
            if (inputs.get(by).dtype().isFloat()) {
                int operand = by;
                Fn1<Array, Array> f = x -> weighted(op, with(inputs, operand, x));
                var way = Array.normal(3, inputs.get(by).shape().toArray()).cast(DType.F64);
                var back = grad(f).apply(inputs.get(by)).mul(way).sum();
                assertNear(
                        op + "",
                        jvp(f, inputs.get(by), way).second(),
                        back,
                        op.name().contains("F32") ? 1e-6 : 1e-10);
            }
        }
    }

    /// Whichever operands differ between examples, each example yields what it yields alone.
    @ParameterizedTest
    @MethodSource("all")
    void vmap(Operation op) {
        var inputs = op.inputs(DType.F64);
        for (int mask = 1; mask < 1 << inputs.size(); mask++) {
            var batch = new ArrayList<Array>();
            var axes = new int[inputs.size()];
            for (int i = 0; i < axes.length; i++) {
                boolean mapped = (mask >> i & 1) == 1;
                axes[i] = mapped ? 0 : Axes.NONE;
                batch.add(mapped ? examples(inputs.get(i)) : inputs.get(i));
            }
            var found = mapped(op, axes).apply(batch);
            for (int example = 0; example < EXAMPLES; example++) {
                var alone = new ArrayList<Array>();
                for (int i = 0; i < axes.length; i++) {
                    alone.add(axes[i] == 0 ? batch.get(i).at(example) : batch.get(i));
                }
                var what = op + ", operands " + Integer.toBinaryString(mask) + " mapped";
                assertNear(what, found.at(example), op.call().apply(alone), 1e-10);
            }
        }
    }

    private static final int EXAMPLES = 3;

    /// The array, reversed, and rolled: far from kinks as it is, and whole where it is.
    private static Array examples(HostArray x) {
        int half = x.shape().dim(0) / 2;
        var rolled = Array.concat(0, x.slice(0, half, x.shape().dim(0)), x.slice(0, 0, half));
        return Array.stack(0, List.of(x, x.reverse(), rolled));
    }

    private static Fn1<List<Array>, Array> mapped(Operation op, int[] axes) {
        return switch (axes.length) {
            case 1 ->
                    in -> Transform.vmap((Array a) -> op.call().apply(List.of(a))).apply(in.get(0));
            case 2 ->
                    in ->
                            Transform.vmap(
                                            (Array a, Array b) -> op.call().apply(List.of(a, b)),
                                            Axes.in(axes))
                                    .apply(in.get(0), in.get(1));
            case 3 ->
                    in ->
                            Transform.vmap(
                                            (Array a, Array b, Array c) ->
                                                    op.call().apply(List.of(a, b, c)),
                                            Axes.in(axes))
                                    .apply(in.get(0), in.get(1), in.get(2));
            default -> throw new IllegalArgumentException(op + " takes more than 3 operands");
        };
    }

    /// However its operands are cut over a mesh of two axes.
    @ParameterizedTest
    @MethodSource("all")
    void sharded(Operation op) {
        var inputs = op.inputs(DType.F64);
        var wanted = op.call().apply(List.copyOf(inputs)).toHost();
        var function = jit((List<Array> in) -> op.call().apply(in));
        for (var cuts : List.of(List.of("r", "m"), List.of("m", ""), List.of("", "r"))) {
            var devices = new Lockstep();
            var placed =
                    inputs.stream().map(x -> (Array) devices.place(x, sharding(x, cuts))).toList();
            assertNear(op + " cut " + cuts, function.apply(placed), wanted, 1e-12);
        }
    }

    /// Cuts leading dimensions that divide.
    private static Sharding sharding(HostArray x, List<String> cuts) {
        var axes = new String[x.shape().rank()];
        for (int dim = 0; dim < axes.length; dim++) {
            boolean divides = dim < cuts.size() && x.shape().dim(dim) % 2 == 0;
            axes[dim] = divides ? cuts.get(dim) : "";
        }
        return MESH.sharding(axes);
    }

    @org.junit.jupiter.api.Test
    void namesAreUnique() {
        assertThat(all().map(Operation::name)).doesNotHaveDuplicates();
    }
}
