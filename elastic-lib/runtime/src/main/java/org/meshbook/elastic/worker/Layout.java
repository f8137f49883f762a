package org.meshbook.elastic.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.wire.proto.DefineMesh;

/// Where the devices of a mesh stand to each other, with the answers kept that every run asks for.
final class Layout {
    private final Mesh mesh;
    private final List<Integer> devices;
    private final Map<GroupKey, Members> groups = new ConcurrentHashMap<>();

    private record GroupKey(int device, List<String> axes) {}

    /// @param devices ids of a collective's members in order of rank
    /// @param rank of the device that asked
    /// @param pieces for each rank, which piece of a dimension cut over the axes it holds
    record Members(List<Integer> devices, int rank, List<Integer> pieces) {
        int piece() {
            return pieces.get(rank);
        }
    }

    Layout(DefineMesh message) {
        devices = List.copyOf(message.getDevicesList());
        var axes = new ArrayList<Axis>();
        for (int i = 0; i < message.getAxisNamesCount(); i++) {
            axes.add(new Axis(message.getAxisNames(i), message.getAxisSizes(i)));
        }
        // Only the ids matter to a worker; slices and hosts are the client's business.
        mesh = new Mesh(axes, devices.stream().map(id -> new Device(id, 0, 0, id)).toList());
    }

    List<Integer> devices() {
        return devices;
    }

    Members members(int device, List<String> axes) {
        return groups.computeIfAbsent(
                new GroupKey(device, axes), key -> find(key.device(), key.axes()));
    }

    private Members find(int device, List<String> axes) {
        int place = devices.indexOf(device);
        var places = mesh.group(place, axes);
        var cut = new Sharding(mesh, List.of(axes));
        return new Members(
                places.stream().map(devices::get).toList(),
                IntStream.range(0, places.size())
                        .filter(i -> places.get(i) == place)
                        .findFirst()
                        .orElseThrow(),
                places.stream().map(other -> cut.piece(other, 0)).toList());
    }
}
