package org.meshbook.elastic.checkpoint.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// Which slices a whole tree can be restored from: one set for all leaves.
public final class Survivors {
    private Survivors() {}

    /// @param shardings of a tree's arrays
    /// @return slices that hold any part of it
    public static Set<Integer> holders(List<Sharding> shardings) {
        var holders = new TreeSet<Integer>();
        shardings.stream()
                .map(Sharding::mesh)
                .distinct()
                .forEach(mesh -> holders.addAll(mesh.slices()));
        return holders;
    }

    /// Slices of the replicas that are readable as a whole, for every leaf.
    ///
    /// @param shardings of a tree's arrays
    /// @param replicaAxis index of the mesh axis along which whole copies lie
    /// @param readable slices that can be read
    /// @return one set for the whole tree; empty if a leaf has no whole replica there
    public static Set<Integer> of(
            List<Sharding> shardings, int replicaAxis, Set<Integer> readable) {
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

    /// One replica of a mesh, as a mesh of its own: the replica axis has size 1.
    ///
    /// @param mesh where a tree lies
    /// @param replicaAxis index of the mesh axis along which whole copies lie
    /// @param readable slices that the replica must lie on
    /// @param also slices that it must lie on, too
    /// @return the first replica that does, if any
    public static Optional<Mesh> replica(
            Mesh mesh, int replicaAxis, Set<Integer> readable, Set<Integer> also) {
        var axis = mesh.axes().get(replicaAxis);
        var axes = new ArrayList<>(mesh.axes());
        axes.set(replicaAxis, new Axis(axis.name(), 1));
        for (int replica = 0; replica < axis.size(); replica++) {
            var devices = new ArrayList<Device>();
            for (int place = 0; place < mesh.devices().size(); place++) {
                if (mesh.coordinate(place, axis.name()) == replica) {
                    devices.add(mesh.devices().get(place));
                }
            }
            var one = new Mesh(axes, devices);
            if (readable.containsAll(one.slices()) && also.containsAll(one.slices())) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
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
