package org.meshbook.elastic.mesh;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// A grid of devices with named axes.
///
/// Devices are listed row-major: the last axis varies fastest. Immutable; printing it touches no
/// device. Source: JAX's `Mesh`, https://docs.jax.dev/en/latest/sharded-computation.html
///
/// @param axes the axes in order; their sizes multiply to the number of devices
/// @param devices the devices in row-major order, each once
public record Mesh(List<Axis> axes, List<Device> devices) {
    /// @throws MeshMismatch if the axes' sizes do not multiply to the number of devices
    /// @throws UsageError if a device or an axis name appears twice
    public Mesh {
        axes = List.copyOf(axes);
        devices = List.copyOf(devices);
        require(
                !axes.isEmpty(),
                "a mesh needs at least one axis, as in axis(\"replica\", %d)",
                devices.size());
        var names = new HashSet<String>();
        long product = 1;
        for (var axis : axes) {
            require(
                    names.add(axis.name()),
                    "axis '%s' is named twice; names are unique in a mesh",
                    axis.name());
            product *= axis.size();
        }
        if (product != devices.size()) {
            throw new MeshMismatch(
                    "mesh %s needs %d devices, %d are given; change an axis or the slices",
                    axes, product, devices.size());
        }
        require(
                new HashSet<>(devices).size() == devices.size(),
                "a device appears twice in mesh %s; each device has one place",
                axes);
    }

    /// Makes a mesh over the given devices.
    ///
    /// @param devices in row-major order, usually `manager.activeDevices()`
    /// @param axes the axes in order
    /// @return the mesh
    /// @throws MeshMismatch if the sizes do not multiply to the number of devices
    public static Mesh of(List<Device> devices, Axis... axes) {
        return new Mesh(List.of(axes), devices);
    }

    /// A mesh of devices that do not exist: to see how a function would be cut, or to run a
    /// `shardMap` in this process.
    ///
    /// @param axes the axes in order
    /// @return the mesh; its devices are numbered from 0
    public static Mesh numbered(List<Axis> axes) {
        int count = axes.stream().mapToInt(Axis::size).reduce(1, Math::multiplyExact);
        return new Mesh(
                axes, IntStream.range(0, count).mapToObj(i -> new Device(i, 0, 0, i)).toList());
    }

    /// @param name an axis' name
    /// @return its size
    /// @throws UsageError if there is no such axis
    public int size(String name) {
        return axes.get(position(name)).size();
    }

    /// @param name an axis' name
    /// @return its place among the axes
    /// @throws UsageError if there is no such axis
    public int position(String name) {
        for (int i = 0; i < axes.size(); i++) {
            if (axes.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new UsageError("mesh %s has no axis '%s'; its axes are %s", this, name, axes);
    }

    /// @param name an axis' name
    /// @return whether the mesh has it
    public boolean has(String name) {
        return axes.stream().anyMatch(axis -> axis.name().equals(name));
    }

    /// @param place a device's place in [#devices()]
    /// @param name an axis' name
    /// @return the device's coordinate along that axis
    public int coordinate(int place, String name) {
        int at = position(name);
        int below = 1;
        for (int i = at + 1; i < axes.size(); i++) {
            below *= axes.get(i).size();
        }
        return place / below % axes.get(at).size();
    }

    /// Places that differ from `place` only along the given axes, in order of their coordinates.
    ///
    /// @param place a device's place in [#devices()]
    /// @param along names of axes
    /// @return the group that a collective over these axes joins, `place` included
    public List<Integer> group(int place, List<String> along) {
        var members = new ArrayList<Integer>();
        for (int other = 0; other < devices.size(); other++) {
            boolean same = true;
            for (var axis : axes) {
                same &=
                        along.contains(axis.name())
                                || coordinate(other, axis.name()) == coordinate(place, axis.name());
            }
            if (same) {
                members.add(other);
            }
        }
        return members;
    }

    /// @return indices of the slices that the mesh uses, ascending
    public TreeSet<Integer> slices() {
        var slices = new TreeSet<Integer>();
        devices.forEach(device -> slices.add(device.slice()));
        return slices;
    }

    /// Shards array dimensions over axes of this mesh; see [Sharding#of].
    ///
    /// @param dims one entry a dimension: an axis, axes joined by `+`, or null (or `""`)
    /// @return the sharding
    public Sharding sharding(@Nullable String @Nullable ... dims) {
        return Sharding.of(this, dims);
    }

    /// @return the sharding that puts a whole copy on every device
    public Sharding replicated() {
        return Sharding.of(this);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("Mesh(");
        for (int i = 0; i < axes.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(axes.get(i));
        }
        return text.append(")").toString();
    }
}
