package org.meshbook.elastic.checkpoint;

import static java.util.stream.Collectors.joining;
import static org.meshbook.elastic.UsageError.require;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.SaveResult.Accepted;
import org.meshbook.elastic.checkpoint.SaveResult.SkippedBusy;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;

/// Keeps copies of a program's state in the memory of the workers that hold it, so that the state
/// outlives the loss of all replicas but one.
///
/// State, step and data position are one unit: put them into one record and save that. Made once,
/// outside the retry; [#save] and the loads belong to the loop's thread, the rest is safe on any.
public final class Snapshotter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Snapshotter.class.getName());
    private static final Duration JOIN = Duration.ofMinutes(1);

    private final Manager manager;
    private final Slices slices;
    private final SnapshotOptions options;
    private final AtomicReference<@Nullable Accepted> inFlight = new AtomicReference<>();
    private final Shelf shelf;

    /// Keeps one snapshot; whole copies lie along the first axis of the mesh.
    ///
    /// @param manager whose slices hold the copies
    public Snapshotter(Manager manager) {
        this(manager, SnapshotOptions.DEFAULT);
    }

    /// @param manager whose slices hold the copies
    /// @param options how they are kept
    public Snapshotter(Manager manager, SnapshotOptions options) {
        this.manager = manager;
        this.slices = manager.slices();
        this.options = options;
        this.shelf = new Shelf(options.kept());
    }

    /// Starts a snapshot; never waits for a device. It can be restored once every copy is complete;
    /// until then, and if a slice is lost meanwhile, the one before it stays the latest.
    ///
    /// @param step the step that was just done
    /// @param state a record, list or map of arrays and plain values; each array lies on a mesh and
    ///   is replicated along the replica axis, or is a host array
    /// @return whether the save began, or was skipped because another one is in flight
    /// @throws org.meshbook.elastic.UsageError if an array is not replicated there, or the state is
    ///   over the budget; names the leaf
    public SaveResult save(long step, Object state) {
        // 1. look at the tree
        var flat = Tree.flatten(state);
        var unit = Unit.of(flat);
        var placed = flat.leaves().stream().filter(leaf -> !(leaf instanceof HostArray)).toList();
        checkReplicated(flat);
        checkBudget(state);
        // 2. one save at a time
        var saving = new Accepted(step, slices.clock());
        var busy = inFlight.compareAndExchange(null, saving);
        if (busy != null) {
            shelf.skipped();
            return new SkippedBusy(step, busy.step());
        }
        // 3. start the copies, and wait for them elsewhere
        start(saving, unit, placed, shelf::add);
        return saving;
    }

    /// @return the newest complete snapshot
    public Optional<Snapshot> latest() {
        return shelf.newest().map(Held::told);
    }

    /// @return what became of the saves so far
    public SnapshotStats stats() {
        return shelf.stats();
    }

    /// Waits until no save is in flight.
    public void join() {
        join(Retry.FOREVER);
    }

    /// @param timeout how long at most
    /// @return whether none is in flight
    public boolean join(Duration timeout) {
        try {
            return slices.clock().await(timeout, () -> inFlight.get() == null);
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for a snapshot", e);
        }
    }

    /// Waits for the save in flight, then restores the latest snapshot onto a mesh; without one, or
    /// if no whole copy of it survives, the program starts from the beginning and is told so.
    ///
    /// @param mesh where to; the same axis names as the mesh that was saved
    /// @param init makes the state of the beginning on that mesh; called only then
    /// @param <T> type of the state
    /// @return the state
    /// @throws org.meshbook.elastic.slices.SliceLost if a slice of the mesh is lost; let it pass
    public <T> T restoreLatestOr(Mesh mesh, Function<Mesh, T> init) {
        join(JOIN);
        while (true) {
            var latest = shelf.newest();
            if (latest.isEmpty()) {
                return init.apply(mesh);
            }
            var from = latest.get();
            try {
                return restore(from, mesh, Optional.empty(), true);
            } catch (SnapshotLost lost) {
                LOG.log(System.Logger.Level.WARNING, "step={0} lost: {1}", from.step, lost);
                manager.tell(
                        new ElasticEvent.Restored(slices.clock().now(), from.step, Set.of(), 0));
                shelf.forget(from);
            }
        }
    }

    /// Restores the latest snapshot onto a mesh.
    ///
    /// @param mesh where to; the same axis names as the mesh that was saved
    /// @param like a state of the same structure, shapes and types; its values are not read
    /// @param <T> type of the state
    /// @return the state, in the classes of `like`
    /// @throws SnapshotLost if there is none, or no slice holds a whole copy
    /// @throws org.meshbook.elastic.UsageError if the structures differ; lists the paths
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
        var latest =
                shelf.newest()
                        .orElseThrow(
                                () ->
                                        new SnapshotLost(
                                                "no snapshot is complete; save(step, state) makes"
                                                        + " one"));
        return restore(latest, mesh, Optional.of(Tree.flatten(like)), reset);
    }

    /// @param state a state
    /// @return bytes that one snapshot of it takes at each replica
    public static long estimateBytes(Object state) {
        return Tree.leaves(state).stream()
                .filter(leaf -> !(leaf instanceof HostArray))
                .mapToLong(leaf -> leaf.type().bytes())
                .sum();
    }

    /// Frees all snapshots.
    @Override
    public void close() {
        join(JOIN);
        shelf.clear();
    }

    private <T> T restore(Held from, Mesh mesh, Optional<Tree.Flat> like, boolean reset) {
        if (!from.read()) {
            throw new SnapshotLost("the snapshot of step " + from.step + " was just replaced");
        }
        try {
            var structure = like.map(from.unit::as).orElse(from.unit.structure());
            var loaded = new Load(manager, from, options.replicaAxis()).onto(mesh);
            T state = structure.rebuild(from.unit.leaves(loaded));
            if (reset) {
                copyAnew(from, loaded);
            }
            return state;
        } catch (InterruptedException e) {
            throw new Interrupted("restoring step " + from.step, e);
        } finally {
            from.readOver();
        }
    }

    /// Without this a second loss would look for replicas on the old mesh. Replaces the snapshot
    /// only if it is still there: one that was completed meanwhile is newer.
    private void copyAnew(Held from, List<Array> loaded) {
        var saving = new Accepted(from.step, slices.clock());
        if (inFlight.compareAndSet(null, saving)) {
            start(saving, from.unit, loaded, fresh -> shelf.replace(from, fresh));
        }
    }

    private void start(Accepted saving, Unit unit, List<Array> placed, Consumer<Held> keep) {
        HostCopy copy;
        try {
            copy = slices.copyToHosts(placed);
        } catch (RuntimeException e) {
            inFlight.set(null);
            saving.end(e);
            throw e;
        }
        shelf.accepted();
        slices.clock().start("snapshot", () -> complete(saving, unit, copy, keep));
    }

    private void complete(Accepted saving, Unit unit, HostCopy copy, Consumer<Held> keep) {
        @Nullable Throwable failure = null;
        try {
            if (copy.await(options.copyWithin())) {
                keep.accept(new Held(saving.step(), unit, copy, slices.clock().now()));
            } else {
                failure =
                        new SnapshotLost(
                                "the copy of step %d took longer than %s"
                                        .formatted(saving.step(), options.copyWithin()));
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            failure = e;
        }
        if (failure != null) {
            shelf.failed(failure);
            manager.tell(
                    new ElasticEvent.NotSaved(slices.clock().now(), saving.step(), cause(failure)));
            copy.release();
        }
        inFlight.set(null);
        saving.end(failure);
    }

    private static String cause(Throwable failure) {
        return failure instanceof SliceLost lost
                ? "slice "
                        + lost.slices().stream().map(String::valueOf).collect(joining(", "))
                        + " was lost meanwhile"
                : String.valueOf(failure.getMessage());
    }

    private void checkReplicated(Tree.Flat flat) {
        var paths = flat.structure().paths();
        for (int i = 0; i < paths.size(); i++) {
            if (flat.leaves().get(i) instanceof HostArray) {
                continue;
            }
            var sharding = slices.shardingOf(flat.leaves().get(i));
            var axes = sharding.mesh().axes();
            require(
                    options.replicaAxis() < axes.size(),
                    "'%s' lies on %s, which has no axis %d to keep replicas along",
                    paths.get(i),
                    sharding.mesh(),
                    options.replicaAxis());
            var replica = axes.get(options.replicaAxis()).name();
            require(
                    sharding.replicatedAlong(replica),
                    "'%s' is cut over the replica axis '%s' (%s); a snapshot needs a whole copy at"
                            + " each replica: put it with a sharding that leaves '%s' out",
                    paths.get(i),
                    replica,
                    sharding,
                    replica);
        }
    }

    private void checkBudget(Object state) {
        long each = estimateBytes(state);
        long copies = options.kept() + 1L;
        require(
                each <= options.budgetBytes() / copies,
                "a snapshot takes %d bytes at each replica, %d with one in flight; the budget is %d",
                each,
                each * copies,
                options.budgetBytes());
    }
}
