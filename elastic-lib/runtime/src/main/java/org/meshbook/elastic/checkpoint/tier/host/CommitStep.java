package org.meshbook.elastic.checkpoint.tier.host;

import java.io.IOException;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.format.ManifestText;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Makes a step visible whose files are written.
public final class CommitStep implements HostFunction {
    /// @param store where it is
    /// @param manifest what it holds
    public record Request(StoreAt store, Manifest manifest) {}

    /// Is made by the worker.
    public CommitStep() {}

    @Override
    public byte[] call(Host host, byte[] arguments) throws IOException {
        var request = Json.value(arguments, Request.class);
        var manifest = request.manifest();
        request.store()
                .open(host.slice(), host.host())
                .commit(manifest.step(), manifest.attempt(), ManifestText.encode(manifest));
        return new byte[0];
    }
}
