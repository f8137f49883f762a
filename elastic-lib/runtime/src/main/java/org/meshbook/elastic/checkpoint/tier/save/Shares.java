package org.meshbook.elastic.checkpoint.tier.save;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.FileOf;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.Part;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;

/// Who writes which shard: each once, by the host that has least to write of those that hold it.
/// The same for the same shardings.
public final class Shares {
    private static final Comparator<Place> ORDER =
            Comparator.comparingInt(Place::slice).thenComparingInt(Place::host);

    private Shares() {}

    /// @param types of the arrays
    /// @param shardings of the arrays
    /// @return one file a host that writes any
    public static List<FileOf> of(List<ArrayType> types, List<Sharding> shardings) {
        var load = new TreeMap<Place, Long>(ORDER);
        var parts = new LinkedHashMap<Place, List<Part>>();
        for (int i = 0; i < types.size(); i++) {
            var map = ShardMap.of(types.get(i), shardings.get(i));
            for (var entry : map.regions().entrySet()) {
                var by = least(entry.getValue(), load);
                load.merge(by, map.shardType().bytes() + 1, Long::sum);
                parts.computeIfAbsent(by, _ -> new ArrayList<>())
                        .add(new Part(i, entry.getKey().start(), entry.getKey().size()));
            }
        }
        var files = new ArrayList<FileOf>();
        parts.forEach((by, own) -> files.add(new FileOf(name(by), by, List.copyOf(own))));
        files.sort(Comparator.comparing(FileOf::by, ORDER));
        return List.copyOf(files);
    }

    private static Place least(List<Device> holders, Map<Place, Long> load) {
        return holders.stream()
                .map(Shares::place)
                .distinct()
                .min(
                        Comparator.<Place>comparingLong(place -> load.getOrDefault(place, 0L))
                                .thenComparing(ORDER))
                .orElseThrow();
    }

    private static String name(Place by) {
        return "shards-%d-%d.bin".formatted(by.slice(), by.host());
    }

    /// @param device a device
    /// @return its host
    public static Place place(Device device) {
        return new Place(device.slice(), device.host());
    }
}
