package org.meshbook.elastic.checkpoint.tier.store;

import java.nio.file.Path;
import java.util.Map;
import org.meshbook.elastic.checkpoint.tier.bucket.Buckets;

/// Where the checkpoints of one run lie; travels to the hosts.
///
/// @param place a folder's path, or a bucket as `s3://bucket/prefix`
/// @param config what the bucket's service needs, as OpenDAL names it; its secrets are never shown
/// @param run name of the run
/// @param eachHost whether every host has a folder of its own there
/// @param quotaBytes most bytes in the folder
public record StoreAt(
        String place, Map<String, String> config, String run, boolean eachHost, long quotaBytes) {
    public StoreAt {
        config = Map.copyOf(config);
    }

    /// @param slice index of a slice
    /// @param host index of a host within it
    /// @return the store as that host sees it
    public TierStore open(int slice, int host) {
        if (Buckets.named(place)) {
            return new BucketStore(Buckets.open(place, config), run + "/");
        }
        var folder = Path.of(place.startsWith("file:") ? place.substring(5) : place).resolve(run);
        return eachHost
                ? FolderStore.inMemory(
                        folder.resolve("slice-%d-host-%d".formatted(slice, host)), quotaBytes)
                : FolderStore.onDisk(folder);
    }

    @Override
    public String toString() {
        return place + "/" + run;
    }
}
