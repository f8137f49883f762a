package org.meshbook.elastic.checkpoint;

import java.time.Instant;
import java.util.Set;
import org.meshbook.elastic.checkpoint.load.Survivors;
import org.meshbook.elastic.mesh.Mesh;

/// A complete snapshot; a name for it, which keeps no memory: once the ring has dropped it, it can
/// be restored no more.
public final class Snapshot {
    private final Snapshotter owner;
    private final Held held;

    Snapshot(Snapshotter owner, Held held) {
        this.owner = owner;
        this.held = held;
    }

    Held held() {
        return held;
    }

    /// @return the step that it was saved after
    public long step() {
        return held.step;
    }

    /// @return bytes that it holds on all workers
    public long bytes() {
        return held.copy.bytes();
    }

    /// @return when it was complete
    public Instant at() {
        return held.at;
    }

    /// @return slices that it was copied to; some may be lost since
    public Set<Integer> slices() {
        return Survivors.holders(held.copy.shardings());
    }

    /// @return name of the run that it belongs to
    public String run() {
        return owner.name();
    }

    /// Restores it onto a mesh, without a change to what is the latest.
    ///
    /// @param mesh where to; the same axis names as the mesh that was saved
    /// @param like a state of the same structure, shapes and types; its values are not read
    /// @param <T> type of the state
    /// @return the state, in the classes of `like`
    /// @throws SnapshotLost if it was dropped, or no slice holds a whole copy
    /// @throws org.meshbook.elastic.UsageError if the structures differ; lists the paths
    public <T> T load(Mesh mesh, T like) {
        return owner.load(this, mesh, like);
    }

    @Override
    public String toString() {
        return "snapshot of step " + step() + (run().isEmpty() ? "" : " of '" + run() + "'");
    }
}
