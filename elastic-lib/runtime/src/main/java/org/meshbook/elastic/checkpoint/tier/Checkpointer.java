package org.meshbook.elastic.checkpoint.tier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.checkpoint.tier.format.Names;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.checkpoint.tier.restore.Candidate;
import org.meshbook.elastic.checkpoint.tier.restore.Refusal;
import org.meshbook.elastic.checkpoint.unit.Pattern;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.SliceLost;

/// Saves a program's state to RAM disks, to the next slice and to a durable place, and restores the
/// newest step that is complete in any of them.
///
/// State, step and data position are one unit: put them into one record and save that. Hosts write
/// and read their own shards; nothing goes by way of this process. A step is there as a whole or
/// not at all, and what is there is found by looking, never remembered. Steps are counted from 1.
///
/// Made once, outside the retry; [#save] and the loads belong to the loop's thread, the rest is
/// safe on any.
public final class Checkpointer implements AutoCloseable {
    private static final String RUN_OF_JOB = "JOBSET_NAME";

    private final Manager manager;
    private final CheckpointOptions options;
    private final Tiers tiers;
    private final Saving saving;
    private final AtomicReference<Optional<RestoreReport>> last =
            new AtomicReference<>(Optional.empty());

    /// @param manager whose slices hold the state
    /// @param run name of the run: letters, digits, `.`, `_` and `-`
    /// @param options which tiers
    /// @throws UsageError if the name is not fit
    public Checkpointer(Manager manager, String run, CheckpointOptions options) {
        this.manager = manager;
        this.options = options;
        this.tiers = new Tiers(manager.slices(), Names.run(run), options);
        this.saving = new Saving(manager, tiers, options);
    }

    /// Takes the run's name from the job that this process is part of (`JOBSET_NAME`).
    ///
    /// @param manager whose slices hold the state
    /// @param options which tiers
    /// @return the checkpointer
    /// @throws UsageError if this process is part of no job
    public static Checkpointer ofJob(Manager manager, CheckpointOptions options) {
        var run = System.getenv(RUN_OF_JOB);
        if (run == null) {
            throw new UsageError(
                    "this process is part of no job (%s is not set), so its run has no name; name"
                            + " it: new Checkpointer(manager, \"run-1\", options)",
                    RUN_OF_JOB);
        }
        return new Checkpointer(manager, run, options);
    }

    /// Starts to save a step to the tiers where it is due. Waits for the save before it on the RAM
    /// disks, never for a device or a durable place: if the one before is still on its way there,
    /// this step is not written there.
    ///
    /// @param step the step that was just done, from 1
    /// @param state a record, list or map of arrays and plain values
    /// @return the save under way; its tiers are empty if the step is due nowhere
    /// @throws UsageError if the step is 0, or the state holds what changes after the save
    /// @throws CheckpointFailed if the save before this one failed, unless by the loss of a slice,
    ///   which the manager's events tell
    public CheckpointSave save(long step, Object state) {
        return saving.save(Names.step(step), Tree.flatten(state));
    }

    /// Restores the newest step that is complete; without any, the program starts from the
    /// beginning.
    ///
    /// @param mesh where to; any shape with the axes that the arrays are cut over
    /// @param init makes the state of the beginning on that mesh; if there is something to restore,
    ///   only to see its classes and where each array goes, and what it made is freed before
    /// @param <T> type of the state
    /// @return the state
    /// @throws CheckpointFailed if there are complete steps but none can be read: the program must
    ///   not begin anew over them
    /// @throws UsageError if the state has another structure; lists the paths
    /// @throws SliceLost if a slice of the mesh is lost; let it pass
    public <T> T restoreLatestOr(Mesh mesh, Function<Mesh, T> init) {
        if (options.snapshots().flatMap(Snapshotter::latest).isEmpty() && steps().isEmpty()) {
            return init.apply(mesh);
        }
        var like = Pattern.ofMade(() -> init.apply(mesh), manager.slices());
        Optional<T> restored = restore(mesh, like, Optional.empty());
        return restored.orElseGet(() -> init.apply(mesh));
    }

    /// Restores the newest step that is complete.
    ///
    /// @param mesh where to
    /// @param like a state of the same structure, shapes and types; its values are not read
    /// @param <T> type of the state
    /// @return the state, in the classes of `like`
    /// @throws CheckpointFailed if there is none, or none can be read
    public <T> T load(Mesh mesh, T like) {
        Optional<T> restored = restore(mesh, pattern(like), Optional.empty());
        return restored.orElseThrow(
                () ->
                        new CheckpointFailed(
                                "no step of run '%s' is complete; save(step, state) makes one"
                                        .formatted(tiers.run()),
                                null));
    }

    /// Goes back to a step: later ones are not there any more, and can be saved again.
    ///
    /// @param mesh where to
    /// @param like a state of the same structure, shapes and types
    /// @param step which
    /// @param <T> type of the state
    /// @return the state
    /// @throws CheckpointFailed if that step is not complete anywhere
    public <T> T load(Mesh mesh, T like, long step) {
        Optional<T> restored = restore(mesh, pattern(like), Optional.of(Names.step(step)));
        return restored.orElseThrow(
                () ->
                        new CheckpointFailed(
                                "step %d of run '%s' is not complete anywhere; complete are %s"
                                        .formatted(step, tiers.run(), steps()),
                                null));
    }

    /// @return steps that are complete in a tier of files, ascending; looks now
    public List<Long> steps() {
        try {
            return tiers.catalog().find(new ArrayList<>()).stream()
                    .map(Candidate::step)
                    .distinct()
                    .sorted()
                    .toList();
        } catch (InterruptedException e) {
            throw new Interrupted("looking for checkpoints", e);
        }
    }

    /// @return the newest of [#steps()]
    public Optional<Long> latest() {
        var steps = steps();
        return steps.isEmpty() ? Optional.empty() : Optional.of(steps.getLast());
    }

    /// @return what the last restore took, and why not something else
    public Optional<RestoreReport> lastRestore() {
        return last.get();
    }

    /// Waits until no save is in flight.
    ///
    /// @throws CheckpointFailed the first failure that was not told yet
    public void join() {
        saving.join(options.within());
    }

    /// Waits for what is in flight; then throws the first failure that was not told yet, so that
    /// nobody believes in a checkpoint that is not there.
    @Override
    public void close() {
        join();
    }

    private Pattern pattern(Object like) {
        return Pattern.of(like, manager.slices());
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // a pattern remembers no static type
    private <T> Optional<T> restore(Mesh mesh, Pattern like, Optional<Long> wanted) {
        var clock = manager.slices().clock();
        var start = clock.elapsed();
        saving.settle(options.within());
        var restoring = new Restoring(manager, tiers, options, mesh, wanted);
        try {
            Optional<Restoring.Restored<T>> restored = restoring.restore(like);
            restored.ifPresent(done -> told(done, start, clock.elapsed()));
            return restored.map(Restoring.Restored::state);
        } catch (InterruptedException e) {
            throw new Interrupted("restoring a checkpoint", e);
        }
    }

    private void told(Restoring.Restored<?> done, Duration start, Duration end) {
        var report =
                new RestoreReport(
                        done.tier(), done.step(), done.bytes(), end.minus(start), done.refused());
        last.set(Optional.of(report));
        if (done.tier() != Tier.SNAPSHOT) {
            manager.slices().timeline().add("restore", start, end, done.bytes());
        }
        saving.rolledBackTo(done.step());
    }

    /// What a failed restore says of everything that it tried.
    static String reasons(List<Refusal> refused) {
        return String.join("; ", refused.stream().map(Refusal::toString).toList());
    }

    /// @return as "checkpoints of run 'a' on ram disks and in s3://b/c"
    @Override
    public String toString() {
        return "checkpoints of run '%s' in %s".formatted(tiers.run(), tiers);
    }
}
