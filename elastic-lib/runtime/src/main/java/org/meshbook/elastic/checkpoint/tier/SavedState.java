package org.meshbook.elastic.checkpoint.tier;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.format.TreeCodec;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.FileOf;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.Written;
import org.meshbook.elastic.checkpoint.tier.save.NextSlice;
import org.meshbook.elastic.checkpoint.tier.save.Shares;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Slices;

/// A state at the moment of its save: its arrays, all placed, and who writes what of them.
final class SavedState {
    private final Slices slices;
    private final Tree.Flat flat;
    private final Object tree;
    private final List<Array> arrays = new ArrayList<>();
    private final List<Sharding> shardings = new ArrayList<>();
    private final List<FileOf> files;

    SavedState(Slices slices, Tree.Flat flat) {
        this.slices = slices;
        this.flat = flat;
        this.tree = TreeCodec.encode(flat.structure());
        // Arrays of the client's memory travel to the slices once, so that hosts write everything.
        var home = home();
        for (var leaf : flat.leaves()) {
            var placed = leaf instanceof HostArray ? slices.put(leaf, home.replicated()) : leaf;
            arrays.add(placed);
            shardings.add(slices.shardingOf(placed));
        }
        this.files = Shares.of(arrays.stream().map(Array::type).toList(), shardings);
    }

    private Mesh home() {
        for (var leaf : flat.leaves()) {
            if (!(leaf instanceof HostArray)) {
                return slices.shardingOf(leaf).mesh();
            }
        }
        throw new UsageError(
                "none of the arrays %s lies on a mesh; put one there, so that it is known which hosts"
                        + " write",
                flat.structure().paths());
    }

    List<Array> arrays() {
        return List.copyOf(arrays);
    }

    List<FileOf> files() {
        return files;
    }

    long bytes() {
        return arrays.stream().map(Array::type).mapToLong(ArrayType::bytes).sum();
    }

    /// @return the mesh that all arrays lie on, if it is one
    Optional<Mesh> mesh() {
        var meshes = shardings.stream().map(Sharding::mesh).distinct().toList();
        return meshes.size() == 1 ? Optional.of(meshes.getFirst()) : Optional.empty();
    }

    /// The same arrays with every shard in the next slice.
    List<Array> on(NextSlice next) {
        var moved = new ArrayList<Array>();
        for (int i = 0; i < arrays.size(); i++) {
            moved.add(slices.put(arrays.get(i), shardings.get(i).on(next.mesh())));
        }
        return moved;
    }

    Manifest manifest(
            String run,
            String runId,
            String attempt,
            long step,
            Instant at,
            Map<String, Written> written,
            Map<String, Place> peers) {
        var axes = new LinkedHashMap<String, Integer>();
        mesh().ifPresent(mesh -> mesh.axes().forEach(axis -> axes.put(axis.name(), axis.size())));
        var paths = flat.structure().paths();
        var leaves = new ArrayList<Manifest.Leaf>();
        for (int i = 0; i < arrays.size(); i++) {
            var type = arrays.get(i).type();
            leaves.add(
                    new Manifest.Leaf(
                            paths.get(i),
                            type.dtype().stableName(),
                            type.shape().dims(),
                            shardings.get(i).dims(),
                            flat.leaves().get(i) instanceof HostArray));
        }
        var entries = new ArrayList<Manifest.File>();
        var shards = new ArrayList<Manifest.Shard>();
        for (var file : files) {
            var done = written.get(file.name());
            if (done == null) {
                throw new UsageError("%s was not written by %s", file.name(), file.by());
            }
            addShards(file, done, entries.size(), shards);
            var peer = peers.get(file.name());
            entries.add(
                    new Manifest.File(
                            file.name(),
                            done.length(),
                            file.by(),
                            peer == null ? List.of() : List.of(peer)));
        }
        return new Manifest(
                Manifest.VERSION,
                run,
                runId,
                attempt,
                step,
                at.toString(),
                axes,
                tree,
                leaves,
                entries,
                shards);
    }

    private void addShards(FileOf file, Written done, int index, List<Manifest.Shard> shards) {
        long offset = 0;
        for (int i = 0; i < file.parts().size(); i++) {
            var part = file.parts().get(i);
            long elements =
                    part.size().stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
            long length = elements * arrays.get(part.array()).type().dtype().bytes();
            shards.add(
                    new Manifest.Shard(
                            part.array(),
                            part.start(),
                            part.size(),
                            index,
                            offset,
                            length,
                            done.crc32c().get(i)));
            offset += length;
        }
    }
}
