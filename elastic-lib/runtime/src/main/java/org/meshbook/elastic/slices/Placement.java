package org.meshbook.elastic.slices;

import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostFunction;
import org.meshbook.elastic.slices.hosts.HostResults;

/// Puts trees of arrays onto a mesh of the current allocation, and calls functions beside them;
/// made for static import.
public final class Placement {
    private Placement() {}

    /// Puts one array where a sharding says; never waits for a device.
    ///
    /// @param array a host array, or one that lies on any mesh
    /// @param target where to
    /// @return the placed array
    /// @throws org.meshbook.elastic.MeshMismatch if it does not divide over the sharding
    public static Array put(Array array, Sharding target) {
        return CurrentSlices.get().put(array, target);
    }

    /// Puts every array of a tree where a sharding says; never waits for a device.
    ///
    /// @param tree a record, list or map of arrays; other leaves are kept
    /// @param target one sharding for all arrays
    /// @param <T> the tree's type
    /// @return the same tree, placed
    /// @throws org.meshbook.elastic.MeshMismatch if an array does not divide over the sharding
    public static <T> T put(T tree, Sharding target) {
        var slices = CurrentSlices.get();
        return Tree.map(tree, array -> slices.put(array, target));
    }

    /// Frees the arrays of a tree now, and not when the garbage collector finds that nobody refers
    /// to them: in a loop that replaces its state, workers then hold one state, not many.
    ///
    /// @param tree a record, list or map of arrays; those that lie on no device are left alone
    public static void free(Object tree) {
        var placed =
                Tree.leaves(tree).stream().filter(leaf -> !(leaf instanceof HostArray)).toList();
        CurrentSlices.get().free(placed, "by free(...)");
    }

    /// Calls a function on every host of a mesh, as in `onHosts(mesh, Norm.class, w).values()`;
    /// never waits for a device or a host.
    ///
    /// @param mesh whose hosts are called
    /// @param function its class
    /// @param arrays placed arrays whose shards the function sees
    /// @return the call under way
    public static HostResults onHosts(
            Mesh mesh, Class<? extends HostFunction> function, Array... arrays) {
        return CurrentSlices.get().onHosts(HostCall.of(function, mesh).with(List.of(arrays)));
    }
}
