package org.meshbook.magics.jobs.door;

import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.kernel.spi.MagicException;

/// Makes what a cluster or the head refuses the one line that a cell shows.
public final class Refusals {
    private Refusals() {}

    /// Talks to a cluster.
    @FunctionalInterface
    public interface Work {
        /// @return what becomes the line's value, or null for none
        /// @throws InterruptedException if a person pressed stop
        @Nullable Object run() throws InterruptedException;
    }

    /// @param work talks to a cluster
    /// @return its result
    /// @throws MagicException if it was refused
    /// @throws InterruptedException if a person pressed stop
    public static @Nullable Object worded(Work work) throws InterruptedException {
        try {
            return work.run();
        } catch (ApiException | ClusterUnreachable | ElasticException refused) {
            throw new MagicException(String.valueOf(refused.getMessage()));
        }
    }
}
