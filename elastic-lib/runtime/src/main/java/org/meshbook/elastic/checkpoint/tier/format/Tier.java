package org.meshbook.elastic.checkpoint.tier.format;

import java.util.Locale;

/// Where a state can be restored from; for equal steps the first is taken.
public enum Tier {
    /// Host copies in the workers' memory, see [org.meshbook.elastic.checkpoint.Snapshotter].
    SNAPSHOT,
    /// RAM disks of the hosts that wrote it.
    LOCAL,
    /// RAM disks of hosts in the next slice.
    PEER,
    /// A bucket, or a folder that outlives the machines.
    DURABLE;

    /// @return the word in reports
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
