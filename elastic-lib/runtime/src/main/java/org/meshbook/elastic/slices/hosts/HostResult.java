package org.meshbook.elastic.slices.hosts;

import java.util.Optional;
import org.meshbook.elastic.ElasticException;

/// What became of a call on one host.
///
/// @param slice index of the slice
/// @param host index of the host within the slice
/// @param value what the function returned; empty if it failed
/// @param failure why there is no value: [HostCallFailed], [org.meshbook.elastic.slices.SliceLost],
///   or [org.meshbook.elastic.UsageError]
public record HostResult(int slice, int host, byte[] value, Optional<ElasticException> failure) {
    /// @return what the function returned
    /// @throws ElasticException if it failed
    public byte[] get() {
        if (failure.isPresent()) {
            throw failure.get();
        }
        return value;
    }
}
