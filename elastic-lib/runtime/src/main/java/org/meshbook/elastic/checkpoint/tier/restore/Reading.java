package org.meshbook.elastic.checkpoint.tier.restore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.checkpoint.tier.format.Manifest;
import org.meshbook.elastic.checkpoint.tier.host.Json;
import org.meshbook.elastic.checkpoint.tier.host.ReadShards;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostParts;

/// Brings the arrays of a candidate onto a mesh of any shape.
///
/// Hosts that can read every file, and need shards as they were saved, read them straight into
/// their devices' memory. Else each shard is read once, by one host, and goes from there to all
/// devices that need a piece of it, some hundred megabytes at a time.
public final class Reading {
    private static final long BATCH_BYTES = 256L << 20;
    private static final Duration SOON = Duration.ofMinutes(1);
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
        boolean straight = straight(first, targets);
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
                            shard.crc32c(),
                            from.sources().getOrDefault(file.name(), file.owner())));
        }
        var request = new ReadShards.Request(from.store(), from.step(), manifest.attempt(), texts);
        if (straight) {
            return straight(first, targets, request);
        }
        var hosts = List.copyOf(new HashSet<>(parts.stream().map(HostParts.Part::device).toList()));
        var call =
                HostCall.of(ReadShards.class, hosts.stream().sorted().toList())
                        .arguments(Json.bytes(request))
                        .lane(LANE);
        return slices.assemble(new HostParts(call, types(first, targets.size()), parts), targets);
    }

    private boolean straight(int first, List<Sharding> targets) {
        for (int i = 0; i < targets.size(); i++) {
            int leaf = first + i;
            var target = targets.get(i);
            var saved = new HashSet<Region>();
            from.manifest().shards().stream()
                    .filter(shard -> shard.leaf() == leaf)
                    .forEach(shard -> saved.add(shard.region()));
            var wanted = ShardMap.of(from.manifest().leaves().get(leaf).type(), target);
            if (!saved.containsAll(wanted.regions().keySet())
                    || !target.mesh().devices().stream()
                            .map(d -> new Manifest.Place(d.slice(), d.host()))
                            .allMatch(from::readableAt)) {
                return false;
            }
        }
        return true;
    }

    private List<Array> straight(int first, List<Sharding> targets, ReadShards.Request request)
            throws InterruptedException {
        var outputs = new ArrayList<HostCall.Output>();
        var devices = new TreeSet<Device>();
        var types = types(first, targets.size());
        for (int i = 0; i < targets.size(); i++) {
            outputs.add(new HostCall.Output(types.get(i), targets.get(i)));
            devices.addAll(targets.get(i).mesh().devices());
        }
        var results =
                slices.onHosts(
                        HostCall.of(ReadShards.class, List.copyOf(devices))
                                .making(outputs)
                                .arguments(Json.bytes(request))
                                .lane(LANE));
        var unused = results.values();
        slices.awaitReady(results.arrays(), SOON);
        return results.arrays();
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
