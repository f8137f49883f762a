package org.meshbook.cluster.nodes.process;

/// What makes containers run.
public interface ContainerRuntime extends AutoCloseable {
    /// Starts a container; one that cannot be started has an exit at once.
    ///
    /// @param launch what to start
    /// @param ended called by any thread once its exit can be read
    /// @return the container
    Running start(Launch launch, Runnable ended);

    /// Ends all containers.
    @Override
    void close();
}
