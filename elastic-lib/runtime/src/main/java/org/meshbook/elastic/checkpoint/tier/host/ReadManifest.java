package org.meshbook.elastic.checkpoint.tier.host;

import java.io.IOException;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Reads the manifest of a step, as it is.
public final class ReadManifest implements HostFunction {
    /// @param store where it is
    /// @param step number of the step
    public record Request(StoreAt store, long step) {}

    /// Is made by the worker.
    public ReadManifest() {}

    @Override
    public byte[] call(Host host, byte[] arguments) throws IOException {
        var request = Json.value(arguments, Request.class);
        return request.store().open(host.slice(), host.host()).manifest(request.step());
    }
}
