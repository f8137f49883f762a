package org.meshbook.elastic.checkpoint.tier.host;

import java.io.IOException;
import java.util.List;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.store.Found;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Looks which steps are committed where this host can see them.
public final class ScanTier implements HostFunction {
    /// @param store where to look
    public record Request(StoreAt store) {}

    /// @param steps what is there
    /// @param visible hosts whose folders this one can read, too
    public record Answer(List<Found> steps, List<Place> visible) {}

    /// Is made by the worker.
    public ScanTier() {}

    @Override
    public byte[] call(Host host, byte[] arguments) throws IOException {
        var request = Json.value(arguments, Request.class);
        return Json.bytes(
                new Answer(
                        request.store().open(host.slice(), host.host()).scan(),
                        request.store().visible()));
    }
}
