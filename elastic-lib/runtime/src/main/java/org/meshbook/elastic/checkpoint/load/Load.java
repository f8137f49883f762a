package org.meshbook.elastic.checkpoint.load;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.SliceLost;

/// One restore: real reads choose the survivors for the whole tree, and when one of them is lost
/// meanwhile the load begins again with those that are left.
public final class Load {
    private final Manager manager;
    private final HostCopy from;
    private final long step;
    private final int replicaAxis;

    /// @param manager hears of the restore
    /// @param from the copies
    /// @param step that they were made after
    /// @param replicaAxis index of the mesh axis along which whole copies lie
    public Load(Manager manager, HostCopy from, long step, int replicaAxis) {
        this.manager = manager;
        this.from = from;
        this.step = step;
        this.replicaAxis = replicaAxis;
    }

    /// Work that reads from a set of survivors.
    ///
    /// @param <T> what it makes
    public interface Reading<T> {
        /// @param survivors slices that together hold every array whole
        /// @return what was read
        /// @throws InterruptedException if the thread is interrupted
        T from(Set<Integer> survivors) throws InterruptedException;
    }

    /// @param targets where to, one a copied array
    /// @return the arrays; none if no slice holds a whole copy any more
    /// @throws SliceLost if a slice of a target is lost
    /// @throws InterruptedException if the thread is interrupted
    public Optional<List<Array>> onto(List<Sharding> targets) throws InterruptedException {
        if (targets.isEmpty()) {
            return Optional.of(List.of());
        }
        return read(Survivors.holders(targets), survivors -> move(survivors, targets));
    }

    /// Reads, and reads again when a survivor is lost meanwhile.
    ///
    /// @param needed slices whose loss is the caller's business
    /// @param reading what to do
    /// @param <T> what it makes
    /// @return what was read; nothing if no slice holds a whole copy any more
    /// @throws SliceLost if a slice that is needed is lost
    /// @throws InterruptedException if the thread is interrupted
    public <T> Optional<T> read(Set<Integer> needed, Reading<T> reading)
            throws InterruptedException {
        var candidates = Survivors.holders(from.shardings());
        while (true) {
            // 1. who can be read
            var survivors = Survivors.of(from.shardings(), replicaAxis, from.readable(candidates));
            if (survivors.isEmpty()) {
                return Optional.empty();
            }
            // 2. read
            try {
                return Optional.of(reading.from(survivors));
            } catch (SliceLost lost) {
                // 3. the target is broken, or go on with fewer
                if (!Collections.disjoint(lost.slices(), needed)) {
                    throw lost;
                }
                var left = new TreeSet<>(survivors);
                if (!left.removeAll(lost.slices())) {
                    throw lost;
                }
                candidates = left;
            }
        }
    }

    private List<Array> move(Set<Integer> survivors, List<Sharding> targets)
            throws InterruptedException {
        var clock = manager.slices().clock();
        var start = clock.elapsed();
        var loaded = from.load(survivors, targets);
        long bytes = from.types().stream().mapToLong(ArrayType::bytes).sum();
        manager.slices().timeline().add("restore", start, clock.elapsed(), bytes);
        manager.tell(new ElasticEvent.Restored(clock.now(), step, survivors, bytes));
        return loaded;
    }
}
