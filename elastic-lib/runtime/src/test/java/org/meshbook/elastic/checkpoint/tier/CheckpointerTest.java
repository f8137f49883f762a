package org.meshbook.elastic.checkpoint.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.checkpoint.tier.format.Retention;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.SliceLost;

@Timeout(60)
class CheckpointerTest {
    @TempDir private Path folder;
    private Run run;

    @BeforeEach
    void start() {
        run = new Run(folder, 4);
    }

    private Mesh all() {
        return run.mesh(0, 1, 2, 3);
    }

    @Test
    void aSaveIsAsynchronousAndVisibleOnlyWhenCommitted() {
        var checkpoints = run.inRam();
        checkpoints.latest();
        run.saved(checkpoints, 1, run.state(all(), 1));
        var before = run.sim.clock().elapsed();
        var save = checkpoints.save(2, run.state(all(), 2));
        assertThat(run.sim.clock().elapsed()).isEqualTo(before);
        assertThat(save.done()).isFalse();
        assertThat(checkpoints.latest()).contains(1L);
        assertThat(save.await(Duration.ofSeconds(5))).isTrue();
        assertThat(checkpoints.latest()).contains(2L);
    }

    @Test
    void whatIsSavedComesBackFromEveryTierBitByBit() {
        for (var tier : List.of(Tier.SNAPSHOT, Tier.LOCAL, Tier.PEER, Tier.DURABLE)) {
            run = new Run(folder.resolve(tier.word()), 4);
            var state = run.state(all(), 3);
            var snapshots = new Snapshotter(run.manager);
            var options =
                    switch (tier) {
                        case SNAPSHOT ->
                                CheckpointOptions.DEFAULT.ram(run.ram).snapshots(snapshots);
                        case LOCAL, PEER -> CheckpointOptions.DEFAULT.ram(run.ram);
                        case DURABLE -> CheckpointOptions.DEFAULT.onlyDurable(run.durable);
                    };
            var checkpoints = run.of(options);
            run.saved(checkpoints, 5, state);
            var whole = Run.content(state);
            var mesh = all();
            if (tier == Tier.PEER) {
                // The machine of slice 2 is another one: its RAM disk is empty.
                run.files("slice-2-host-0").forEach(CheckpointerTest::delete);
            }
            if (tier == Tier.SNAPSHOT) {
                var replicated =
                        new Run.State(
                                state.w(),
                                List.of(state.moments().getFirst()),
                                state.key(),
                                3,
                                state.phase());
                snapshots.save(6, replicated);
                snapshots.join();
                var back = checkpoints.load(mesh, replicated);
                assertThat(back.w().toHost()).isEqualTo(state.w().toHost());
            } else {
                var back = checkpoints.load(mesh, run.state(mesh, 0));
                assertThat(Run.content(back)).isEqualTo(whole);
            }
            assertThat(checkpoints.lastRestore()).map(RestoreReport::tier).contains(tier);
        }
    }

    @Test
    void firstStateIsFreedBeforeACheckpointIsReadAndMadeAloneWithoutOne() {
        var checkpoints = run.inBoth();
        var made = new ArrayList<Run.State>();
        Function<Mesh, Run.State> init =
                mesh -> {
                    made.add(run.state(mesh, made.size()));
                    return made.getLast();
                };
        // nothing to restore: what was made first is what the program begins with
        var first = checkpoints.restoreLatestOr(all(), init);
        assertThat(first).isSameAs(made.getFirst());
        run.saved(checkpoints, 5, first);
        var whole = Run.content(first);
        var back = checkpoints.restoreLatestOr(all(), init);
        assertThat(Run.content(back)).isEqualTo(whole);
        assertThat(made).hasSize(2);
        assertThatThrownBy(() -> made.getLast().w().toHost()).hasMessageContaining("freed");
    }

    @Test
    void aStateComesBackOnThreeOfFourSlices() {
        var checkpoints = run.inRam();
        var state = run.state(all(), 4);
        var whole = Run.content(state);
        run.saved(checkpoints, 5, state);
        run.lose(1);
        var mesh = run.mesh(0, 2, 3);
        var back = checkpoints.load(mesh, run.state(mesh, 0));
        assertThat(Run.content(back)).isEqualTo(whole);
        var report = checkpoints.lastRestore().orElseThrow();
        assertThat(report.tier()).isEqualTo(Tier.PEER);
        assertThat(report.toString())
                .startsWith("step 5 from peer:")
                .contains("not step 5 local: shards-1-0.bin of slice 1");
    }

    @Test
    void aStateComesBackOnAnotherModelAxis() {
        var checkpoints = run.inBoth();
        var state = run.state(all(), 4);
        run.saved(checkpoints, 5, state);
        var mesh = Mesh.of(run.sim.devices(), new Axis("replica", 2), new Axis("model", 4));
        var back = checkpoints.load(mesh, run.state(mesh, 0));
        assertThat(Run.content(back)).isEqualTo(Run.content(state));
        assertThat(run.sim.shardingOf(back.w())).isEqualTo(mesh.sharding("", "model"));
    }

    @Test
    void aTwoDimensionalMeshIsSavedAfterAResize() {
        var checkpoints = run.inRam();
        run.saved(checkpoints, 5, run.state(all(), 4));
        run.lose(3);
        var mesh = run.mesh(0, 1, 2);
        var smaller = checkpoints.load(mesh, run.state(mesh, 0));
        run.saved(checkpoints, 6, smaller);
        run.back(3);
        var again = checkpoints.load(all(), run.state(all(), 0));
        assertThat(Run.content(again)).isEqualTo(Run.content(run.state(all(), 4)));
        assertThat(checkpoints.lastRestore()).map(RestoreReport::step).contains(6L);
    }

    @Test
    void aLossBetweenWrittenAndCommittedLeavesTheOlderStepTheLatest() {
        var checkpoints = run.inRam();
        run.saved(checkpoints, 1800, run.state(all(), 1));
        var save = checkpoints.save(1820, run.state(all(), 2));
        // The bytes are written by now, the answer of slice 2 is not there yet.
        assertThat(run.folders("1820.writing-")).isNotEmpty();
        run.sim.kill(2);
        assertThat(save.await(Duration.ofSeconds(30))).isFalse();
        assertThat(save.failure()).containsInstanceOf(SliceLost.class);
        assertThat(checkpoints.latest()).contains(1800L);
        var mesh = run.mesh(0, 1, 3);
        var back = checkpoints.load(mesh, run.state(mesh, 0));
        assertThat(Run.content(back)).isEqualTo(Run.content(run.state(mesh, 1)));
        run.saved(checkpoints, 1820, back);
        assertThat(checkpoints.latest()).contains(1820L);
    }

    @Test
    void everyDueSaveAfterARollbackIsAccepted() {
        var checkpoints =
                run.of(
                        CheckpointOptions.DEFAULT
                                .ram(run.ram.keep(Retention.ALL))
                                .durable(run.durable));
        for (long step : List.of(1600L, 1615L, 1820L)) {
            run.saved(checkpoints, step, run.state(all(), (int) step));
        }
        var back = checkpoints.load(all(), run.state(all(), 0), 1615);
        assertThat(back.position()).isEqualTo(161_500);
        assertThat(checkpoints.steps()).containsExactly(1600L, 1615L);
        for (long step : List.of(1620L, 1640L, 1660L)) {
            run.saved(checkpoints, step, run.state(all(), (int) step));
        }
        assertThat(checkpoints.steps()).containsExactly(1600L, 1615L, 1620L, 1640L, 1660L);
        // What was rolled back is still there for people, but is no candidate.
        assertThat(run.folders("durable/run/1820.aside-")).hasSize(1);
    }

    @Test
    void stepZeroIsReserved() {
        var checkpoints = run.inRam();
        assertThatThrownBy(() -> checkpoints.save(0, run.state(all(), 1)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("0 stands for no checkpoint");
        assertThatThrownBy(() -> checkpoints.load(all(), run.state(all(), 1), 0))
                .isInstanceOf(UsageError.class);
        assertThat(checkpoints.restoreLatestOr(all(), mesh -> run.state(mesh, 9)).position())
                .isEqualTo(900);
    }

    @Test
    void theGreatestCompleteStepWinsWhateverItsTier() {
        var checkpoints = run.inBoth();
        run.saved(checkpoints, 10, run.state(all(), 1));
        run.files("slice-").forEach(CheckpointerTest::delete);
        run.saved(run.inRam(), 7, run.state(all(), 2));
        var back = checkpoints.load(all(), run.state(all(), 0));
        assertThat(back.position()).isEqualTo(100);
        assertThat(checkpoints.lastRestore()).map(RestoreReport::tier).contains(Tier.DURABLE);
    }

    @Test
    void twoNeighboursWithoutTheirDisksMakeAStepIncompleteAndAnOlderOneIsTaken() {
        var checkpoints =
                run.of(CheckpointOptions.DEFAULT.ram(run.ram).durable(run.durable.everySteps(10)));
        run.saved(checkpoints, 10, run.state(all(), 1));
        run.saved(checkpoints, 12, run.state(all(), 2));
        run.files("slice-1-host-0").forEach(CheckpointerTest::delete);
        run.files("slice-2-host-0").forEach(CheckpointerTest::delete);
        var back = checkpoints.load(all(), run.state(all(), 0));
        assertThat(back.position()).isEqualTo(100);
        var report = checkpoints.lastRestore().orElseThrow();
        assertThat(report.tier()).isEqualTo(Tier.DURABLE);
        assertThat(report.toString()).contains("not step 12 peer: incomplete: shards-1-0.bin");
    }

    @Test
    void aLossDuringTheLoadFallsToTheOtherHolders() {
        var checkpoints = run.inRam();
        run.saved(checkpoints, 5, run.state(all(), 4));
        // Other pieces than were saved, so that the hosts that have them must send them.
        var devices = run.sim.devices().subList(0, 4);
        var mesh = Mesh.of(devices, new Axis("replica", 1), new Axis("model", 4));
        var like = run.state(mesh, 0);
        // The scans take 20 ms each, the load 30: slice 3 goes while its part is under way.
        run.sim.at(run.sim.clock().elapsed().plusMillis(55), () -> run.sim.kill(3));
        var back = checkpoints.load(mesh, like);
        assertThat(Run.content(back)).isEqualTo(Run.content(run.state(mesh, 4)));
        assertThat(checkpoints.lastRestore()).map(RestoreReport::tier).contains(Tier.PEER);
        assertThat(run.sim.view().healthy()).containsExactly(0, 1, 2);
    }

    @Test
    void retentionNeverTakesTheNewestAndKeepsEveryKth() {
        var checkpoints =
                run.of(
                        CheckpointOptions.DEFAULT
                                .ram(run.ram.keep(Retention.last(1)))
                                .durable(run.durable.keep(Retention.last(2).andEvery(4))));
        for (int step = 1; step <= 10; step++) {
            run.saved(checkpoints, step, run.state(all(), step));
        }
        assertThat(checkpoints.steps()).containsExactly(4L, 8L, 9L, 10L);
        assertThat(run.folders("slice-0-host-0/")).containsExactly("ram/run/slice-0-host-0/10");
    }

    @Test
    void aDurableSaveNeverMakesAStepWait() {
        var checkpoints = run.inFolder();
        var first = checkpoints.save(1, run.state(all(), 1));
        var before = run.sim.clock().elapsed();
        var second = checkpoints.save(2, run.state(all(), 2));
        assertThat(run.sim.clock().elapsed()).isEqualTo(before);
        assertThat(second.tiers()).isEmpty();
        assertThat(second.notes().getFirst()).contains("still on its way");
        assertThat(first.await(Duration.ofSeconds(5))).isTrue();
        assertThat(checkpoints.steps()).containsExactly(1L);
    }

    @Test
    void savesByTimeComeWhenTheTimeHasPassed() {
        var hourly = run.durable.every(Duration.ofHours(1));
        var checkpoints = run.of(CheckpointOptions.DEFAULT.onlyDurable(hourly));
        assertThat(checkpoints.save(1, run.state(all(), 1)).tiers()).isEmpty();
        run.pass(Duration.ofHours(1));
        run.saved(checkpoints, 2, run.state(all(), 2));
        assertThat(checkpoints.save(3, run.state(all(), 3)).tiers()).isEmpty();
        assertThat(checkpoints.steps()).containsExactly(2L);
    }

    @Test
    void exactlyOneIntervalIsGiven() {
        assertThat(DurableTier.at("/mnt/x").every()).isEqualTo(Duration.ofMinutes(30));
        assertThatThrownBy(
                        () ->
                                new DurableTier(
                                        "/x", Map.of(), 5, Duration.ofMinutes(1), Retention.ALL))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("give one of them");
    }

    @Test
    void aFullDiskIsToldAtTheNextSaveAndTheOlderStepStays() {
        var once = run.ram.quota(24_000).keep(Retention.ALL);
        var checkpoints = run.of(CheckpointOptions.DEFAULT.ram(once));
        long step = 0;
        CheckpointSave save;
        do {
            save = checkpoints.save(++step, run.state(all(), (int) step));
        } while (save.await(Duration.ofSeconds(5)) && step < 100);
        assertThat(save.failure().orElseThrow())
                .hasMessageContaining("No space left on device")
                .hasMessageContaining("slice ");
        assertThat(run.folders(".writing-")).isEmpty();
        assertThat(checkpoints.latest()).contains(step - 1);
        long next = step + 1;
        assertThatThrownBy(() -> checkpoints.save(next, run.state(all(), 1)))
                .isInstanceOf(CheckpointFailed.class)
                .hasMessageContaining("No space left on device");
        assertThat(checkpoints.load(all(), run.state(all(), 0)).position())
                .isEqualTo((step - 1) * 100);
    }

    @Test
    void closeThrowsTheFirstFailure() {
        var checkpoints = run.of(CheckpointOptions.DEFAULT.ram(run.ram.quota(100)));
        var save = checkpoints.save(1, run.state(all(), 1));
        save.await(Duration.ofSeconds(5));
        assertThatThrownBy(checkpoints::close)
                .isInstanceOf(CheckpointFailed.class)
                .hasMessageContaining("step 1 was not saved to local");
        checkpoints.close();
    }

    @Test
    void aLossIsToldByCloseButIsNoFailureOfTheNextSave() {
        var checkpoints = run.inRam();
        var save = checkpoints.save(1, run.state(all(), 1));
        run.sim.kill(2);
        assertThat(save.await(Duration.ofSeconds(30))).isFalse();
        var mesh = run.mesh(0, 1, 3);
        run.saved(checkpoints, 2, run.state(mesh, 2));
        checkpoints.close();
        var last = checkpoints.save(3, run.state(mesh, 3));
        run.sim.kill(3);
        assertThat(last.await(Duration.ofSeconds(30))).isFalse();
        assertThatThrownBy(checkpoints::close).isInstanceOf(CheckpointFailed.class);
    }

    @Test
    void fiveHundredSavesBackToBackDoNotHang() {
        var checkpoints = run.of(CheckpointOptions.DEFAULT.ram(run.ram.keep(Retention.last(1))));
        var mesh = all();
        var state = run.state(mesh, 1);
        var saves = new ArrayList<CheckpointSave>();
        for (int step = 1; step <= 500; step++) {
            saves.add(checkpoints.save(step, state));
        }
        checkpoints.join();
        assertThat(saves).allMatch(save -> save.done() && save.failure().isEmpty());
        assertThat(checkpoints.steps()).containsExactly(500L);
        assertThat(run.folders(".writing-")).isEmpty();
    }

    @Test
    void twoIncompleteFoldersOneBeingWrittenOnlyTheDeadOneIsSwept() throws IOException {
        var durable = folder.resolve("durable/run");
        var mine = ProcessHandle.current();
        long started = mine.info().startInstant().orElseThrow().toEpochMilli();
        var host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        incomplete(durable.resolve("30.writing-dead"), "%s 999999999 1 dead".formatted(host));
        incomplete(
                durable.resolve("20.writing-live"),
                // A process of this machine that lives: the one that started this one.
                "%s %d %d live"
                        .formatted(
                                host,
                                mine.parent().orElseThrow().pid(),
                                mine.parent()
                                        .orElseThrow()
                                        .info()
                                        .startInstant()
                                        .orElseThrow()
                                        .toEpochMilli()));
        incomplete(
                durable.resolve("25.writing-abandoned"),
                "%s %d %d abandoned".formatted(host, mine.pid(), started));
        Files.createDirectories(durable.resolve("notes"));
        Files.createDirectories(durable.resolve("40"));
        Files.writeString(durable.resolve("40/weights.bin"), "copied without its manifest");
        var checkpoints = run.inFolder();
        run.saved(checkpoints, 50, run.state(all(), 1));
        assertThat(run.folders("durable/run/"))
                .containsExactly(
                        "durable/run/20.writing-live",
                        "durable/run/40",
                        "durable/run/50",
                        "durable/run/notes");
        assertThat(checkpoints.steps()).containsExactly(50L);
        // A step that comes to that name puts it aside.
        run.saved(run.inFolder(), 60, run.state(all(), 1));
        var back = run.inFolder();
        back.load(all(), run.state(all(), 0), 50);
        run.saved(run.inFolder(), 51, run.state(all(), 1));
        assertThat(run.files("40/weights.bin")).hasSize(1);
    }

    private static void incomplete(Path path, String writer) throws IOException {
        Files.createDirectories(path);
        Files.writeString(path.resolve("writer"), writer + "\n");
        Files.writeString(path.resolve("shards-0-0.bin"), "half");
    }

    @Test
    void aForeignFolderOfTheSameNameIsPutAsideNotDeleted() throws IOException {
        var foreign = folder.resolve("durable/run/40");
        Files.createDirectories(foreign);
        Files.writeString(foreign.resolve("weights.bin"), "copied without its manifest");
        run.saved(run.inFolder(), 40, run.state(all(), 1));
        assertThat(run.inFolder().steps()).containsExactly(40L);
        assertThat(run.files("40.aside-1/weights.bin")).hasSize(1);
    }

    @Test
    void everyPathThatDoesNotFitIsListed() {
        var checkpoints = run.inRam();
        run.saved(checkpoints, 5, run.state(all(), 4));
        record Other(Array w, List<Array> moments, HostArray key, int position, Run.Phase phase) {}
        var like =
                new Other(
                        run.sim.put(Run.values(Run.M, 0), all().replicated()),
                        List.of(),
                        Run.values(Run.M, 0),
                        3,
                        Run.Phase.WARM);
        assertThatThrownBy(() -> checkpoints.load(all(), like))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'moments' is a list of 2, asked for a list of 0");
        var state = run.state(all(), 0);
        var resized =
                new Run.State(
                        run.sim.put(Run.values(Run.M, 0), all().replicated()),
                        state.moments(),
                        Run.values(Run.M, 0),
                        3,
                        Run.Phase.WARM);
        assertThatThrownBy(() -> checkpoints.load(all(), resized))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("'w' is f32[24,8], asked for f64[24]")
                .hasMessageContaining("'key' is i64[2], asked for f64[24]");
    }

    @Test
    void namesCannotLeaveTheirFolder() {
        for (var name : List.of("../x", "a/b", "/etc", "", ".hidden", "a\0b", "..", "a b")) {
            assertThatThrownBy(() -> new Checkpointer(run.manager, name, CheckpointOptions.DEFAULT))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("does not name a run");
        }
        var tree = Map.of("../../evil", run.sim.put(Run.values(Run.M, 1), all().replicated()));
        var checkpoints = run.inBoth();
        var save = checkpoints.save(3, tree);
        assertThat(save.await(Duration.ofSeconds(5))).isTrue();
        assertThat(run.files("evil")).isEmpty();
        var back = checkpoints.load(all(), tree);
        assertThat(back.values().iterator().next().toHost()).isEqualTo(Run.values(Run.M, 1));
    }

    @Test
    void oneSliceHasNoPeerAndSaysSo() {
        var mesh = run.mesh(2);
        var checkpoints = run.inRam();
        var save = checkpoints.save(1, run.state(mesh, 1));
        assertThat(save.await(Duration.ofSeconds(5))).isTrue();
        assertThat(save.notes().getFirst()).contains("no copies in a next slice");
        assertThat(save.toString()).startsWith("checkpoint of step 1 to local: complete");
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
