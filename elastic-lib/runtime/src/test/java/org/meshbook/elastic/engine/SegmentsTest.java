package org.meshbook.elastic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.array.DType.F32;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.array.Op.UnaryKind;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.engine.Segments.Step;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;

class SegmentsTest {
    private static final int DEVICES = 3;
    private static final List<String> AXES = List.of("r");
    private static final Op PSUM = new Op.AllReduce(ReduceKind.SUM, AXES);
    private static final Op ADD = new Op.Binary(BinaryKind.ADD);
    private static final Op NEGATE = new Op.Unary(UnaryKind.NEGATE);
    private static final ArrayType SIX = ArrayType.of(F32, 6);

    private final Engine engine = Engines.named("reference");

    @Test
    void independentCollectivesShareAStep() {
        var b = new GraphBuilder("two");
        int x = b.parameter(SIX);
        int y = b.parameter(SIX);
        int first = b.add(PSUM, List.of(b.add(NEGATE, List.of(x))));
        int second = b.add(PSUM, List.of(y));
        var graph = b.build(List.of(b.add(ADD, List.of(first, second))));

        var steps = Segments.cut(graph).steps();

        assertThat(steps).hasSize(3);
        assertThat(steps.get(0)).isInstanceOf(Step.Compute.class);
        assertThat(((Step.Communicate) steps.get(1)).nodes()).hasSize(2);
        assertThat(steps.get(2)).isInstanceOf(Step.Compute.class);
        assertAgrees(graph);
    }

    @Test
    void dependentCollectivesFollowEachOther() {
        var b = new GraphBuilder("chain");
        int x = b.parameter(SIX);
        int once = b.add(PSUM, List.of(x));
        int twice = b.add(PSUM, List.of(b.add(ADD, List.of(once, x))));
        var graph = b.build(List.of(twice, once, x, twice));

        assertThat(Segments.cut(graph).steps()).hasSize(3);
        assertAgrees(graph);
    }

    @Test
    void placeIsNoExchange() {
        var b = new GraphBuilder("place");
        int x = b.parameter(SIX);
        int mine = b.add(new Op.ShardOf(AXES, 0, DEVICES), List.of(x));
        int index = b.add(new Op.Convert(F32), List.of(b.add(new Op.AxisIndex("r"), List.of())));
        int wide = b.add(new Op.BroadcastInDim(Shape.of(2), List.of()), List.of(index));
        var graph = b.build(List.of(b.add(ADD, List.of(mine, wide))));

        var segments = Segments.cut(graph);

        assertThat(segments.places()).containsExactly(AXES);
        assertThat(segments.steps()).hasSize(1);
        assertAgrees(graph);
    }

    @Test
    void gathersScattersAndReducesLiterals() {
        var b = new GraphBuilder("all");
        int x = b.parameter(SIX);
        int one = b.add(new Op.Constant(Given.vector(F32, 1, 2, 3, 4, 5, 6)), List.of());
        int sum = b.add(PSUM, List.of(one));
        int piece = b.add(new Op.ReduceScatter(AXES, 0, DEVICES), List.of(x));
        int whole =
                b.add(new Op.AllGather(AXES, 0, DEVICES), List.of(b.add(NEGATE, List.of(piece))));
        int shifted = b.add(ADD, List.of(whole, one));
        var graph = b.build(List.of(shifted, sum, one, b.add(ADD, List.of(x, one))));

        assertAgrees(graph);
    }

    @Test
    void nothingToDoIsNoStep() {
        var graph = new Graph("echo", List.of(SIX, SIX), List.of(), List.of(1, 0, 1));

        var segments = Segments.cut(graph);

        assertThat(segments.steps()).isEmpty();
        assertThat(segments.results()).containsExactly(1, 0, 1);
        assertAgrees(graph);
    }

    @Test
    void valuesAreReleasedAfterTheirLastUse() {
        var b = new GraphBuilder("live");
        int x = b.parameter(SIX);
        int y = b.add(PSUM, List.of(b.add(NEGATE, List.of(x))));
        var graph = b.build(List.of(b.add(ADD, List.of(y, y))));

        var steps = Segments.cut(graph).steps();

        assertThat(steps.stream().map(Step::released).toList())
                .containsExactly(List.of(0), List.of(1), List.of(2));
    }

    /// Runs the schedule on all devices in lockstep, dropping what it says can be dropped, and the
    /// graph node by node.
    private void assertAgrees(Graph graph) {
        var random = new SplittableRandom(1);
        var inputs = new ArrayList<List<HostArray>>();
        for (int device = 0; device < DEVICES; device++) {
            inputs.add(
                    graph.parameters().stream()
                            .map(type -> Given.random(random, type, -1, 1))
                            .toList());
        }
        var direct = direct(graph, inputs);
        var scheduled = scheduled(Segments.cut(graph), inputs);
        for (int device = 0; device < DEVICES; device++) {
            for (int i = 0; i < graph.results().size(); i++) {
                Same.values(scheduled.get(device).get(i), direct.get(device).get(i));
            }
        }
    }

    private List<List<HostArray>> direct(Graph graph, List<List<HostArray>> inputs) {
        var values = inputs.stream().map(ArrayList::new).toList();
        for (var node : graph.nodes()) {
            var operands =
                    values.stream().map(v -> node.inputs().stream().map(v::get).toList()).toList();
            for (int device = 0; device < DEVICES; device++) {
                values.get(device).add(apply(node.op(), operands, device));
            }
        }
        return values.stream().map(v -> graph.results().stream().map(v::get).toList()).toList();
    }

    private List<List<HostArray>> scheduled(Segments segments, List<List<HostArray>> inputs) {
        var values = new ArrayList<@Nullable HostArray[]>();
        for (int device = 0; device < DEVICES; device++) {
            var own = inputs.get(device).toArray(new @Nullable HostArray[segments.values()]);
            for (int i = 0; i < segments.places().size(); i++) {
                own[inputs.get(device).size() + i] = index(device);
            }
            values.add(own);
        }
        for (var step : segments.steps()) {
            switch (step) {
                case Step.Compute compute -> compute(compute, values);
                case Step.Communicate exchange -> communicate(exchange, values);
            }
            for (@Nullable HostArray[] own : values) {
                for (int value : step.released()) {
                    own[value] = null;
                }
            }
        }
        return values.stream().map(own -> pick(own, segments.results())).toList();
    }

    private void compute(Step.Compute step, List<@Nullable HostArray[]> values) {
        try (var executable = engine.compile(step.graph(), 1)) {
            for (var own : values) {
                var results = executable.run(pick(own, step.inputs()));
                for (int i = 0; i < results.size(); i++) {
                    own[step.outputs().get(i)] = results.get(i);
                }
            }
        }
    }

    private void communicate(Step.Communicate step, List<@Nullable HostArray[]> values) {
        for (int i = 0; i < step.nodes().size(); i++) {
            var node = step.nodes().get(i);
            var operands = values.stream().map(own -> pick(own, node.inputs())).toList();
            for (int device = 0; device < DEVICES; device++) {
                values.get(device)[step.outputs().get(i)] = apply(node.op(), operands, device);
            }
        }
    }

    private static List<HostArray> pick(@Nullable HostArray[] own, List<Integer> numbers) {
        var picked = new ArrayList<HostArray>();
        for (int number : numbers) {
            picked.add(Objects.requireNonNull(own[number], "value " + number));
        }
        return picked;
    }

    private static HostArray apply(Op op, List<List<HostArray>> operands, int device) {
        return switch (op) {
            case Op.AllReduce _ -> sum(operands);
            case Op.AllGather(_, int dim, _) ->
                    evaluate(
                            new Op.Concatenate(dim),
                            operands.stream().map(List::getFirst).toList());
            case Op.ReduceScatter(_, _, int size) -> piece(sum(operands), device, size);
            case Op.ShardOf(_, _, int size) -> piece(operands.get(device).getFirst(), device, size);
            case Op.AxisIndex _ -> index(device);
            default -> evaluate(op, operands.get(device));
        };
    }

    private static HostArray sum(List<List<HostArray>> operands) {
        return operands.stream()
                .map(List::getFirst)
                .reduce((x, y) -> evaluate(ADD, List.of(x, y)))
                .orElseThrow();
    }

    private static HostArray piece(HostArray x, int device, int size) {
        int length = x.type().shape().dim(0) / size;
        return evaluate(
                new Op.Slice(List.of(device * length), List.of((device + 1) * length), List.of(1)),
                List.of(x));
    }

    private static HostArray index(int device) {
        return Given.array(DType.I32, Shape.SCALAR, device);
    }

    private static HostArray evaluate(Op op, List<HostArray> operands) {
        return Evaluator.LOCAL.evaluate(op, operands);
    }
}
