package org.meshbook.elastic.checkpoint;

import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.diff.Diff;
import org.meshbook.elastic.checkpoint.diff.Differ;
import org.meshbook.elastic.checkpoint.unit.Pattern;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;

/// Keeps copies of a program's state in the memory of the workers that hold it, so that the state
/// outlives the loss of all replicas but one.
///
/// State, step and data position are one unit: put them into one record and save that. Values
/// beside the arrays are copied at the save, so that a random generator or a counter in the state
/// is restored as it was. Memory: each snapshot takes the bytes of the state at every replica, once
/// for each that is kept and once for the one in flight; see [#estimateBytes].
///
/// Made once, outside the retry; [#save] and the loads belong to the loop's thread, the rest is
/// safe on any.
public final class Snapshotter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Snapshotter.class.getName());
    private static final Duration JOIN = Duration.ofMinutes(1);
    private static final java.util.regex.Pattern NAME =
            java.util.regex.Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,63}");

    private final Manager manager;
    private final SnapshotOptions options;
    private final String name;
    private final Shelf shelf;
    private final Copier copier;
    private final Restorer restorer;
    private final Map<String, Snapshotter> branches = new ConcurrentSkipListMap<>();
    private volatile boolean closed;

    /// Keeps one snapshot; whole copies lie along the first axis of the mesh.
    ///
    /// @param manager whose slices hold the copies
    public Snapshotter(Manager manager) {
        this(manager, SnapshotOptions.DEFAULT);
    }

    /// @param manager whose slices hold the copies
    /// @param options how they are kept
    public Snapshotter(Manager manager, SnapshotOptions options) {
        this(manager, options, "");
    }

    /// Checks at once that snapshots of such a state can be made and fit the budget.
    ///
    /// @param manager whose slices hold the copies
    /// @param options how they are kept
    /// @param state a state as it will be saved
    /// @throws UsageError if a snapshot of it is over the budget, or could not be made
    public Snapshotter(Manager manager, SnapshotOptions options, Object state) {
        this(manager, options);
        options.checkBudget(restorer.intake(state).bytes());
    }

    private Snapshotter(Manager manager, SnapshotOptions options, String name) {
        this.manager = manager;
        this.options = options;
        this.name = name;
        this.shelf = new Shelf(options.kept());
        this.copier = new Copier(manager, shelf, options.copyWithin());
        this.restorer = new Restorer(manager, copier, options);
    }

    /// Goes on with the ring of another program.
    ///
    /// @param manager whose slices hold the copies
    /// @param options how they are kept
    /// @param ring complete snapshots, newest first; they are this one's from now on
    /// @return a snapshotter that restores from them
    public static Snapshotter takingOver(
            Manager manager, SnapshotOptions options, List<Kept> ring) {
        var snapshotter = new Snapshotter(manager, options);
        ring.reversed()
                .forEach(
                        one ->
                                snapshotter.shelf.share(
                                        new Held(one.step(), one.unit(), one.copy(), one.at())));
        return snapshotter;
    }

    /// @return the complete snapshots, newest first, for a program that takes over
    public List<Kept> ring() {
        return shelf.all().stream()
                .map(held -> new Kept(held.step, held.at, held.unit, held.copy))
                .toList();
    }

    /// @return how they are kept
    public SnapshotOptions options() {
        return options;
    }

    /// Tells each change of [#ring()], before what left it is freed.
    ///
    /// @param listener called on the thread that made the change; must not throw
    public void onChange(Runnable listener) {
        shelf.onChange(listener);
    }

    /// Starts a snapshot; never waits for a device. It can be restored once every copy is complete;
    /// until then, and if a slice is lost meanwhile, the one before it stays the latest.
    ///
    /// @param step the step that was just done
    /// @param state a record, list or map of arrays and other values; each array lies on a mesh and
    ///   is replicated along the replica axis, or is a host array, or is small and lies on one
    ///   device
    /// @return whether the save began, or was skipped because another one is in flight
    /// @throws UsageError if an array is not replicated there, a value cannot be copied, or the
    ///   state is over the budget; names the leaf
    public SaveResult save(long step, Object state) {
        var intake = restorer.intake(state);
        options.checkBudget(intake.bytes());
        return copier.save(step, intake);
    }

    /// @return the newest complete snapshot
    public Optional<Snapshot> latest() {
        return shelf.newest().map(held -> new Snapshot(this, held));
    }

    /// @return what became of the saves so far
    public SnapshotStats stats() {
        return shelf.stats();
    }

    /// @return name of the branch; empty for one that is no branch
    public String name() {
        return name;
    }

    /// Waits until no save is in flight.
    public void join() {
        join(Retry.FOREVER);
    }

    /// @param timeout how long at most
    /// @return whether none is in flight
    public boolean join(Duration timeout) {
        try {
            return manager.slices().clock().await(timeout, copier::idle);
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for a snapshot", e);
        }
    }

    /// Waits for the save in flight, then restores the latest snapshot onto a mesh; without one, or
    /// if no whole copy of it survives, the program starts from the beginning and is told so.
    ///
    /// @param mesh where to; the same axis names as the mesh that was saved
    /// @param init makes the state of the beginning on that mesh; called then, and once by code
    ///   that did not make what it restores, to learn the classes that it wants: those arrays are
    ///   freed before the load
    /// @param <T> type of the state
    /// @return the state, in the classes that `init` makes
    /// @throws UsageError if the snapshot does not fit what `init` makes; lists the paths
    /// @throws org.meshbook.elastic.slices.SliceLost if a slice of the mesh is lost; let it pass
    public <T> T restoreLatestOr(Mesh mesh, Function<Mesh, T> init) {
        join(JOIN);
        while (true) {
            var latest = shelf.use(_ -> true);
            if (latest.isEmpty()) {
                return restorer.begin(mesh, init);
            }
            var from = latest.get();
            try {
                return restorer.restore(from, mesh, restorer.pattern(mesh, init), true);
            } catch (SnapshotLost lost) {
                LOG.log(System.Logger.Level.WARNING, "step={0} lost: {1}", from.step, lost);
                manager.tell(
                        new ElasticEvent.Restored(
                                manager.slices().clock().now(), from.step, Set.of(), 0));
                shelf.drop(held -> held == from);
            } finally {
                from.leave();
            }
        }
    }

    /// Restores the latest snapshot onto a mesh, also while a newer one is being saved.
    ///
    /// @param mesh where to; the same axis names as the mesh that was saved
    /// @param like a state of the same structure, shapes and types; its values are not read. Its
    ///   arrays' shardings are those of the result
    /// @param <T> type of the state
    /// @return the state, in the classes of `like`
    /// @throws SnapshotLost if there is none, or no slice holds a whole copy
    /// @throws UsageError if the structures differ; lists the paths
    /// @throws org.meshbook.elastic.slices.SliceLost if a slice of the mesh is lost; let it pass
    public <T> T load(Mesh mesh, T like) {
        return load(mesh, like, true);
    }

    /// @param mesh where to
    /// @param like a state of the same structure, shapes and types
    /// @param reset whether the snapshot is copied anew from the slices of the new mesh; otherwise
    ///   it stays where it survived
    /// @param <T> type of the state
    /// @return the state
    public <T> T load(Mesh mesh, T like, boolean reset) {
        return restored(mesh, restorer.pattern(like), reset);
    }

    /// @param mesh where to
    /// @param like what a state of the same structure, shapes and types looks like
    /// @param <T> type of the state; the caller knows it
    /// @return the state
    @SuppressWarnings("TypeParameterUnusedInFormals") // a pattern remembers no static type
    public <T> T loadLike(Mesh mesh, Pattern like) {
        return restored(mesh, like, true);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T> T restored(Mesh mesh, Pattern like, boolean reset) {
        var latest =
                shelf.use(_ -> true)
                        .orElseThrow(
                                () ->
                                        new SnapshotLost(
                                                "no snapshot is complete; save(step, state) makes"
                                                        + " one"));
        try {
            return restorer.restore(latest, mesh, like, reset);
        } finally {
            latest.leave();
        }
    }

    <T> T load(Snapshot snapshot, Mesh mesh, T like) {
        return using(snapshot, held -> restorer.restore(held, mesh, restorer.pattern(like), false));
    }

    private static <T> T using(Snapshot snapshot, Function<Held, T> work) {
        if (!snapshot.held().use()) {
            throw new SnapshotLost("the " + snapshot + " is no longer kept");
        }
        try {
            return work.apply(snapshot.held());
        } finally {
            snapshot.held().leave();
        }
    }

    /// @param state a state
    /// @return bytes that one snapshot of it takes at each replica
    public static long estimateBytes(Object state) {
        return Tree.flatten(state, (_, value) -> value).leaves().stream()
                .filter(leaf -> !(leaf instanceof HostArray))
                .mapToLong(leaf -> leaf.type().bytes())
                .sum();
    }

    // ---- time travel

    /// @return the complete snapshots, oldest first; prints as a table
    public Steps steps() {
        var all = new ArrayList<Snapshot>();
        shelf.all().reversed().forEach(held -> all.add(new Snapshot(this, held)));
        return new Steps(name, all);
    }

    /// @param step a step that is kept
    /// @return its snapshot
    /// @throws UsageError if it is not kept; lists those that are
    public Snapshot at(long step) {
        return shelf.all().stream()
                .filter(held -> held.step == step)
                .findFirst()
                .map(held -> new Snapshot(this, held))
                .orElseThrow(() -> notKept(step));
    }

    private UsageError notKept(long step) {
        var kept = new TreeSet<Long>();
        shelf.all().forEach(held -> kept.add(held.step));
        return kept.isEmpty()
                ? new UsageError(
                        "step %d is not kept, and no other is; save(step, state) makes a snapshot",
                        step)
                : new UsageError(
                        "step %d is not kept; there are steps %s. SnapshotOptions.keep(n) keeps"
                                + " more",
                        step, kept);
    }

    /// Compares two steps leaf by leaf, on the workers that hold them.
    ///
    /// @param before a step that is kept
    /// @param after another one
    /// @return what changed from one to the other; prints as a table
    /// @throws UsageError if a step is not kept
    /// @throws SnapshotLost if no slice holds a whole copy of one of them
    public Diff diff(long before, long after) {
        return diff(at(before), at(after));
    }

    /// Compares two snapshots, also of different branches.
    ///
    /// @param before one
    /// @param after another one
    /// @return what changed from one to the other; prints as a table
    /// @throws SnapshotLost if no slice holds a whole copy of one of them
    public Diff diff(Snapshot before, Snapshot after) {
        return using(
                before,
                a ->
                        using(
                                after,
                                b -> {
                                    try {
                                        return new Differ(manager, options.replicaAxis())
                                                .compare(side(before, a), side(after, b))
                                                .orElseThrow(
                                                        () ->
                                                                new SnapshotLost(
                                                                        "no slice holds a whole"
                                                                                + " copy of both steps "
                                                                                + a.step
                                                                                + " and "
                                                                                + b.step));
                                    } catch (InterruptedException e) {
                                        throw new Interrupted("comparing snapshots", e);
                                    }
                                }));
    }

    private static Differ.Side side(Snapshot snapshot, Held held) {
        return new Differ.Side(snapshot.run(), held.step, held.unit, held.copy);
    }

    /// Drops what is newer than a step, so that the program goes on from there at its next
    /// [#restoreLatestOr]. Waits for the save in flight.
    ///
    /// @param step a step that is kept
    /// @return its snapshot, the latest from now on
    /// @throws UsageError if it is not kept; lists those that are
    public Snapshot rewind(long step) {
        join(JOIN);
        var to = at(step);
        var newer = new ArrayList<Held>();
        for (var held : shelf.all()) {
            if (held == to.held()) {
                break;
            }
            newer.add(held);
        }
        shelf.drop(newer::contains);
        return to;
    }

    /// Starts another run from a step: a snapshotter of its own whose latest snapshot is that step.
    /// This one stays as it is; the step's memory is shared.
    ///
    /// @param branch name of the run: letters, digits, `-` and `_`
    /// @param step a step that is kept
    /// @return the branch; closes apart from this one
    /// @throws UsageError if the name is taken or the step is not kept
    public Snapshotter branch(String branch, long step) {
        require(
                NAME.matcher(branch).matches(),
                "'%s' is no name of a branch; use letters, digits, '-' and '_', as in \"slow\"",
                branch);
        return using(
                at(step),
                held -> {
                    var open = branches().stream().map(Snapshotter::name).toList();
                    var other = new Snapshotter(manager, options, branch);
                    require(
                            branches.putIfAbsent(branch, other) == null,
                            "there is a branch '%s' already: branches are %s; take another name, or"
                                    + " close() it first",
                            branch,
                            open);
                    held.use();
                    other.shelf.share(held);
                    return other;
                });
    }

    /// @return the branches that were made here and are open, by name
    public List<Snapshotter> branches() {
        branches.values().removeIf(branch -> branch.closed);
        return List.copyOf(branches.values());
    }

    /// Frees all snapshots; branches go on.
    @Override
    public void close() {
        join(JOIN);
        closed = true;
        shelf.drop(_ -> true);
    }

    @Override
    public String toString() {
        return "snapshots%s: %s%s"
                .formatted(
                        name.isEmpty() ? "" : " of '" + name + "'",
                        stats(),
                        copier.inFlight().map(saving -> "\n" + saving).orElse(""));
    }
}
