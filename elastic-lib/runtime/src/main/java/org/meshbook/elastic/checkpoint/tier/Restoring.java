package org.meshbook.elastic.checkpoint.tier;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.Snapshot;
import org.meshbook.elastic.checkpoint.SnapshotLost;
import org.meshbook.elastic.checkpoint.tier.format.CheckpointCorrupt;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.format.Tier;
import org.meshbook.elastic.checkpoint.tier.format.TreeCodec;
import org.meshbook.elastic.checkpoint.tier.restore.Candidate;
import org.meshbook.elastic.checkpoint.tier.restore.Reading;
import org.meshbook.elastic.checkpoint.tier.restore.Refusal;
import org.meshbook.elastic.checkpoint.unit.Pattern;
import org.meshbook.elastic.manager.ElasticEvent;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.hosts.HostCallFailed;

/// One restore: the greatest step that is complete, from the first tier that gives it whole. All
/// arrays come from one save of one step, or from none.
final class Restoring {
    private final Manager manager;
    private final Tiers tiers;
    private final CheckpointOptions options;
    private final Mesh mesh;
    private final Optional<Long> wanted;
    private final List<Refusal> refused = new ArrayList<>();

    Restoring(
            Manager manager,
            Tiers tiers,
            CheckpointOptions options,
            Mesh mesh,
            Optional<Long> wanted) {
        this.manager = manager;
        this.tiers = tiers;
        this.options = options;
        this.mesh = mesh;
        this.wanted = wanted;
    }

    /// A state, and where it came from.
    record Restored<T>(T state, Tier tier, long step, long bytes, List<Refusal> refused) {}

    /// @return empty if there is nothing to restore
    @SuppressWarnings("TypeParameterUnusedInFormals") // a pattern remembers no static type
    <T> Optional<Restored<T>> restore(Pattern like) throws InterruptedException {
        for (int rounds = 0; ; rounds++) {
            refused.clear();
            // 1. what is there
            var candidates = new ArrayList<>(tiers.catalog().find(refused));
            if (wanted.isPresent()) {
                candidates.removeIf(candidate -> candidate.step() != wanted.get());
            }
            var snapshot = snapshot();
            try {
                // 2. the best that can be read
                Optional<Restored<T>> restored = best(like, snapshot, candidates);
                if (restored.isPresent() || (snapshot.isEmpty() && candidates.isEmpty())) {
                    return restored;
                }
            } catch (SliceLost lost) {
                // 3. a source is gone: look again, unless the target is
                if (!Collections.disjoint(lost.slices(), mesh.slices())
                        || rounds > manager.totalSliceCount()) {
                    throw lost;
                }
                continue;
            }
            if (candidates.isEmpty()) {
                return Optional.empty();
            }
            throw new CheckpointFailed(
                    "no checkpoint of run '%s' can be read: %s; name another run to begin anew"
                            .formatted(tiers.run(), Checkpointer.reasons(refused)),
                    null);
        }
    }

    private Optional<Snapshot> snapshot() {
        return options.snapshots()
                .flatMap(snapshotter -> snapshotter.latest())
                .filter(snapshot -> wanted.isEmpty() || wanted.get() == snapshot.step());
    }

    private <T> Optional<Restored<T>> best(
            Pattern like, Optional<Snapshot> snapshot, List<Candidate> candidates)
            throws InterruptedException {
        boolean snapshotTried = snapshot.isEmpty();
        for (var candidate : candidates) {
            if (!snapshotTried && snapshot.orElseThrow().step() >= candidate.step()) {
                snapshotTried = true;
                Optional<Restored<T>> restored = fromSnapshot(like, snapshot.get());
                if (restored.isPresent()) {
                    return restored;
                }
            }
            Optional<Restored<T>> restored = fromFiles(like, candidate);
            if (restored.isPresent()) {
                return restored;
            }
        }
        return snapshotTried ? Optional.empty() : fromSnapshot(like, snapshot.orElseThrow());
    }

    private <T> Optional<Restored<T>> fromSnapshot(Pattern like, Snapshot snapshot) {
        var snapshotter = options.snapshots().orElseThrow();
        try {
            T state = snapshotter.loadLike(mesh, like);
            return Optional.of(
                    new Restored<>(
                            state,
                            Tier.SNAPSHOT,
                            snapshot.step(),
                            Tree.leaves(state).stream().mapToLong(a -> a.type().bytes()).sum(),
                            List.copyOf(refused)));
        } catch (SnapshotLost e) {
            refused.add(
                    new Refusal(Tier.SNAPSHOT, snapshot.step(), String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private <T> Optional<Restored<T>> fromFiles(Pattern like, Candidate candidate)
            throws InterruptedException {
        try {
            var manifest = candidate.manifest();
            var structure = structure(manifest, like);
            var placed = new Reading(manager.slices(), candidate).onto(targets(manifest, like));
            var leaves = new ArrayList<Array>();
            for (int i = 0; i < placed.size(); i++) {
                leaves.add(
                        manifest.leaves().get(i).host() ? placed.get(i).toHost() : placed.get(i));
            }
            T state = structure.rebuild(leaves);
            manager.tell(
                    new ElasticEvent.Restored(
                            manager.slices().clock().now(),
                            candidate.step(),
                            sources(candidate),
                            manifest.bytes(),
                            candidate.tier().word(),
                            refused.stream().map(Refusal::toString).toList()));
            return Optional.of(
                    new Restored<>(
                            state,
                            candidate.tier(),
                            candidate.step(),
                            manifest.bytes(),
                            List.copyOf(refused)));
        } catch (HostCallFailed | CheckpointCorrupt e) {
            refused.add(
                    new Refusal(
                            candidate.tier(), candidate.step(), String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private Set<Integer> sources(Candidate candidate) {
        var slices = new TreeSet<Integer>();
        candidate.sources().values().forEach(place -> slices.add(place.slice()));
        return slices.isEmpty() ? mesh.slices() : slices;
    }

    /// @throws UsageError if the trees differ; lists every path
    private static Structure structure(Manifest manifest, Pattern like) throws ElasticException {
        var wrong = new ArrayList<String>();
        var structure = TreeCodec.decode(manifest.state(), like.structure(), wrong);
        if (wrong.isEmpty()) {
            for (int i = 0; i < manifest.leaves().size(); i++) {
                var saved = manifest.leaves().get(i);
                var asked = wanted(like, saved).type();
                if (!saved.type().equals(asked)) {
                    wrong.add(
                            "'%s' is %s, asked for %s"
                                    .formatted(saved.path(), saved.type(), asked));
                }
            }
        }
        UsageError.require(
                wrong.isEmpty(),
                "step %d of run '%s' does not fit what is asked for: %s",
                manifest.step(),
                manifest.run(),
                String.join("; ", wrong));
        return structure;
    }

    private static Pattern.Wanted wanted(Pattern like, Manifest.Leaf saved) {
        return Objects.requireNonNull(like.leaves().get(saved.path()));
    }

    /// Where the state that is asked for lies, if that is on this mesh; else as it was cut before.
    private List<Sharding> targets(Manifest manifest, Pattern like) {
        var targets = new ArrayList<Sharding>();
        for (int i = 0; i < manifest.leaves().size(); i++) {
            var saved = manifest.leaves().get(i);
            var otherwise = saved.host() ? mesh.replicated() : new Sharding(mesh, saved.sharding());
            targets.add(
                    wanted(like, saved)
                            .sharding()
                            .filter(asked -> asked.mesh().equals(mesh))
                            .orElse(otherwise));
        }
        return targets;
    }
}
