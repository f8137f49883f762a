package org.meshbook.magics.jobs;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.kernel.spi.MagicException;

/// Makes what a cluster or the head refuses the one line that a cell shows.
final class Refusals {
    private Refusals() {}

    /// @param work talks to a cluster
    /// @return its result
    /// @throws MagicException if it was refused
    static @Nullable Object worded(Callable<@Nullable Object> work) {
        try {
            return work.call();
        } catch (ApiException | ClusterUnreachable | ElasticException refused) {
            throw new MagicException(String.valueOf(refused.getMessage()));
        } catch (RuntimeException bug) {
            throw bug;
        } catch (Exception e) {
            throw new MagicException(String.valueOf(e.getMessage()));
        }
    }
}
