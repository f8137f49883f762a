package org.meshbook.elastic.jit;

import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.mesh.Sharding;

/// An array whose shards lie on the devices of a mesh.
public interface Placed extends Array {
    /// @return where its shards lie
    Sharding sharding();

    /// @return what runs programs where this array lies
    Executor executor();
}
