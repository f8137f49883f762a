package org.meshbook.elastic.slices.hosts;

/// What runs on each host of some slices, in the worker's process.
///
/// Write a class with a constructor without parameters: it is on the workers if it is on the class
/// path that they were started with, and a class that was declared in a cell is sent along. Each
/// host makes one object of it at the first call and keeps it, so that fields live from call to
/// call; they are gone with the host, and so are `static` variables of cells, which stay at home.
/// An object that is [AutoCloseable] is closed when the host ends or a newer version of its class
/// comes.
///
/// Source: Pathways' colocated Python functions.
public interface HostFunction {
    /// @param host where it runs, and the shards that lie there
    /// @param arguments what the caller gave
    /// @return a small result, one a host
    /// @throws Exception anything; the caller gets one line with the host and the cause
    byte[] call(Host host, byte[] arguments) throws Exception;
}
