package org.meshbook.elastic.checkpoint.unit;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Slices;

/// A state on its way into a snapshot: checked, and with a whole copy of every array at each
/// replica.
///
/// @param unit the tree without its device arrays
/// @param placed the arrays to copy, one for each of the unit's placed leaves
public record Intake(Unit unit, List<Array> placed) {
    /// A scalar or a small table may lie on one device; copying a larger one to every replica at
    /// each save should be somebody's decision.
    public static final long SMALL_BYTES = 16 << 20;

    /// @param state a tree of arrays and other values
    /// @param slices where its arrays lie
    /// @param replicaAxis index of the mesh axis along which whole copies lie
    /// @param autoReplicate whether small arrays on one device are copied to each replica
    /// @return what to copy
    /// @throws org.meshbook.elastic.UsageError if an array has no whole copy at each replica, or a
    ///   value can neither be kept nor copied; names the leaf
    public static Intake of(Object state, Slices slices, int replicaAxis, boolean autoReplicate) {
        var flat = Tree.flatten(state, (_, value) -> value);
        var paths = flat.structure().paths();
        var shardings = new LinkedHashMap<String, Sharding>();
        for (int i = 0; i < paths.size(); i++) {
            if (!(flat.leaves().get(i) instanceof HostArray)) {
                shardings.put(paths.get(i), slices.shardingOf(flat.leaves().get(i)));
            }
        }
        var home = home(shardings, slices, replicaAxis);
        var placed = new ArrayList<Array>();
        var alone = new ArrayList<Optional<Sharding>>();
        for (int i = 0; i < paths.size(); i++) {
            var leaf = flat.leaves().get(i);
            var sharding = Optional.ofNullable(shardings.get(paths.get(i)));
            var single = sharding.filter(lies -> single(lies.mesh(), home));
            alone.add(single);
            if (single.isPresent()) {
                checkSmall(paths.get(i), leaf, single.get(), autoReplicate);
                placed.add(slices.put(leaf, home.replicated()));
            } else if (sharding.isPresent()) {
                checkWhole(paths.get(i), sharding.get(), replicaAxis);
                placed.add(leaf);
            }
        }
        return new Intake(Unit.of(flat, alone), placed);
    }

    /// @return host memory that the snapshot takes at each replica
    public long bytes() {
        return placed.stream().mapToLong(array -> array.type().bytes()).sum();
    }

    private static boolean single(Mesh mesh, Mesh home) {
        return mesh.devices().size() == 1 && home.devices().size() > 1;
    }

    /// The mesh of the tree; one device of each healthy slice if all its arrays lie on one device.
    private static Mesh home(Map<String, Sharding> shardings, Slices slices, int replicaAxis) {
        Optional<Mesh> widest = Optional.empty();
        for (var sharding : shardings.values()) {
            int devices = sharding.mesh().devices().size();
            if (widest.map(mesh -> mesh.devices().size() < devices).orElse(true)) {
                widest = Optional.of(sharding.mesh());
            }
        }
        if (widest.isPresent() && widest.get().devices().size() > 1) {
            return widest.get();
        }
        var healthy = slices.view().healthy();
        var firsts = new LinkedHashMap<Integer, Device>();
        slices.devices().stream()
                .filter(device -> healthy.contains(device.slice()))
                .forEach(device -> firsts.putIfAbsent(device.slice(), device));
        if (firsts.isEmpty()) {
            firsts.put(0, slices.devices().getFirst());
        }
        var axes = new ArrayList<Axis>();
        for (int i = 0; i < replicaAxis; i++) {
            axes.add(new Axis("axis" + i, 1));
        }
        axes.add(new Axis("replica", firsts.size()));
        return new Mesh(axes, List.copyOf(firsts.values()));
    }

    private static void checkSmall(
            String path, Array leaf, Sharding sharding, boolean autoReplicate) {
        require(
                autoReplicate && leaf.type().bytes() <= SMALL_BYTES,
                "'%s' (%s) lies on %s alone; a snapshot needs a whole copy at each replica: put it with"
                        + " mesh.replicated()%s",
                path,
                leaf.type(),
                sharding.mesh().devices().getFirst(),
                autoReplicate
                        ? ", since it is larger than " + (SMALL_BYTES >> 20) + " MiB"
                        : ", or let SnapshotOptions.autoReplicate(true) do it");
    }

    private static void checkWhole(String path, Sharding sharding, int replicaAxis) {
        var axes = sharding.mesh().axes();
        require(
                replicaAxis < axes.size(),
                "'%s' lies on %s, which has no axis %d to keep replicas along",
                path,
                sharding.mesh(),
                replicaAxis);
        var replica = axes.get(replicaAxis).name();
        require(
                sharding.replicatedAlong(replica),
                "'%s' is cut over the replica axis '%s' (%s); a snapshot needs a whole copy at each"
                        + " replica: put it with a sharding that leaves '%s' out",
                path,
                replica,
                sharding,
                replica);
    }
}
