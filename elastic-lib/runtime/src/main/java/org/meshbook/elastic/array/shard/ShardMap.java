package org.meshbook.elastic.array.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;

/// Which part of an array lies where.
///
/// @param type of the whole
/// @param shardType of one shard
/// @param regions distinct parts, each with the devices that hold it, in order of their place
public record ShardMap(ArrayType type, ArrayType shardType, Map<Region, List<Device>> regions) {
    public ShardMap {
        regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
    }

    /// @param type of the whole
    /// @param sharding how it is cut
    /// @return its parts
    /// @throws org.meshbook.elastic.MeshMismatch if a dimension does not divide
    public static ShardMap of(ArrayType type, Sharding sharding) {
        var shardType = Shards.type(type, sharding);
        var regions = new LinkedHashMap<Region, List<Device>>();
        var devices = sharding.mesh().devices();
        for (int place = 0; place < devices.size(); place++) {
            regions.computeIfAbsent(region(shardType, sharding, place), _ -> new ArrayList<>())
                    .add(devices.get(place));
        }
        return new ShardMap(type, shardType, regions);
    }

    private static Region region(ArrayType shardType, Sharding sharding, int place) {
        var size = shardType.shape().dims();
        var start = new ArrayList<Integer>();
        for (int dim = 0; dim < size.size(); dim++) {
            start.add(sharding.piece(place, dim) * size.get(dim));
        }
        return new Region(start, size);
    }
}
