package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.mesh.Sharding;

/// Runs partitioned programs on the devices of their mesh.
public interface Executor {
    /// Dispatches one run; never waits for a device.
    ///
    /// @param program the program; compiled on first sight by each worker and cached there by its
    ///   fingerprint
    /// @param inputs one array a parameter, each with exactly the program's sharding for it
    /// @return one array a result, with the program's shardings; poisoned if an input is
    List<Placed> run(Program program, List<Placed> inputs);

    /// Places a host array; returns before the bytes are there.
    ///
    /// @param value the value
    /// @param sharding where to
    /// @return the placed array
    Placed place(HostArray value, Sharding sharding);

    /// Moves a placed array to another sharding or mesh, from worker to worker.
    ///
    /// @param array the array
    /// @param target where to; devices that hold the right shard already share it
    /// @return the array there
    Placed reshard(Placed array, Sharding target);
}
