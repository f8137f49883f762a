package org.meshbook.elastic.train;

import static org.meshbook.elastic.UsageError.require;
import static org.meshbook.elastic.mesh.Axis.axis;

import java.time.Duration;
import java.util.function.Function;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.data.Batches;
import org.meshbook.elastic.data.Data;
import org.meshbook.elastic.data.Position;
import org.meshbook.elastic.manager.Attempt;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.manager.Retry;
import org.meshbook.elastic.mesh.Mesh;

/// A training loop that survives the loss, the announced leave and the return of slices: a policy
/// over [Manager], [Snapshotter] and [Data]. Whoever wants another one copies [#run].
///
/// The mesh is `replica` (one slice each, over which batches are cut) times `model` (the devices of
/// a slice). Immutable; each wither yields a changed copy.
///
/// @param manager of the slices
/// @param snapshots where the state is saved and restored from; made once, outside
/// @param data rows of this host
/// @param batch how many rows a step takes
/// @param retry how to wait and when to give up
/// @param saveEvery steps between snapshots
/// @param watch told of each step
/// @param <B> type of a batch
public record Trainer<B>(
        Manager manager,
        Snapshotter snapshots,
        Data<B> data,
        GlobalBatch batch,
        Retry retry,
        int saveEvery,
        Watch watch) {
    private static final int SAVE_EVERY = 10;
    private static final Duration SAVED_WITHIN = Duration.ofSeconds(5);

    /// @throws org.meshbook.elastic.UsageError if steps between snapshots are below 1
    public Trainer {
        require(saveEvery >= 1, "a snapshot every %d steps; give at least 1", saveEvery);
    }

    /// Trains on one slice or more, with a snapshot every 10 steps.
    ///
    /// @param manager of the slices
    /// @param snapshots where the state is saved
    /// @param data rows of this host
    /// @param batch how many rows a step takes
    public Trainer(Manager manager, Snapshotter snapshots, Data<B> data, GlobalBatch batch) {
        this(manager, snapshots, data, batch, Retry.atLeast(1), SAVE_EVERY, (step, mesh) -> {});
    }

    /// One step of the program.
    ///
    /// @param <S> the state: a record, list or map of arrays
    /// @param <B> type of a batch
    @FunctionalInterface
    public interface Step<S, B> {
        /// @param state on the mesh
        /// @param batch on the same mesh, cut over its slices
        /// @return the state after it
        S apply(S state, B batch);
    }

    /// Told of each step that was dispatched.
    @FunctionalInterface
    public interface Watch {
        /// @param step its number, from 1
        /// @param mesh where it runs
        void stepped(long step, Mesh mesh);
    }

    /// What is saved, lost and restored together.
    ///
    /// @param state the program's
    /// @param data where the next batch begins
    /// @param step steps done
    /// @param <S> the state
    public record Point<S>(S state, Position data, long step) {}

    /// @param how to wait and when to give up
    /// @return the changed copy
    public Trainer<B> retry(Retry how) {
        return new Trainer<>(manager, snapshots, data, batch, how, saveEvery, watch);
    }

    /// @param steps between snapshots
    /// @return the changed copy
    public Trainer<B> saveEvery(int steps) {
        return new Trainer<>(manager, snapshots, data, batch, retry, steps, watch);
    }

    /// @param listener told of each step
    /// @return the changed copy
    public Trainer<B> watch(Watch listener) {
        return new Trainer<>(manager, snapshots, data, batch, retry, saveEvery, listener);
    }

    /// Trains.
    ///
    /// @param init makes the state of the beginning on a mesh
    /// @param step one step, as a function made by `jit`
    /// @param steps how many
    /// @param <S> the state
    /// @return the state after them
    /// @throws org.meshbook.elastic.manager.ElasticGaveUp if the retry says so
    /// @throws org.meshbook.elastic.manager.CapacityTimeout if too few slices answer in time
    /// @throws org.meshbook.elastic.MeshMismatch if a batch does not divide over the slices
    public <S> S train(Function<Mesh, S> init, Step<S, B> step, long steps) {
        return manager.elasticRetry(retry, attempt -> run(attempt, init, step, steps));
    }

    private <S> S run(Attempt attempt, Function<Mesh, S> init, Step<S, B> step, long steps) {
        // 1. a mesh of the slices there are
        var mesh = mesh();
        // 2. go on from the newest snapshot, or begin
        var at =
                snapshots.restoreLatestOr(
                        mesh, on -> new Point<>(init.apply(on), batches().start(), 0));
        var feed = attempt.closing(batches().from(at.data()));
        while (at.step() < steps) {
            // 3. one step: state, position and number change together
            var target = mesh.sharding("replica");
            var rows = Tree.map(feed.next(), array -> manager.slices().put(array, target));
            at = new Point<>(step.apply(at.state(), rows), feed.position(), at.step() + 1);
            attempt.completed(at.step());
            watch.stepped(at.step(), mesh);
            // 4. save now and then; and when a slice says that it leaves, before it goes
            boolean leaving = !manager.leavingSlices().isEmpty();
            if (leaving || at.step() % saveEvery == 0) {
                snapshots.save(at.step(), at);
            }
            if (leaving) {
                snapshots.join(SAVED_WITHIN);
            }
            // 5. fit the mesh to the slices, which may change the batch
            var now = manager.resizeIfNeeded(mesh, at);
            if (now.changed()) {
                mesh = now.mesh();
                at = now.state();
                feed.close();
                feed = attempt.closing(batches().from(at.data()));
            }
        }
        // 6. steps are dispatched, not waited for: a loss under the last ones is one, too
        snapshots.join();
        awaitDone(at.state());
        return at.state();
    }

    private void awaitDone(Object state) {
        var placed =
                Tree.leaves(state).stream().filter(leaf -> !(leaf instanceof HostArray)).toList();
        try {
            boolean unused = manager.slices().awaitReady(placed, Retry.FOREVER);
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for the last steps", e);
        }
    }

    private Mesh mesh() {
        var devices = manager.activeDevices();
        int slices = manager.activeSliceCount();
        return Mesh.of(devices, axis("replica", slices), axis("model", devices.size() / slices));
    }

    private Batches<B> batches() {
        return data.batch(batch.rows(manager)).on(manager.slices().clock());
    }
}
