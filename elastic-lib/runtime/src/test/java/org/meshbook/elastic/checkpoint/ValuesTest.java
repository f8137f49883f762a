package org.meshbook.elastic.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Mesh;

/// What stands beside the arrays of a state is saved as it was, and comes back in the classes that
/// are asked for.
class ValuesTest {
    enum Phase {
        WARM,
        HOT
    }

    enum PhaseAgain {
        WARM,
        HOT
    }

    record State(Array w, List<Double> losses, Phase phase, long step) {}

    record StateAgain(Array w, List<Double> losses, PhaseAgain phase, long step) {}

    record Narrow(Array w, List<Double> losses, PhaseAgain phase, int step) {}

    record WithKey(Array w, Key key) {}

    record Key(HostArray bits) {}

    record Mutable(Array w, Random random, AtomicLong count, int[] table, HostArray host) {}

    private final Given given = new Given();
    private final Snapshotter snapshots = new Snapshotter(given.manager);
    private final Mesh all = given.on(0, 1, 2, 3);

    @Test
    void valuesThatChangeAfterTheSaveAreRestoredAsTheyWere() {
        var state = mutable(7);
        given.saved(snapshots, 1, state);
        double next = new Random(7).nextDouble();
        state.random().nextDouble();
        state.count().set(99);
        state.table()[0] = 99;
        state.host().bytes().putFloat(0, 99);
        var back = snapshots.load(all, mutable(0));
        assertThat(back.random().nextDouble()).isEqualTo(next);
        assertThat(back.count().get()).isEqualTo(7);
        assertThat(back.table()).containsExactly(7, 8);
        assertThat(back.host().get(0)).isEqualTo(7);
    }

    @Test
    void eachLoadGivesValuesOfItsOwn() {
        given.saved(snapshots, 1, mutable(7));
        var first = snapshots.load(all, mutable(0));
        first.count().set(99);
        first.host().bytes().putFloat(0, 99);
        snapshots.join();
        var second = snapshots.load(all, mutable(0));
        assertThat(second.count().get()).isEqualTo(7);
        assertThat(second.host().get(0)).isEqualTo(7);
    }

    @Test
    void randomKeyComesBackInItsType() {
        var key = new Key(Array.of(1L, 2L).toHost());
        given.saved(snapshots, 1, new WithKey(given.array(all, 1), key));
        var like = new WithKey(given.array(all, 0), new Key(Array.of(0L, 0L).toHost()));
        assertThat(snapshots.load(all, like).key()).isEqualTo(key);
    }

    @Test
    void valueThatCannotBeCopiedIsRefusedByName() {
        var state = List.of(given.array(all, 1), List.of(new Object()));
        assertThatThrownBy(() -> snapshots.save(1, state))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'[1][0]' is a java.lang.Object")
                .hasMessageContaining("Serializable");
        var thread = List.of(given.array(all, 1), new ArrayList<Object>(List.of(new Holder())));
        assertThatThrownBy(() -> snapshots.save(1, thread))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'[1][0]'")
                .hasMessageContaining("NotSerializable");
    }

    @Test
    void stateMovesWithValuesThatNoTreeKnows() {
        var before = mutable(7);
        var moved = org.meshbook.elastic.array.Tree.map(before, array -> array);
        assertThat(moved.random()).isSameAs(before.random());
    }

    @Test
    void recordsAndEnumsThatWereDeclaredAgainGetTheValues() {
        given.saved(snapshots, 10, state(10));
        StateAgain back = snapshots.restoreLatestOr(all, mesh -> again(mesh, 0));
        assertThat(back.step()).isEqualTo(10);
        assertThat(back.phase()).isEqualTo(PhaseAgain.HOT);
        assertThat(back.losses()).containsExactly(3.0, 2.0, 1.0);
        assertThat(back.w().toHost().get(0)).isEqualTo(10);
    }

    @Test
    void firstStateThatIsOnlyLookedAtIsFreed() {
        given.saved(snapshots, 10, state(10));
        var made = new ArrayList<StateAgain>();
        StateAgain back =
                snapshots.restoreLatestOr(
                        all,
                        mesh -> {
                            made.add(again(mesh, 0));
                            return made.getLast();
                        });
        assertThat(back.step()).isEqualTo(10);
        var example = made.getFirst().w();
        assertThatThrownBy(example::toHost)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("freed");
    }

    @Test
    void codeThatMadeTheFirstStateIsNotAskedForAnotherOne() {
        var asked = new ArrayList<Mesh>();
        for (int attempt = 1; attempt <= 3; attempt++) {
            StateAgain state =
                    snapshots.restoreLatestOr(
                            all,
                            mesh -> {
                                asked.add(mesh);
                                return again(mesh, 1);
                            });
            given.saved(snapshots, state.step() + 1, again(all, state.step() + 1));
        }
        assertThat(asked).hasSize(1);
        assertThat(snapshots.at(4).step()).isEqualTo(4);
    }

    @Test
    void snapshotThatDoesNotFitTheNewCodeIsOneClearLine() {
        given.saved(snapshots, 10, state(10));
        assertThatThrownBy(
                        () -> {
                            Narrow unused = snapshots.restoreLatestOr(all, this::narrow);
                            assertThat(unused).isNull();
                        })
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("does not fit")
                .hasMessageContaining("'w' is f32[2], asked for f32[4]")
                .message()
                .doesNotContain("\n");
        var smaller = new Narrow(given.array(all, 0), List.of(), PhaseAgain.WARM, 0);
        assertThatThrownBy(() -> snapshots.load(all, smaller))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'step' is a Long, asked for a Integer");
    }

    private Narrow narrow(Mesh mesh) {
        var w = given.sim.put(Array.zeros(4), mesh.replicated());
        return new Narrow(w, List.of(), PhaseAgain.WARM, 0);
    }

    private static final class Holder implements java.io.Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"unused", "serial"}) // what makes it fail
        private final Object inner = new Object();
    }

    private State state(long step) {
        return new State(given.array(all, step), List.of(3.0, 2.0, 1.0), Phase.HOT, step);
    }

    private StateAgain again(Mesh mesh, long step) {
        return new StateAgain(given.array(mesh, step), List.of(), PhaseAgain.WARM, step);
    }

    private Mutable mutable(int value) {
        return new Mutable(
                given.array(all, value),
                new Random(value),
                new AtomicLong(value),
                new int[] {value, 8},
                Array.of((float) value, 1).toHost());
    }
}
