package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Flow.cond;
import static org.meshbook.elastic.jit.Flow.foriLoop;
import static org.meshbook.elastic.jit.Flow.scan;
import static org.meshbook.elastic.jit.Flow.whileLoop;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Transform.remat;
import static org.meshbook.elastic.jit.Transform.vmap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.engine.Same;
import org.meshbook.elastic.graph.Fingerprint;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.wire.GraphCodec;

/// Loops, decisions and what is made of them: on every engine, over the wire, and over a mesh.
class FlowOnEnginesTest {
    record Case(String name, Fn1<List<Array>, Object> f, List<HostArray> at) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case on(String name, Fn1<List<Array>, Object> f, HostArray... at) {
        return new Case(name, f, List.of(at));
    }

    private static HostArray random(int... dims) {
        return Array.normal(Arrays.hashCode(dims), dims);
    }

    private static Array rnn(List<Array> p) {
        var out =
                scan(
                        (Array h, Array x) -> {
                            var next = h.matmul(p.get(0)).add(x).tanh();
                            return pair(next, next.mul(x));
                        },
                        p.get(1),
                        p.get(2));
        return out.first().sum().add(out.second().square().sum());
    }

    private static Pair<Array, Array> halves(Array x) {
        return whileLoop(
                (Pair<Array, Array> s) -> s.first().abs().sum().gt(0.5),
                (Pair<Array, Array> s) -> pair(s.first().mul(0.5), s.second().add(1)),
                pair(x, (Array) Array.scalar(0)));
    }

    private static Array chosen(Array x) {
        return cond(
                x.sum().gt(0),
                x,
                (Array y) -> y.matmul(y.transpose()).sum(),
                (Array y) -> y.exp().sum());
    }

    static Stream<Case> cases() {
        return Stream.of(
                on("scan", p -> rnn(p), random(3, 3), random(4, 3), random(5, 4, 3)),
                on(
                        "gradient of scan",
                        p -> grad(FlowOnEnginesTest::rnn).apply(p),
                        random(3, 3),
                        random(4, 3),
                        random(5, 4, 3)),
                on(
                        "mapped gradient of scan",
                        p ->
                                vmap((Array h) ->
                                                grad(FlowOnEnginesTest::rnn)
                                                        .apply(List.of(p.get(0), h, p.get(2))))
                                        .apply(p.get(1)),
                        random(3, 3),
                        random(2, 4, 3),
                        random(5, 4, 3)),
                on("while", p -> halves(p.get(0)), random(4, 3)),
                on(
                        "mapped while",
                        p -> vmap(FlowOnEnginesTest::halves).apply(p.get(0)),
                        random(4, 3)),
                on(
                        "for",
                        p ->
                                foriLoop(
                                        2,
                                        6,
                                        (Array i, Array s) -> s.mul(i.cast(DType.F32)).sin(),
                                        p.get(0)),
                        random(4)),
                on("true", p -> chosen(p.get(0).abs()), random(4, 3)),
                on("false", p -> chosen(p.get(0).abs().neg()), random(4, 3)),
                on(
                        "gradient of cond",
                        p -> grad(FlowOnEnginesTest::chosen).apply(p.get(0)),
                        random(4, 3)),
                on(
                        "remat in scan",
                        p ->
                                grad((Array w) ->
                                                scan(
                                                                (Array h, Array x) -> {
                                                                    var n =
                                                                            remat(
                                                                                            (Array
                                                                                                            a,
                                                                                                    Array
                                                                                                            b) ->
                                                                                                    a.matmul(
                                                                                                                    b)
                                                                                                            .tanh()
                                                                                                            .sin())
                                                                                    .apply(h, w);
                                                                    return pair(
                                                                            n.add(x),
                                                                            List.<Array>of());
                                                                },
                                                                p.get(1),
                                                                p.get(2))
                                                        .first()
                                                        .sum())
                                        .apply(p.get(0)),
                        random(3, 3),
                        random(4, 3),
                        random(5, 4, 3)),
                on(
                        "truth and integers in the carry",
                        p ->
                                scan(
                                        (Pair<Array, Array> s, Array x) ->
                                                pair(
                                                        pair(
                                                                s.first().or(x.sum().gt(1)),
                                                                s.second().add(x.argmax(0))),
                                                        x.gt(0)),
                                        pair(
                                                (Array) Array.of(false).at(0),
                                                (Array) Array.scalar(3)),
                                        p.get(0)),
                        random(6, 3)),
                on(
                        "what an engine lacks, in a loop",
                        p ->
                                foriLoop(
                                        0,
                                        3,
                                        (Array i, Pair<Array, Array> s) ->
                                                pair(
                                                        s.first()
                                                                .cast(DType.F64)
                                                                .erf()
                                                                .cast(DType.F32),
                                                        s.second().add(s.first())),
                                        pair(p.get(0), p.get(0).mul(2))),
                        random(4)),
                on(
                        "narrow types in the carry",
                        p ->
                                foriLoop(
                                        0,
                                        3,
                                        (Array i, Pair<Array, Array> s) ->
                                                pair(
                                                        s.first().mul(s.first()),
                                                        s.second().add(s.second())),
                                        pair(
                                                p.get(0).cast(DType.BF16),
                                                p.get(0).mul(60).cast(DType.I8))),
                        random(4)),
                on(
                        "scan in scan",
                        p ->
                                scan(
                                        (Array s, Array row) -> {
                                            var inner =
                                                    scan(
                                                            (Array t, Array x) ->
                                                                    pair(t.add(x.mul(s)), t),
                                                            s,
                                                            row);
                                            return pair(inner.first(), inner.second());
                                        },
                                        (Array) Array.scalar(0.5f),
                                        p.get(0)),
                        random(3, 4)));
    }

    private static Graph graph(Case c) {
        List<Array> at = List.copyOf(c.at());
        return jit((List<Array> p) -> c.f().apply(p)).lower(at).graph();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void enginesAgree(Case c) {
        var graph = graph(c);
        var wanted = run("reference", graph, c.at());
        var found = run("onnx", graph, c.at());
        for (int i = 0; i < wanted.size(); i++) {
            Same.values(found.get(i), wanted.get(i), 2e-5);
        }
    }

    private static List<HostArray> run(String engine, Graph graph, List<HostArray> at) {
        try (var executable = Engines.named(engine).compile(graph, 1)) {
            return executable.run(at);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void graphTravels(Case c) {
        var graph = graph(c);
        var there = GraphCodec.fromProto(GraphCodec.toProto(graph));
        assertThat(there).isEqualTo(graph);
        assertThat(Fingerprint.of(there)).isEqualTo(Fingerprint.of(graph));
    }

    /// Each argument is cut along its second dimension from the end, where it divides.
    @ParameterizedTest
    @MethodSource("cases")
    void devicesOfAMeshYieldWhatOneYields(Case c) {
        var mesh =
                new Mesh(
                        List.of(new Axis("data", 2)),
                        IntStream.range(0, 2).mapToObj(i -> new Device(i, i, 0, 0)).toList());
        var executor = new Lockstep();
        var placed = new ArrayList<Array>();
        for (var x : c.at()) {
            int rank = x.type().shape().rank();
            int dim = rank - 2;
            boolean cut = dim >= 0 && x.type().shape().dim(dim) % 2 == 0;
            var dims = new ArrayList<List<String>>();
            for (int i = 0; i < rank; i++) {
                dims.add(cut && i == dim ? List.of("data") : List.of());
            }
            placed.add(executor.place(x, new Sharding(mesh, dims)));
        }
        var f = jit((List<Array> p) -> c.f().apply(p));
        List<Array> at = List.copyOf(c.at());
        var wanted = org.meshbook.elastic.array.Tree.leaves(f.apply(at));
        var found = org.meshbook.elastic.array.Tree.leaves(f.apply(placed));
        for (int i = 0; i < wanted.size(); i++) {
            Same.values(found.get(i).toHost(), wanted.get(i).toHost(), 2e-5);
        }
    }

    /// Each device runs the loop on its own rows; only the weights' gradient is summed, once.
    @Test
    void rowsOfABatchGoThroughALoopOnTheirOwnDevices() {
        var mesh = mesh();
        var executor = new Lockstep();
        List<Array> at =
                List.of(
                        executor.place(random(3, 3), mesh.replicated()),
                        executor.place(random(4, 3), cut(mesh, 2, 0)),
                        executor.place(random(5, 4, 3), cut(mesh, 3, 1)));
        var text =
                jit((List<Array> p) -> grad(FlowOnEnginesTest::rnn).apply(p)).lower(at).perDevice();
        assertThat(text)
                .contains("stablehlo.while")
                .contains("stablehlo.all_reduce")
                .doesNotContain("stablehlo.all_gather");
    }

    private static Mesh mesh() {
        return new Mesh(
                List.of(new Axis("data", 2)),
                IntStream.range(0, 2).mapToObj(i -> new Device(i, i, 0, 0)).toList());
    }

    private static Sharding cut(Mesh mesh, int rank, int dim) {
        var dims = new ArrayList<List<String>>();
        for (int i = 0; i < rank; i++) {
            dims.add(i == dim ? List.of("data") : List.of());
        }
        return new Sharding(mesh, dims);
    }
}
