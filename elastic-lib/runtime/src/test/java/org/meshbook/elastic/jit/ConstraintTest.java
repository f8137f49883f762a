package org.meshbook.elastic.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;
import static org.meshbook.elastic.jit.Jit.valueAndGrad;
import static org.meshbook.elastic.jit.PartitionerTest.axis;
import static org.meshbook.elastic.jit.PartitionerTest.mesh;
import static org.meshbook.elastic.jit.Spmd.visualize;
import static org.meshbook.elastic.jit.Spmd.withSharding;
import static org.meshbook.elastic.mesh.PartitionSpec.spec;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.PartitionSpec;
import org.meshbook.elastic.mesh.Sharding;

/// What a user says about cuts is done, with the least talk between devices.
class ConstraintTest {
    private static final Mesh MESH = mesh(axis("a", 2), axis("b", 2));
    private static final HostArray X = Array.normal(1, 8, 4);

    private final Lockstep devices = new Lockstep();

    private Placed place(HostArray x, String... dims) {
        return devices.place(x, MESH.sharding(dims));
    }

    /// What the devices say to each other to bring an array from one cut to another.
    private List<String> moves(PartitionSpec from, PartitionSpec to) {
        var placed = devices.place(X, from.on(MESH));
        var moved = (Placed) jit((Array x) -> withSharding(x, to)).apply(placed);
        assertThat(moved.toHost()).isEqualTo(X);
        assertThat(moved.sharding().spec()).isEqualTo(to);
        return devices.programs.getLast().graph().nodes().stream()
                .map(node -> node.op().getClass().getSimpleName())
                .toList();
    }

    @Test
    void aConstraintIsObeyedByTheCheapestMove() {
        assertThat(moves(spec("a"), spec("a"))).isEmpty();
        assertThat(moves(spec(), spec("a", "b"))).containsExactly("ShardOf", "ShardOf");
        assertThat(moves(spec("a"), spec())).containsExactly("AllGather");
        assertThat(moves(spec("a"), spec(null, "a"))).containsExactly("AllToAll");
        assertThat(moves(spec("a", "b"), spec("a+b"))).containsExactly("AllToAll");
        assertThat(moves(spec("b+a"), spec("b", "a"))).containsExactly("AllToAll");
        assertThat(moves(spec("a", "b"), spec("b", "a")))
                .containsExactly("AllGather", "AllGather", "ShardOf", "ShardOf");
    }

    @Test
    void withoutAMeshNothingHappens() {
        assertThat(withSharding(X, spec("a"))).isEqualTo(X);
        assertThat(jit((Array x) -> withSharding(x, MESH.sharding("a"))).apply(X)).isEqualTo(X);
    }

    @Test
    void aPlacedArrayIsCutWhereItLies() {
        assertThat(((Placed) withSharding((Array) place(X), spec(null, "b"))).sharding())
                .isEqualTo(MESH.sharding(null, "b"));
    }

    @Test
    void resultsAreCutAsAsked() {
        var f = jit((Array x) -> List.of(x.mul(2), x.sum(1))).outShardings(spec("b"), spec("a"));
        var results = f.apply(place(X));
        assertThat(((Placed) results.get(0)).sharding()).isEqualTo(MESH.sharding("b"));
        assertThat(((Placed) results.get(1)).sharding()).isEqualTo(MESH.sharding("a"));
        var g =
                valueAndGrad((Array w) -> w.square().sum())
                        .outShardings(MESH.replicated(), MESH.sharding("a"))
                        .apply(place(X));
        assertThat(((Placed) g.grad()).sharding()).isEqualTo(MESH.sharding("a"));
        assertThatThrownBy(
                        () ->
                                jit((Array x) -> List.of(x, x, x))
                                        .outShardings(spec("a"), spec("b"))
                                        .apply(X))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("2 specs [(a), (b)] for a result of 3 leaves");
    }

    @Test
    void aSumThatIsOnlyWantedInPiecesIsScattered() {
        var rows = place(Array.normal(2, 8, 6), "a");
        var sums = jit((Array x) -> withSharding(x.transpose().matmul(x), spec("a")));
        var wanted = sums.apply(Array.normal(2, 8, 6));
        Near.assertNear("sum", sums.apply(rows), wanted, 1e-5);
        assertThat(ops()).contains("ReduceScatter").doesNotContain("AllReduce", "ShardOf");
        // Wanted whole as well, it is summed once and cut without talk.
        var both =
                jit(
                        (Array x) -> {
                            var sum = x.transpose().matmul(x);
                            return List.of(withSharding(sum, spec("a")), withSharding(sum, spec()));
                        });
        both.apply(rows);
        assertThat(ops()).contains("AllReduce", "ShardOf").doesNotContain("ReduceScatter");
    }

    @Test
    void aSumIsScatteredBehindWhatOnlyMovesElements() {
        // Gradients by one layer of weights that are stacked are padded and added up.
        var layers =
                grad((Array w, Array x) -> x.matmul(w.at(0)).tanh().matmul(w.at(1)).square().mean())
                        .outShardings(spec("", "a"));
        var w = Array.normal(3, 2, 6, 6);
        var x = Array.normal(4, 8, 6);
        var found = layers.apply(place(w, "", "a"), place(x, "a"));
        Near.assertNear("gradient", found, layers.apply(w, x), 1e-5);
        assertThat(ops()).contains("ReduceScatter").doesNotContain("AllReduce", "ShardOf");
    }

    private List<String> ops() {
        return devices.programs.getLast().graph().nodes().stream()
                .map(node -> node.op().getClass().getSimpleName())
                .toList();
    }

    @Test
    void cotangentsAreCutAlike() {
        var f = grad((Array w) -> withSharding(w.mul(2), spec("a")).mul(w.sum()).sum());
        assertThat(((Placed) f.apply(place(X))).toHost().type()).isEqualTo(X.type());
        assertThat(
                        jit((Array w) -> f.apply(w)).lower(X).graph().nodes().stream()
                                .filter(n -> n.op() instanceof Op.ShardingConstraint))
                .isNotEmpty();
    }

    @Test
    void errorsNameTheCutAndTheShape() {
        assertThatThrownBy(() -> withSharding(X, spec(null, null, "a")))
                .isInstanceOf(MeshMismatch.class)
                .hasMessage(
                        "withSharding: f32[8,4] has 2 dimensions, (·, ·, a) cuts dimension 2; name"
                                + " fewer");
        assertThatThrownBy(
                        () ->
                                jit((Array x) -> withSharding(x, spec("a")))
                                        .apply(place(Array.zeros(3, 4))))
                .hasMessage(
                        "withSharding (a) of f32[3,4]: 3 rows do not divide over axis 'a' of 2; use"
                                + " a multiple of 2");
        assertThatThrownBy(() -> jit((Array x) -> withSharding(x, spec("model"))).apply(place(X)))
                .hasMessageContaining("has no axis 'model'");
        assertThatThrownBy(() -> visualize(X))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("f32[8,4] does not lie on a mesh");
    }

    @Test
    void nullIsAWholeDimension() {
        assertThat(Sharding.of(MESH, "a", null)).isEqualTo(MESH.sharding("a"));
        assertThat(Sharding.of(MESH, null, "b").toString())
                .isEqualTo("Sharding(·, b) on Mesh(a=2, b=2)");
        assertThat(Sharding.of(MESH, (String) null).isReplicated()).isTrue();
    }

    @Test
    void aPictureShowsWhoHoldsWhat() {
        assertThat(visualize(place(X, "a", "b")).toString())
                .isEqualTo(
                        """
                        f32[8,4] cut (a, b) on Mesh(a=2, b=2), 32 of 128 bytes on each device
                        ┌────────────┬────────────┐
                        │ [0:4, 0:2] │ [0:4, 2:4] │
                        │ slice 0: 0 │ slice 0: 1 │
                        ├────────────┼────────────┤
                        │ [4:8, 0:2] │ [4:8, 2:4] │
                        │ slice 1: 2 │ slice 1: 3 │
                        └────────────┴────────────┘""");
        assertThat(visualize(place(X, "", "a")).toString())
                .isEqualTo(
                        """
                        f32[8,4] cut (·, a) on Mesh(a=2, b=2), 64 of 128 bytes on each device
                        ┌──────────────┬──────────────┐
                        │ [0:8, 0:2]   │ [0:8, 2:4]   │
                        │ slice 0: 0 1 │ slice 1: 2 3 │
                        └──────────────┴──────────────┘""");
    }
}
