package org.meshbook.elastic.checkpoint.tier.restore;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.host.Json;
import org.meshbook.elastic.checkpoint.tier.host.ReadShards;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostParts;

/// Brings the arrays of a candidate onto a mesh of any shape: each shard is read once, by one host,
/// and goes from there to all devices that need a piece of it. Some hundred megabytes are under way
/// at a time.
public final class Reading {
    private static final long BATCH_BYTES = 256L << 20;
    private static final String LANE = "checkpoint restore";

    private final Slices slices;
    private final Candidate from;

    /// @param slices whose hosts read
    /// @param from what to read
    public Reading(Slices slices, Candidate from) {
        this.slices = slices;
        this.from = from;
    }

    /// @param targets where to, one an array
    /// @return the arrays, placed
    /// @throws org.meshbook.elastic.slices.hosts.HostCallFailed if a byte is not as it was written,
    ///   or cannot be read
    /// @throws org.meshbook.elastic.slices.SliceLost if a source or a target is lost meanwhile
    /// @throws InterruptedException if the thread is interrupted
    public List<Array> onto(List<Sharding> targets) throws InterruptedException {
        var placed = new ArrayList<Array>();
        boolean all = false;
        try {
            int first = 0;
            while (first < targets.size()) {
                int end = batch(first);
                placed.addAll(read(first, targets.subList(first, end)));
                first = end;
            }
            all = true;
            return placed;
        } finally {
            if (!all) {
                slices.free(placed, "when its checkpoint could not be read");
            }
        }
    }

    private int batch(int first) {
        var leaves = from.manifest().leaves();
        int end = first;
        long bytes = 0;
        do {
            bytes += leaves.get(end++).type().bytes();
        } while (end < leaves.size() && bytes + leaves.get(end).type().bytes() <= BATCH_BYTES);
        return end;
    }

    private List<Array> read(int first, List<Sharding> targets) throws InterruptedException {
        var manifest = from.manifest();
        var load = new HashMap<Device, Long>();
        var parts = new ArrayList<HostParts.Part>();
        var texts = new ArrayList<ReadShards.Part>();
        for (var shard : manifest.shards()) {
            int array = shard.leaf() - first;
            if (array < 0 || array >= targets.size()) {
                continue;
            }
            var file = manifest.files().get(shard.file());
            parts.add(
                    new HostParts.Part(
                            array, shard.region(), reader(file, shard, targets.get(array), load)));
            texts.add(
                    new ReadShards.Part(
                            array,
                            shard.start(),
                            shard.size(),
                            manifest.leaves().get(shard.leaf()).path(),
                            file.name(),
                            shard.offset(),
                            shard.crc32c()));
        }
        var request = new ReadShards.Request(from.store(), from.step(), manifest.attempt(), texts);
        var hosts = List.copyOf(new HashSet<>(parts.stream().map(HostParts.Part::device).toList()));
        var call =
                HostCall.of(ReadShards.class, hosts.stream().sorted().toList())
                        .arguments(Json.bytes(request))
                        .lane(LANE);
        return slices.assemble(new HostParts(call, types(first, targets.size()), parts), targets);
    }

    private List<ArrayType> types(int first, int count) {
        return from.manifest().leaves().subList(first, first + count).stream()
                .map(Manifest.Leaf::type)
                .toList();
    }

    /// The host that has the file; of those that all can read it, one of the target's that has
    /// least to read so far.
    private Device reader(
            Manifest.File file, Manifest.Shard shard, Sharding target, Map<Device, Long> load) {
        var source = from.sources().get(file.name());
        var candidates =
                source == null
                        ? target.mesh().devices()
                        : slices.devices().stream()
                                .filter(
                                        device ->
                                                device.slice() == source.slice()
                                                        && device.host() == source.host())
                                .toList();
        var chosen =
                candidates.stream()
                        .map(this::firstOfHost)
                        .distinct()
                        .min(
                                Comparator.<Device>comparingLong(
                                                device -> load.getOrDefault(device, 0L))
                                        .thenComparing(Comparator.naturalOrder()))
                        .orElseThrow();
        load.merge(chosen, shard.length() + 1, Long::sum);
        return chosen;
    }

    private Device firstOfHost(Device device) {
        return slices.devices().get(device.id() - device.index());
    }
}
