package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.Pair.pair;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.PartitionerTest.axis;
import static org.meshbook.elastic.jit.PartitionerTest.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;

class JitTest {
    record Params(Array w, Array b) {}

    private final Lockstep devices = new Lockstep();

    static Array affine(Params p, Array x) {
        return x.matmul(p.w()).add(p.b());
    }

    static Array four(Array a, Array b, Array c, Array d) {
        return a.add(b).mul(c).sub(d);
    }

    @Test
    void methodReferencesAndLambdasOfOneToFourArgumentsAreTraced() {
        var x = Array.of(1f, 2f);
        assertThat(jit((Array a) -> a.mul(2)).apply(x).toHost().floats()).containsExactly(2, 4);
        assertThat(jit(JitTest::affine).apply(new Params(Array.ones(2, 2), x), x).toHost().floats())
                .containsExactly(4, 5);
        Array three = jit((Array a, Array b, Array c) -> a.add(b).add(c)).apply(x, x, x);
        assertThat(three.toHost().floats()).containsExactly(3, 6);
        assertThat(jit(JitTest::four).apply(x, x, x, x).toHost().floats()).containsExactly(1, 6);
        ValueAndGrad<Params> g =
                valueAndGrad((Params p, Array in) -> affine(p, in).sum())
                        .apply(new Params(Array.ones(2, 2), x), x);
        assertThat(g.grad().b().toHost().floats()).containsExactly(1, 1);
    }

    @Test
    void treesGoInAndComeOut() {
        var f =
                jit(
                        (Map<String, List<Array>> m, Integer n) ->
                                pair(Map.of("sum", m.values().iterator().next().get(0).add(n)), n));
        var result = f.apply(Map.of("a", List.of(Array.of(1f))), 3);
        assertThat(result.first().values().iterator().next().toHost().floats()).containsExactly(4);
        assertThat(result.second()).isEqualTo(3);
    }

    @Test
    void secondCallDoesNotTraceAgain() {
        var f = jit((Array x) -> x.add(1));
        f.apply(Array.of(1f));
        f.apply(Array.of(5f));
        assertThat(f.traces()).isEqualTo(1);
        f.apply(Array.of(5f, 6f));
        f.apply(Array.of(5));
        assertThat(f.traces()).isEqualTo(3);
        f.apply(Array.of(1f));
        assertThat(f.traces()).isEqualTo(3);
    }

    @Test
    void plainValuesBelongToTheTrace() {
        var f = jit((Array x, Double by) -> x.mul(by));
        assertThat(f.apply(Array.of(2f), 3.0).item()).isEqualTo(6);
        assertThat(f.apply(Array.of(2f), 4.0).item()).isEqualTo(8);
        assertThat(f.apply(Array.of(1f), 4.0).item()).isEqualTo(4);
        assertThat(f.traces()).isEqualTo(2);
    }

    private static Mesh on(int replicas, int firstDevice) {
        var list = new ArrayList<Device>();
        for (int i = 0; i < replicas; i++) {
            list.add(new Device(firstDevice + i, firstDevice + i, 0, 0));
        }
        return Mesh.of(list, axis("replica", replicas));
    }

    @Test
    void meshSizeSeenBeforeIsNeitherTracedNorPartitionedAgain() {
        var f = jit((Array w, Array x) -> x.matmul(w).sum());
        var w = Array.ones(2, 1);
        var x = Array.ones(12, 2);
        for (var mesh : List.of(on(4, 0), on(3, 0), on(4, 0), on(3, 1), on(4, 4))) {
            var placed = devices.place(x, mesh.sharding("replica"));
            assertThat(f.apply(devices.place(w, mesh.replicated()), placed).item()).isEqualTo(24);
        }
        assertThat(f.traces()).isEqualTo(1);
        var programs = devices.programs;
        assertThat(programs.get(2)).isSameAs(programs.get(0));
        // Other devices, same size: another program of the same graph, which workers have compiled.
        assertThat(programs.get(3).graph()).isSameAs(programs.get(1).graph());
        assertThat(programs.get(3).graphFingerprint())
                .isEqualTo(programs.get(1).graphFingerprint());
        assertThat(programs.get(3).fingerprint()).isNotEqualTo(programs.get(1).fingerprint());
        assertThat(programs.get(4).graph()).isSameAs(programs.get(0).graph());
    }

    @Test
    void hostArgumentsBesidePlacedOnesAreCopiedToTheMesh() {
        var mesh = on(2, 0);
        var x = devices.place(Array.of(1f, 2f, 3f, 4f), mesh.sharding("replica"));
        var result = jit((Array a, Array b) -> a.mul(b)).apply(x, Array.of(1f, 10f, 100f, 1000f));
        assertThat(result.toHost().floats()).containsExactly(1, 20, 300, 4000);
        assertThat(((Placed) result).sharding()).isEqualTo(mesh.sharding("replica"));
    }

    @Test
    void capturedHostArraysBecomeConstantsAndPlacedOnesInputs() {
        var mesh = on(2, 0);
        var host = Array.of(1f, 2f);
        var placed = devices.place(Array.of(10f, 20f), mesh.sharding("replica"));
        var f = jit((Array x) -> x.add(host).add(placed));
        assertThat(f.apply(Array.of(100f, 200f)).toHost().floats()).containsExactly(111, 222);
        assertThat(f.lower(Array.of(1f, 2f)).graph().parameters()).hasSize(2);
        assertThat(f.traces()).isEqualTo(1);
    }

    @Test
    void operationsOnPlacedArraysRunOneByOne() {
        var mesh = on(2, 0);
        var x = devices.place(Array.of(1f, 2f, 3f, 4f), mesh.sharding("replica"));
        int before = devices.placed;
        assertThat(x.mul(2).add(1).relu().toHost().floats()).containsExactly(3, 5, 7, 9);
        assertThat(x.sum().item()).isEqualTo(10);
        assertThat(devices.placed).isEqualTo(before);
        assertThat(x.add(Array.of(1f, 1f, 2f, 2f)).toHost().floats()).containsExactly(2, 3, 5, 6);
    }

    @Test
    void arraysOfDifferentMeshesDoNotMeet() {
        var a = devices.place(Array.of(1f, 2f), on(2, 0).replicated());
        var b = devices.place(Array.of(1f, 2f), on(2, 2).replicated());
        assertThatThrownBy(() -> a.add(b))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("different meshes")
                .hasMessageContaining("device 2");
    }

    @Test
    void javaIfOnATracedArraySaysWhatToDo() {
        var f = jit((Array x) -> x.item() > 0 ? x : x.neg());
        assertThatThrownBy(() -> f.apply(Array.scalar(1f)))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "f32[] is being traced and has no value; choose with where(...) or"
                                + " cond(...) in place of a Java if, repeat with whileLoop(...), or"
                                + " return it and read the result");
    }

    @Test
    void tracedArrayThatEscapesIsRefused() {
        var kept = new ArrayList<Array>();
        jit((Array x) -> {
                    kept.add(x);
                    return x.add(1);
                })
                .apply(Array.of(1f));
        assertThatThrownBy(() -> kept.getFirst().add(1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("after its function returned");
        assertThatThrownBy(() -> jit((Array y) -> y.add(kept.getFirst())).apply(Array.of(1f)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("after its function returned");
    }

    @Test
    void shapeErrorInsideJitNamesOperationAndBothShapes() {
        assertThatThrownBy(
                        () ->
                                jit(JitTest::affine)
                                        .apply(
                                                new Params(Array.zeros(65, 10), Array.zeros(10)),
                                                Array.zeros(32, 64)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessage(
                        "matmul: f32[32,64] and f32[65,10] do not fit; the last size of the left is"
                                + " 64, the last but one of the right is 65");
    }

    @Test
    void failedTraceLeavesTheFunctionUsable() {
        var f = jit((Array x) -> x.add(Array.of(1f, 2f, 3f)));
        assertThatThrownBy(() -> f.apply(Array.of(1f, 2f))).isInstanceOf(MeshMismatch.class);
        assertThat(f.apply(Array.of(1f)).toHost().floats()).containsExactly(2, 3, 4);
    }

    @Test
    void uniformConstantsStaySmall() {
        var graph =
                jit((Array x) -> x.add(Array.ones(1000, 1000)).mul(3).add(Array.zeros(1)))
                        .lower(Array.zeros(1000, 1000))
                        .graph();
        assertThat(graph.nodes())
                .noneMatch(
                        node ->
                                node.op() instanceof org.meshbook.elastic.array.Op.Constant(var c)
                                        && c.type().shape().size() > 1);
    }

    @Test
    void jitInsideJitIsInlined() {
        Fn1<Array, Array> inner = jit((Array x) -> x.mul(x));
        Pair<Array, Array> result =
                jit((Array x) -> pair(inner.apply(x), inner.apply(x.add(1)))).apply(Array.of(2f));
        assertThat(result.first().item()).isEqualTo(4);
        assertThat(result.second().item()).isEqualTo(9);
    }

    @Test
    void resultsMayBeArgumentsConstantsAndPlain() {
        var f = jit((Array x) -> List.of(x, Array.of(1, 2), x));
        var result = f.apply(Array.of(7f));
        assertThat(result.get(0).item()).isEqualTo(7);
        assertThat(result.get(1).toHost().ints()).containsExactly(1, 2);
        assertThat(result.get(2).item()).isEqualTo(7);
        var mesh = mesh(axis("replica", 2));
        var placed =
                f.apply(devices.place((HostArray) Array.of(7).cast(DType.F32), mesh.replicated()));
        assertThat(placed.get(1).toHost().ints()).containsExactly(1, 2);
    }
}
