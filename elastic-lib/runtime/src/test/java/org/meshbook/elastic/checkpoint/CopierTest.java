package org.meshbook.elastic.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;

/// Whatever ends one copy, the next one begins; and a restored snapshot is copied anew.
class CopierTest {
    private final Given given = new Given();
    private final Snapshotter snapshots = new Snapshotter(given.manager);
    private final Mesh all = given.on(0, 1, 2, 3);

    @Test
    void anyFailureInACopyLeavesTheNextSaveWorking() {
        var broken = new AtomicReference<@Nullable Throwable>();
        var failing = new Snapshotter(new Manager(withBrokenCopies(broken)));
        given.saved(failing, 1, given.state(all, 1));
        for (Throwable trouble :
                List.of(
                        new IllegalStateException("a bug"),
                        new OutOfMemoryError("direct buffer memory"),
                        new StackOverflowError())) {
            broken.set(trouble);
            var result = (SaveResult.Accepted) failing.save(2, given.state(all, 2));
            assertThat(failing.join(Duration.ofSeconds(10))).isTrue();
            assertThat(result.failure()).containsSame(trouble);
            assertThat(failing.stats().lastFailure()).containsSame(trouble);
            assertThat(failing.latest().map(Snapshot::step)).contains(1L);
        }
        broken.set(null);
        given.saved(failing, 3, given.state(all, 3));
        assertThat(failing.latest().map(Snapshot::step)).contains(3L);
        assertThat(failing.stats().failed()).isEqualTo(3);
    }

    @Test
    void joinGivesUpWhenItsTimeIsOver() {
        snapshots.save(1, given.state(all, 1));
        assertThat(snapshots.join(Duration.ofMillis(1))).isFalse();
        assertThat(snapshots.join(Given.COPY)).isTrue();
    }

    @Test
    void copyThatTakesTooLongSaysWhoHasNotAnswered() {
        var hasty =
                new Snapshotter(
                        given.manager, SnapshotOptions.DEFAULT.copyWithin(Duration.ofMillis(100)));
        given.sim.hang(2);
        var result = (SaveResult.Accepted) hasty.save(1, given.state(all, 1));
        given.pass(Duration.ofMillis(50));
        assertThat(result).hasToString("snapshot of step 1, in flight, waits for slices [2]");
        assertThat(hasty).asString().contains("waits for slices [2]");
        hasty.join();
        assertThat(result.failure().orElseThrow())
                .hasMessageContaining("took longer than PT0.1S: slices [2] have not answered");
    }

    @Test
    void sliceThatReturnsDuringASaveDoesNotDisturbIt() {
        given.lose(3);
        var three = given.on(0, 1, 2);
        var result = (SaveResult.Accepted) snapshots.save(1, given.state(three, 1));
        given.sim.restart(3);
        assertThat(result.await(Given.COPY)).isTrue();
        assertThat(snapshots.load(all, given.state(all, 0)).step()).isEqualTo(1);
    }

    @Test
    void snapshotOfTheOldMeshIsCompleteWhenTheProgramGrowsInTheSameStep() {
        given.lose(3);
        var three = given.on(0, 1, 2);
        var state = given.state(three, 1);
        snapshots.save(1, state);
        given.sim.restart(3);
        var grown = given.sim.put(state.w(), all.sharding("model"));
        given.sim.free(List.of(state.w()), "by the growth");
        snapshots.join();
        assertThat(grown.toHost().get(0)).isEqualTo(1);
        assertThat(snapshots.latest().orElseThrow().slices()).containsExactly(0, 1, 2);
        given.lose(0, 1);
        var back = snapshots.load(given.on(2, 3), given.state(given.on(2, 3), 0));
        assertThat(back.w().toHost().get(0)).isEqualTo(1);
    }

    @Test
    void copyMadeAnewDoesNotReplaceANewerSnapshot() {
        given.saved(snapshots, 10, given.state(all, 10));
        snapshots.save(20, given.state(all, 20));
        // The load is of step 10, its copy waits for the save in flight, which makes it needless.
        assertThat(snapshots.load(all, given.state(all, 0)).step()).isEqualTo(10);
        snapshots.join();
        assertThat(snapshots.latest().map(Snapshot::step)).contains(20L);
        assertThat(snapshots.load(all, given.state(all, 0), false).step()).isEqualTo(20);
    }

    @Test
    void restoredSnapshotIsCopiedAnewWhenTheSaveInFlightFails() {
        given.saved(snapshots, 10, given.state(all, 10));
        snapshots.save(20, given.state(all, 20));
        given.sim.kill(3);
        var three = given.on(0, 1, 2);
        var back = snapshots.load(three, given.state(three, 0));
        assertThat(back.step()).isEqualTo(10);
        snapshots.join();
        assertThat(snapshots.latest().orElseThrow().slices()).containsExactly(0, 1, 2);
        assertThat(snapshots.stats().lastFailure()).containsInstanceOf(SliceLost.class);
    }

    @Test
    void saveRightAfterARestoreIsAccepted() {
        given.saved(snapshots, 10, given.state(all, 10));
        given.lose(3);
        var three = given.on(0, 1, 2);
        var back = snapshots.load(three, given.state(three, 0));
        assertThat(snapshots.save(11, new Given.State(back.w(), 11)).accepted()).isTrue();
        snapshots.join();
        assertThat(snapshots.latest().map(Snapshot::step)).contains(11L);
        assertThat(snapshots.stats()).hasToString("3 saved, 0 in flight, 0 skipped, 0 failed");
    }

    @Test
    void copyMadeAnewComesAgainWhenTheSaveThatOvertookItFails() {
        given.saved(snapshots, 10, given.state(all, 10));
        given.lose(3);
        var three = given.on(0, 1, 2);
        snapshots.load(three, given.state(three, 0));
        given.sim.restart(3);
        var doomed = given.state(given.on(3), 11);
        assertThat(snapshots.save(11, doomed).accepted()).isTrue();
        given.sim.kill(3);
        snapshots.join();
        assertThat(snapshots.latest().map(Snapshot::step)).contains(10L);
        assertThat(snapshots.latest().orElseThrow().slices()).containsExactly(0, 1, 2);
    }

    @Test
    void budgetIsCheckedBeforeTheFirstStep() {
        var state = given.state(all, 1);
        assertThatThrownBy(
                        () ->
                                new Snapshotter(
                                        given.manager,
                                        SnapshotOptions.DEFAULT.keep(3).budget(31),
                                        state))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("takes 8 bytes at each replica, 32 with one in flight")
                .hasMessageContaining("the budget is 31");
    }

    @Test
    void resultAndStatisticsSayWhatMemoryIsTaken() {
        var ring = new Snapshotter(given.manager, SnapshotOptions.DEFAULT.keep(2));
        for (int step = 1; step <= 5; step++) {
            var result = (SaveResult.Accepted) ring.save(step, given.state(all, step));
            assertThat(result.bytes()).isEqualTo(8);
            ring.join();
        }
        assertThat(ring.stats().heldBytes()).isEqualTo(2 * 4 * 8);
    }

    @Test
    void fiveHundredSavesBackToBackEnd() {
        long accepted = 0;
        var state = given.state(all, 1);
        for (int step = 0; step < 500; step++) {
            accepted += snapshots.save(step, state).accepted() ? 1 : 0;
            // A barrier between: everything that was dispatched is read.
            assertThat(state.w().toHost().get(0)).isEqualTo(1);
            given.pass(Duration.ofMillis(step % 40));
        }
        assertThat(snapshots.join(Duration.ofSeconds(1))).isTrue();
        assertThat(snapshots.stats().completed()).isEqualTo(accepted).isGreaterThan(200);
        assertThat(snapshots.stats().skipped()).isEqualTo(500 - accepted).isPositive();
    }

    @Test
    void handOfACopyThatWasDroppedIsFreedAfterItsLastReader() {
        given.saved(snapshots, 10, given.state(all, 10));
        var ten = snapshots.at(10);
        given.saved(snapshots, 20, given.state(all, 20));
        var like = given.state(all, 0);
        assertThatThrownBy(() -> ten.load(all, like))
                .isInstanceOf(SnapshotLost.class)
                .hasMessageContaining("snapshot of step 10 is no longer kept");
    }

    private Slices withBrokenCopies(AtomicReference<@Nullable Throwable> broken) {
        return proxy(
                Slices.class,
                given.sim,
                (name, value) -> {
                    return name.equals("copyToHosts")
                            ? proxy(
                                    HostCopy.class,
                                    (HostCopy) value,
                                    (inner, result) -> {
                                        var trouble = broken.get();
                                        if (inner.equals("await") && trouble != null) {
                                            throw trouble;
                                        }
                                        return result;
                                    })
                            : value;
                });
    }

    private interface After {
        Object change(String method, Object result) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            try {
                                return after.change(
                                        method.getName(), method.invoke(target, arguments));
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }
}
