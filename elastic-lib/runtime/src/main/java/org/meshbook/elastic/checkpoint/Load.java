package org.meshbook.elastic.checkpoint;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.SliceLost;

/// One restore: real reads choose the survivors for the whole tree, and when one of them is lost
/// meanwhile the load begins again with those that are left.
final class Load {
    private final Manager manager;
    private final Held from;
    private final int replicaAxis;

    Load(Manager manager, Held from, int replicaAxis) {
        this.manager = manager;
        this.from = from;
        this.replicaAxis = replicaAxis;
    }

    List<Array> onto(Mesh mesh) throws InterruptedException {
        var shardings = from.copy.shardings();
        if (shardings.isEmpty()) {
            return List.of();
        }
        var targets = shardings.stream().map(sharding -> sharding.on(mesh)).toList();
        var holders = Survivors.holders(shardings);
        var candidates = holders;
        while (true) {
            // 1. who can be read
            var survivors = Survivors.of(shardings, replicaAxis, from.copy.readable(candidates));
            if (survivors.isEmpty()) {
                throw new SnapshotLost(
                        "no slice holds a whole copy of step %d any more; it lay on slices %s"
                                .formatted(from.step, holders));
            }
            // 2. move it
            try {
                return move(survivors, targets);
            } catch (SliceLost lost) {
                // 3. the target is broken, or go on with fewer
                if (!Collections.disjoint(lost.slices(), mesh.slices())) {
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
        var loaded = from.copy.load(survivors, targets);
        long bytes = from.copy.types().stream().mapToLong(ArrayType::bytes).sum();
        manager.slices().timeline().add("restore", start, clock.elapsed(), bytes);
        manager.tell(new ElasticEvent.Restored(clock.now(), from.step, survivors, bytes));
        return loaded;
    }
}
