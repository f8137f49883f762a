package org.meshbook.elastic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.DType.F32;
import static org.meshbook.elastic.array.DType.I32;
import static org.meshbook.elastic.engine.Given.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.engine.reference.ReferenceEngine;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;

/// What compiled graphs of every engine must do.
@Timeout(60)
public abstract class ExecutableContract {
    private static final ArrayType FOUR = ArrayType.of(F32, 4);
    private static final Op ADD = new Op.Binary(BinaryKind.ADD);
    private static final int STEPS = 20;

    private final Engine engine;

    /// @param engine the engine that is held to it
    protected ExecutableContract(Engine engine) {
        this.engine = engine;
    }

    @Test
    void resultsMayBeParametersLiteralsAndTwins() {
        var b = new GraphBuilder("odd");
        int x = b.parameter(FOUR);
        int unused = b.parameter(ArrayType.of(I32, 3));
        int y = b.parameter(FOUR);
        int literal = b.add(new Op.Constant(vector(F32, 1, 2, 3, 4)), List.of());
        int same = b.add(new Op.StopGradient(), List.of(x));
        int sum = b.add(ADD, List.of(x, y));
        int wide = b.add(new Op.BroadcastInDim(Shape.of(2, 4), List.of(1)), List.of(literal));
        int empty = b.add(new Op.Slice(List.of(0), List.of(0), List.of(1)), List.of(y));
        int again = b.add(new Op.Reshape(Shape.of(4)), List.of(sum));
        assertAgrees(
                b.build(List.of(sum, x, literal, same, sum, unused, wide, empty, again, literal)),
                vector(F32, 1, 2, 3, 4),
                vector(I32, 7, 8, 9),
                vector(F32, 5, 6, 7, 8));
    }

    @Test
    void graphsWithoutParametersOrWorkRun() {
        var b = new GraphBuilder("constant");
        int one = b.add(new Op.Constant(vector(F32, 1, 2, 3, 4)), List.of());
        assertAgrees(b.build(List.of(b.add(ADD, List.of(one, one)))));
        assertAgrees(
                new Graph("echo", List.of(FOUR), List.of(), List.of(0, 0)),
                vector(F32, 1, 2, 3, 4));
        assertAgrees(new Graph("nothing", List.of(), List.of(), List.of()));
    }

    @Test
    void broadcastsStayNarrowUntilTheyMustNot() {
        var b = new GraphBuilder("narrow");
        int row = b.parameter(FOUR);
        int column = b.parameter(ArrayType.of(F32, 3));
        int scalar = b.parameter(ArrayType.of(F32));
        int rows = b.add(new Op.BroadcastInDim(Shape.of(3, 4), List.of(1)), List.of(row));
        int columns = b.add(new Op.BroadcastInDim(Shape.of(3, 4), List.of(0)), List.of(column));
        int all = b.add(new Op.BroadcastInDim(Shape.of(3, 4), List.of()), List.of(scalar));
        int scaled = b.add(ADD, List.of(rows, all));
        int table = b.add(ADD, List.of(scaled, columns));
        int sum = b.add(new Op.Reduce(Op.ReduceKind.SUM, List.of(0)), List.of(scaled));
        int turned = b.add(new Op.Transpose(List.of(1, 0)), List.of(columns));
        int flat = b.add(new Op.Reshape(Shape.of(2, 6)), List.of(all));
        int deep = b.add(new Op.BroadcastInDim(Shape.of(3, 2, 4), List.of(0, 2)), List.of(scaled));
        int swapped = b.add(new Op.BroadcastInDim(Shape.of(4, 3), List.of(1, 0)), List.of(table));
        assertAgrees(
                b.build(List.of(table, scaled, sum, turned, flat, all, deep, swapped)),
                vector(F32, 1, 2, 3, 4),
                vector(F32, 10, 20, 30),
                Given.array(F32, Shape.SCALAR, 100));
    }

    @Test
    void heapInputsAreCopied() {
        var heap = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        heap.asFloatBuffer().put(new float[] {1, 2, 3, 4});
        var b = new GraphBuilder("heap");
        int x = b.parameter(FOUR);
        assertAgrees(b.build(List.of(b.add(ADD, List.of(x, x)))), HostArray.wrap(FOUR, heap));
    }

    @Test
    void wrongInputsAreNamed() {
        var graph = Given.single(ADD, FOUR, List.of(FOUR, FOUR));
        try (var executable = engine.compile(graph, 1)) {
            assertThatThrownBy(() -> executable.run(List.of(vector(F32, 1, 2, 3, 4))))
                    .isInstanceOf(MeshMismatch.class)
                    .hasMessageContaining("takes 2 arrays, 1");
        }
    }

    @Test
    void closedExecutablesRefuse() {
        var executable = engine.compile(Given.single(ADD, FOUR, List.of(FOUR, FOUR)), 1);
        executable.close();
        executable.close();
        var x = vector(F32, 1, 2, 3, 4);
        assertThatThrownBy(() -> executable.run(List.of(x, x)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void threadsShareAnExecutable() throws Exception {
        var step = Training.mlp(24, 128);
        try (var executable = engine.compile(step.graph(), 1);
                var pool = Executors.newFixedThreadPool(4)) {
            var wanted = executable.run(step.inputs());
            Callable<List<HostArray>> task =
                    () -> {
                        var results = new ArrayList<HostArray>();
                        for (int i = 0; i < 25; i++) {
                            results.addAll(executable.run(step.inputs()));
                        }
                        return results;
                    };
            for (var done : pool.invokeAll(List.of(task, task, task, task))) {
                var results = done.get();
                for (int i = 0; i < results.size(); i++) {
                    assertThat(results.get(i).bytes())
                            .isEqualTo(wanted.get(i % wanted.size()).bytes());
                }
            }
        }
    }

    @Test
    void closingWaitsForNobody() throws Exception {
        var step = Training.mlp(24, 128);
        var executable = engine.compile(step.graph(), 1);
        try (var pool = Executors.newFixedThreadPool(2)) {
            Callable<Integer> task =
                    () -> {
                        for (int runs = 0; ; runs++) {
                            try {
                                executable.run(step.inputs());
                            } catch (IllegalStateException closed) {
                                return runs;
                            }
                        }
                    };
            var first = pool.submit(task);
            var second = pool.submit(task);
            executable.run(step.inputs());
            executable.close();
            assertThat(first.get()).isNotNegative();
            assertThat(second.get()).isNotNegative();
        }
    }

    @Test
    void twentyStepsOfAnMlpAgreeWithTheReference() {
        assertTrainsAlike(Training.mlp(24, 128));
    }

    @Test
    void twentyStepsOfAConvNetAgreeWithTheReference() {
        assertTrainsAlike(Training.convNet(12));
    }

    /// Loss and parameters within 1e-5 of the larger of 1 and the value, each step from its own
    /// parameters.
    private void assertTrainsAlike(Training.Step step) {
        try (var fast = engine.compile(step.graph(), 2);
                var slow = new ReferenceEngine().compile(step.graph(), 1)) {
            var left = step.inputs();
            var right = step.inputs();
            double first = 0;
            double last = 0;
            for (int i = 0; i < STEPS; i++) {
                var found = fast.run(left);
                var wanted = slow.run(right);
                for (int j = 0; j < wanted.size(); j++) {
                    Same.values(found.get(j), wanted.get(j), 1e-5);
                }
                last = wanted.get(4).get(0);
                first = i == 0 ? last : first;
                left = next(found, step);
                right = next(wanted, step);
            }
            assertThat(last).isLessThan(first);
        }
    }

    private static List<HostArray> next(List<HostArray> results, Training.Step step) {
        var inputs = new ArrayList<>(results.subList(0, 4));
        inputs.addAll(step.inputs().subList(4, 6));
        return inputs;
    }

    private void assertAgrees(Graph graph, HostArray... inputs) {
        try (var fast = engine.compile(graph, 1);
                var slow = new ReferenceEngine().compile(graph, 1)) {
            var found = fast.run(List.of(inputs));
            var wanted = slow.run(List.of(inputs));
            assertThat(found).hasSameSizeAs(wanted);
            for (int i = 0; i < wanted.size(); i++) {
                Same.values(found.get(i), wanted.get(i));
            }
        }
    }
}
