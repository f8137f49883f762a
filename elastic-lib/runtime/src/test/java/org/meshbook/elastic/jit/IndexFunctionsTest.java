package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Near.assertNear;
import static org.meshbook.elastic.jit.PartitionerTest.axis;
import static org.meshbook.elastic.jit.PartitionerTest.mesh;
import static org.meshbook.elastic.jit.Transform.jvp;
import static org.meshbook.elastic.jit.Transform.vmap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Index;
import org.meshbook.elastic.engine.Same;
import org.meshbook.elastic.engine.onnx.OnnxEngine;
import org.meshbook.elastic.graph.StableHlo;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.wire.GraphCodec;

/// Indexing, sorting, running sums, windows and products by letters: gradients are those of central
/// differences, both engines agree, and devices together compute what one does.
class IndexFunctionsTest {
    private static final double STEP = 1e-6;

    private final Lockstep devices = new Lockstep();

    private static Fn1<List<Array>, Array> loss(IndexFunctions.Case c) {
        var shape = c.f().apply(new ArrayList<>(c.at())).shape().toArray();
        var weights = IndexFunctions.random(shape).add(0.1);
        return x -> c.f().apply(x).mul(weights).sum();
    }

    private static Stream<DynamicTest> each(Consumer<IndexFunctions.Case> check) {
        return IndexFunctions.all().stream()
                .map(c -> DynamicTest.dynamicTest(c.name(), () -> check.accept(c)));
    }

    @TestFactory
    Stream<DynamicTest> gradientEqualsCentralDifferences() {
        return each(
                c -> {
                    var loss = loss(c);
                    var found = grad(loss).apply(new ArrayList<>(c.at()));
                    for (int i = 0; i < c.at().size(); i++) {
                        assertNear(c.name(), found.get(i), differences(loss, c.at(), i), 1e-6);
                    }
                });
    }

    private static HostArray differences(Fn1<List<Array>, Array> loss, List<HostArray> at, int i) {
        var result = HostArray.zeros(at.get(i).type());
        var bytes = result.bytes();
        for (int k = 0; k < at.get(i).type().shape().size(); k++) {
            double up = loss.apply(moved(at, i, k, STEP)).item();
            double down = loss.apply(moved(at, i, k, -STEP)).item();
            bytes.putDouble((up - down) / (2 * STEP));
        }
        return result;
    }

    private static List<Array> moved(List<HostArray> at, int i, int k, double by) {
        var copy = HostArray.zeros(at.get(i).type());
        copy.bytes().put(at.get(i).bytes());
        copy.bytes().putDouble(8 * k, at.get(i).get(k) + by);
        var list = new ArrayList<Array>(at);
        list.set(i, copy);
        return list;
    }

    @TestFactory
    Stream<DynamicTest> enginesAgreeOnValueAndGradient() {
        var onnx = new OnnxEngine();
        return each(
                c -> {
                    Fn1<List<Array>, List<Array>> both =
                            x -> {
                                var all = new ArrayList<>(grad(loss(c)).apply(x));
                                all.add(c.f().apply(x));
                                return all;
                            };
                    var at = new ArrayList<Array>(c.at());
                    var wanted = both.apply(at);
                    try (var compiled = onnx.compile(jit(both).lower(at).graph(), 1)) {
                        var found = compiled.run(c.at());
                        for (int i = 0; i < found.size(); i++) {
                            Same.values(found.get(i), wanted.get(i).toHost());
                        }
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> devicesTogetherComputeWhatOneDoes() {
        return each(
                c -> {
                    Fn1<List<Array>, List<Array>> both =
                            x -> {
                                var all = new ArrayList<>(grad(loss(c)).apply(x));
                                all.add(c.f().apply(x));
                                return all;
                            };
                    var wanted = both.apply(new ArrayList<>(c.at()));
                    for (var mesh : List.of(mesh(axis("a", 2)), mesh(axis("a", 2), axis("b", 2)))) {
                        for (int turn = 0; turn < 2; turn++) {
                            int first = turn;
                            var placed =
                                    c.at().stream()
                                            .map(x -> (Array) devices.place(x, cut(mesh, x, first)))
                                            .toList();
                            var found = jit(both).apply(placed);
                            for (int i = 0; i < found.size(); i++) {
                                assertNear(c.name(), found.get(i), wanted.get(i), 1e-9);
                            }
                        }
                    }
                });
    }

    /// Three examples at once are what one after the other is; the values and their derivatives.
    @TestFactory
    Stream<DynamicTest> manyExamplesAreOneAfterTheOther() {
        return each(
                c -> {
                    Fn1<List<Array>, List<Array>> both =
                            x -> {
                                var all = new ArrayList<>(grad(loss(c)).apply(x));
                                all.add(c.f().apply(x));
                                return all;
                            };
                    var many = new ArrayList<Array>();
                    for (var x : c.at()) {
                        many.add(Array.stack(0, List.of(x, x.mul(-0.5), x.add(0.25))));
                    }
                    var found = vmap(both).apply(many);
                    for (int i = 0; i < 3; i++) {
                        int example = i;
                        var wanted = both.apply(many.stream().map(x -> x.at(example)).toList());
                        for (int k = 0; k < wanted.size(); k++) {
                            assertNear(c.name(), found.get(k).at(i), wanted.get(k), 1e-9);
                        }
                    }
                });
    }

    /// Forwards and backwards say the same of one direction.
    @TestFactory
    Stream<DynamicTest> tangentsAreTheGradientsOfTheirDirection() {
        return each(
                c -> {
                    var at = new ArrayList<Array>(c.at());
                    var way = at.stream().map(x -> x.mul(0.5).sub(0.125)).toList();
                    var forward = jvp(loss(c), (List<Array>) at, way).second();
                    var gradient = grad(loss(c)).apply(at);
                    Array slope = Array.scalar(0.0);
                    for (int i = 0; i < at.size(); i++) {
                        slope = slope.add(gradient.get(i).mul(way.get(i)).sum());
                    }
                    assertNear(c.name(), forward, slope, 1e-9);
                });
    }

    /// Starts and indices that differ between the examples.
    @Test
    void placesMayDifferBetweenExamples() {
        var x = IndexFunctions.random(3, 4, 6);
        var shared = IndexFunctions.random(4, 6);
        var places = Array.of(-1, 2, 9);
        Fn2<Array, Array, Array> read = (a, i) -> a.dynamicSlice(List.of(i, i), 2, 3);
        Fn2<Array, Array, Array> write =
                (a, i) -> a.dynamicUpdate(Array.zeros(DType.F64, 2, 3), List.of(i, i));
        Fn2<Array, Array, Array> pick = (a, i) -> a.index(i, Index.span(1, 4)).get();
        Fn2<Array, Array, Array> add = (a, i) -> a.index(i.expandDims(0)).add(1);
        for (var f : List.of(read, write, pick, add)) {
            for (var cut : List.of(Axes.in(0, 0), Axes.in(Axes.NONE, 0))) {
                boolean own = cut.in().getFirst() == 0;
                var found = vmap(f, cut).apply(own ? x : shared, places);
                for (int i = 0; i < 3; i++) {
                    var wanted = f.apply(own ? x.at(i) : shared, places.at(i));
                    assertNear("example " + i, found.at(i), wanted, 0);
                }
            }
        }
    }

    /// JAX 0.10.2 has the same numbers.
    @Test
    void gradientsGoToTheFirstGreatestAndTheLastWritten() {
        var y = Array.of(1.0, 1, 0, 2, 1, 0, 2, 2, 0, 3, 3, 0, 3, 0, 0, 3).reshape(1, 4, 4, 1);
        var pooled = Array.of(1.0, 2, 3, 4).reshape(1, 2, 2, 1);
        var pool = grad((Array x) -> x.maxPool(3, 2, "SAME").mul(pooled).sum()).apply(y);
        assertThat(pool.toHost().doubles())
                .containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 6, 0, 0, 0, 0, 0);
        var v = Array.iota(DType.F64, 5);
        var at = Array.of(1, 1, -1, 7, -9);
        var weights = Array.of(1.0, 2, 3, 4, 5);
        var set = grad((Array u) -> v.index(at).set(u).mul(weights).sum());
        assertThat(set.apply(Array.of(10.0, 20, 30, 40, 50)).toHost().doubles())
                .containsExactly(0, 2, 5, 0, 0);
    }

    @Test
    void aScatteredProductHasNoGradient() {
        var f = grad((Array u) -> u.index(Array.of(0, 1)).mul(u.index(0).get()).sum());
        assertThatThrownBy(() -> f.apply(Array.of(1.0, 2)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("scatter multiply has no gradient");
    }

    @Test
    void graphsTravelAndAreShown() {
        for (var c : IndexFunctions.all()) {
            var graph = jit(grad(loss(c))).lower(new ArrayList<Array>(c.at())).graph();
            var back = GraphCodec.fromProto(GraphCodec.toProto(graph));
            assertThat(back).as(c.name()).isEqualTo(graph);
            assertThat(StableHlo.text(graph)).as(c.name()).contains("func.func public @main");
        }
    }

    /// Cuts dimensions that divide, one axis each, from the given one on.
    private static Sharding cut(Mesh mesh, HostArray x, int first) {
        int rank = x.type().shape().rank();
        var dims = new ArrayList<>(Collections.nCopies(rank, List.<String>of()));
        var axes = new ArrayList<>(mesh.axes());
        for (int i = 0; i < rank && !axes.isEmpty(); i++) {
            int dim = (first + i) % rank;
            if (x.type().shape().dim(dim) % axes.getFirst().size() == 0) {
                dims.set(dim, List.of(axes.removeFirst().name()));
            }
        }
        return new Sharding(mesh, dims);
    }
}
