package org.meshbook.elastic.jit;

import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Sharding;

/// An array whose shards lie on the devices of a mesh.
public interface Placed extends Array {
    /// @return where its shards lie
    Sharding sharding();

    /// @return what runs programs where this array lies
    Executor executor();

    /// @return slices that hold a part of it and are lost, as far as is known here; asks no device
    default Set<Integer> lostSlices() {
        return Set.of();
    }
}
