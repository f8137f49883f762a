package org.meshbook.elastic.slices;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.mesh.Sharding;

/// Copies of some arrays' shards in host memory of their own workers. Thread-safe.
public interface HostCopy {
    /// Waits until every shard is copied.
    ///
    /// @param timeout how long at most
    /// @return whether all shards are there
    /// @throws SliceLost if a shard was lost before it was copied
    /// @throws InterruptedException if the thread is interrupted
    boolean await(Duration timeout) throws InterruptedException;

    /// @return slices that have not copied all of their shards yet: who an [#await] waits for; no
    ///   round trip
    Set<Integer> pending();

    /// @return types of the arrays
    List<ArrayType> types();

    /// @return shardings of the arrays, on the mesh that they were copied from
    List<Sharding> shardings();

    /// @return bytes that the copy holds on all workers
    long bytes();

    /// Really reads every shard of the given slices.
    ///
    /// @param slices indices to ask
    /// @return those of them whose every shard could be read
    /// @throws InterruptedException if the thread is interrupted
    Set<Integer> readable(Set<Integer> slices) throws InterruptedException;

    /// Makes a device array from the copies of one array that the given slices hold; waits until it
    /// is placed.
    ///
    /// @param index which of the copied arrays
    /// @param survivors slices that together hold it whole
    /// @param target where to
    /// @return the array
    /// @throws SliceLost if a survivor or a target is lost meanwhile
    /// @throws InterruptedException if the thread is interrupted
    Array load(int index, Set<Integer> survivors, Sharding target) throws InterruptedException;

    /// Makes device arrays from the copies that the given slices hold; waits until they are placed.
    /// On the way are never more than one array's bytes, or some dozen megabytes of small ones.
    ///
    /// @param survivors slices that together hold every array whole
    /// @param targets where to, one a copied array
    /// @return the arrays
    /// @throws SliceLost if a survivor or a target is lost meanwhile
    /// @throws InterruptedException if the thread is interrupted
    List<Array> load(Set<Integer> survivors, List<Sharding> targets) throws InterruptedException;

    /// Frees the memory; idempotent.
    void release();
}
