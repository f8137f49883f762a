package org.meshbook.elastic.slices.hosts;

import java.time.Duration;
import java.util.List;
import org.meshbook.elastic.array.Array;

/// A call that is under way on some hosts. Thread-safe.
public interface HostResults {
    /// Waits until every host has answered, or never will.
    ///
    /// @param timeout how long at most
    /// @return whether all are over
    /// @throws InterruptedException if the thread is interrupted
    boolean await(Duration timeout) throws InterruptedException;

    /// Waits for all, then gives what became of the call on each host.
    ///
    /// @return one entry a host, in order of slice and host
    /// @throws InterruptedException if the thread is interrupted
    List<HostResult> outcomes() throws InterruptedException;

    /// Waits for all, then gives what the function returned.
    ///
    /// @return one entry a host, in order of slice and host
    /// @throws org.meshbook.elastic.ElasticException the first failure in that order
    /// @throws InterruptedException if the thread is interrupted
    default List<byte[]> values() throws InterruptedException {
        return outcomes().stream().map(HostResult::get).toList();
    }

    /// @return the arrays that the call makes; they are there at once, and poisoned if it fails
    List<Array> arrays();

    /// @return bytes that the functions said they have done so far, on all hosts
    long progressBytes();
}
