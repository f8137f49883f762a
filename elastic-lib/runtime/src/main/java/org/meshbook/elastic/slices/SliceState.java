package org.meshbook.elastic.slices;

import java.util.Locale;

/// What the head knows of a slice; an open set for readers of JSON.
public enum SliceState {
    /// All its hosts are registered and answer.
    HEALTHY,
    /// A host's process ended or its link closed.
    LOST,
    /// A new generation is being started.
    RETURNING,
    /// A host missed its heartbeats; its processes are being ended.
    HUNG,
    /// It announced that it leaves, and serves until it is let go or its time is over.
    LEAVING,
    /// It was asked to end, and what it holds is being put into an image.
    DRAINING,
    /// Its processes are gone, and what they held is in a complete image.
    SUSPENDED,
    /// New processes are taking over what is in its image.
    RESTORING,
    /// It waits in a queue, or its turn has come and its processes are about to be started.
    QUEUED;

    /// @return whether its processes are there and work
    public boolean serves() {
        return this == HEALTHY || this == LEAVING || this == DRAINING;
    }

    /// @return whether what was put there is still there, in its processes or in an image
    public boolean holds() {
        return serves() || this == SUSPENDED || this == RESTORING;
    }

    /// @return the word in tables and JSON
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
