package org.meshbook.elastic.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// Which slices a whole tree can be restored from: one set for all leaves.
final class Survivors {
    private Survivors() {}

    /// Slices that hold any part of a tree.
    static Set<Integer> holders(List<Sharding> shardings) {
        var holders = new TreeSet<Integer>();
        shardings.stream()
                .map(Sharding::mesh)
                .distinct()
                .forEach(mesh -> holders.addAll(mesh.slices()));
        return holders;
    }

    /// Slices of the replicas that are readable as a whole, for every leaf; empty if a leaf has
    /// none.
    static Set<Integer> of(List<Sharding> shardings, int replicaAxis, Set<Integer> readable) {
        var meshes = shardings.stream().map(Sharding::mesh).distinct().toList();
        // 1. intersect over the leaves' meshes
        Set<Integer> common = new TreeSet<>(readable);
        meshes.forEach(mesh -> common.retainAll(whole(mesh, replicaAxis, readable)));
        // 2. each leaf still needs one whole replica within the common set
        for (var mesh : meshes) {
            if (whole(mesh, replicaAxis, common).isEmpty()) {
                return Set.of();
            }
        }
        return common;
    }

    private static Set<Integer> whole(Mesh mesh, int replicaAxis, Set<Integer> readable) {
        int replicas = mesh.axes().get(replicaAxis).size();
        var name = mesh.axes().get(replicaAxis).name();
        var slices = new ArrayList<Set<Integer>>();
        for (int i = 0; i < replicas; i++) {
            slices.add(new TreeSet<>());
        }
        for (int place = 0; place < mesh.devices().size(); place++) {
            slices.get(mesh.coordinate(place, name)).add(mesh.devices().get(place).slice());
        }
        var whole = new TreeSet<Integer>();
        slices.stream().filter(readable::containsAll).forEach(whole::addAll);
        return whole;
    }
}
