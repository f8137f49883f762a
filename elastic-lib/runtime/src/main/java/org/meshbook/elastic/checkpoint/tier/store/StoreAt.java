package org.meshbook.elastic.checkpoint.tier.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.meshbook.elastic.checkpoint.tier.bucket.Buckets;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;

/// Where the checkpoints of one run lie; travels to the hosts.
///
/// @param place a folder's path, or a bucket as `s3://bucket/prefix`
/// @param config what the bucket's service needs, as OpenDAL names it; its secrets are never shown
/// @param run name of the run
/// @param eachHost whether every host has a folder of its own there
/// @param quotaBytes most bytes in the folder
public record StoreAt(
        String place, Map<String, String> config, String run, boolean eachHost, long quotaBytes) {
    private static final Pattern HOST = Pattern.compile("slice-([0-9]{1,6})-host-([0-9]{1,6})");

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
        var folder = path().resolve(run);
        return eachHost
                ? FolderStore.inMemory(
                        folder.resolve("slice-%d-host-%d".formatted(slice, host)), quotaBytes)
                : FolderStore.onDisk(folder);
    }

    /// @return hosts whose folders this process can read, as those of one machine do; none unless
    ///   each host has one of its own
    /// @throws IOException as the system says it
    public List<Place> visible() throws IOException {
        if (!eachHost) {
            return List.of();
        }
        var folder = path().resolve(run);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var entries = Files.list(folder)) {
            return entries.map(entry -> HOST.matcher(entry.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(
                            name ->
                                    new Place(
                                            Integer.parseInt(name.group(1)),
                                            Integer.parseInt(name.group(2))))
                    .toList();
        }
    }

    /// @return whether it is a folder that all hosts see
    public boolean shared() {
        return !eachHost && !Buckets.named(place);
    }

    private Path path() {
        return Path.of(place.startsWith("file:") ? place.substring(5) : place);
    }

    @Override
    public String toString() {
        return place + "/" + run;
    }
}
