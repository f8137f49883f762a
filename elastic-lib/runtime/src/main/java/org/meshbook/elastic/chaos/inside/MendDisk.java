package org.meshbook.elastic.chaos.inside;

import org.meshbook.elastic.checkpoint.tier.store.BadDisk;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Ends what [SpoilDisk] began.
public final class MendDisk implements HostFunction {
    @Override
    public byte[] call(Host host, byte[] arguments) {
        BadDisk.ofProcess().end();
        return new byte[0];
    }
}
