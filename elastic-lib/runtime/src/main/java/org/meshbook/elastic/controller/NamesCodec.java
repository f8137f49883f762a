package org.meshbook.elastic.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.wire.proto.AxesProto;
import org.meshbook.elastic.wire.proto.HolderProto;
import org.meshbook.elastic.wire.proto.MeshProto;
import org.meshbook.elastic.wire.proto.ShardingProto;

/// Shardings, and who holds shards, as the head keeps them.
final class NamesCodec {
    private NamesCodec() {}

    static ShardingProto sharding(Sharding sharding) {
        var mesh = MeshProto.newBuilder();
        for (var axis : sharding.mesh().axes()) {
            mesh.addAxisNames(axis.name()).addAxisSizes(axis.size());
        }
        sharding.mesh().devices().forEach(device -> mesh.addDevices(device.id()));
        var proto = ShardingProto.newBuilder().setMesh(mesh);
        sharding.dims().forEach(axes -> proto.addDims(AxesProto.newBuilder().addAllAxes(axes)));
        return proto.build();
    }

    /// @throws UsageError if it names devices that are not there
    static Sharding sharding(ShardingProto proto, List<Device> devices) {
        var mesh = proto.getMesh();
        UsageError.require(
                mesh.getAxisNamesCount() == mesh.getAxisSizesCount(),
                "a published mesh has %d names and %d sizes of axes",
                mesh.getAxisNamesCount(),
                mesh.getAxisSizesCount());
        var axes = new ArrayList<Axis>();
        for (int i = 0; i < mesh.getAxisNamesCount(); i++) {
            axes.add(new Axis(mesh.getAxisNames(i), mesh.getAxisSizes(i)));
        }
        var placed = new ArrayList<Device>();
        for (int id : mesh.getDevicesList()) {
            UsageError.require(
                    id >= 0 && id < devices.size(),
                    "a published mesh names device %d of %d",
                    id,
                    devices.size());
            placed.add(devices.get(id));
        }
        return new Sharding(
                new Mesh(axes, placed),
                proto.getDimsList().stream().map(dim -> List.copyOf(dim.getAxesList())).toList());
    }

    static List<HolderProto> holders(Iterable<Integer> slices, Map<Integer, Integer> generations) {
        var holders = new ArrayList<HolderProto>();
        for (int slice : slices) {
            holders.add(
                    HolderProto.newBuilder()
                            .setSlice(slice)
                            .setGeneration(generations.getOrDefault(slice, 0))
                            .build());
        }
        return holders;
    }

    /// @return the first slice whose processes are not those that held it
    static Optional<Integer> gone(List<HolderProto> holders, Map<Integer, Integer> generations) {
        return holders.stream()
                .filter(h -> generations.getOrDefault(h.getSlice(), -1) != h.getGeneration())
                .map(HolderProto::getSlice)
                .findFirst();
    }
}
