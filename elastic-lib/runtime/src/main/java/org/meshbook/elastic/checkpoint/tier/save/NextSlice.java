package org.meshbook.elastic.checkpoint.tier.save;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.host.WriteShards.FileOf;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;

/// Where copies go: each shard to the host of equal rank in the next slice of the mesh.
///
/// Arrays that are put on [#mesh()] lie there: each device's place is taken by its counterpart, so
/// that what moves are the shards that the next slice does not hold anyway.
///
/// @param mesh the same axes over the counterparts
/// @param after the next slice of each slice
public record NextSlice(Mesh mesh, Map<Integer, Integer> after) {
    /// @param mesh where the arrays lie
    /// @return where their copies go; empty if there is one slice only, or the slices differ
    public static Optional<NextSlice> of(Mesh mesh) {
        var slices = List.copyOf(mesh.slices());
        if (slices.size() < 2) {
            return Optional.empty();
        }
        var after = new HashMap<Integer, Integer>();
        for (int i = 0; i < slices.size(); i++) {
            after.put(slices.get(i), slices.get((i + 1) % slices.size()));
        }
        var devices = new ArrayList<Device>();
        for (var device : mesh.devices()) {
            int next = after.getOrDefault(device.slice(), device.slice());
            var counterpart =
                    mesh.devices().stream()
                            .filter(
                                    other ->
                                            other.slice() == next
                                                    && other.host() == device.host()
                                                    && other.index() == device.index())
                            .findFirst();
            if (counterpart.isEmpty()) {
                return Optional.empty();
            }
            devices.add(counterpart.get());
        }
        return Optional.of(new NextSlice(new Mesh(mesh.axes(), devices), after));
    }

    /// @param place a host
    /// @return its counterpart
    public Place of(Place place) {
        return new Place(after.getOrDefault(place.slice(), place.slice()), place.host());
    }

    /// @param files what the owners write
    /// @return what their counterparts write
    public List<FileOf> of(List<FileOf> files) {
        return files.stream()
                .map(file -> new FileOf(file.name(), of(file.by()), file.parts()))
                .toList();
    }
}
