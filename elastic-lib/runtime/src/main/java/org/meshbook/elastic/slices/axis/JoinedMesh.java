package org.meshbook.elastic.slices.axis;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;

/// Meshes put one after the other along an axis.
final class JoinedMesh {
    private JoinedMesh() {}

    static Mesh of(List<Mesh> meshes, String axis) {
        var first = meshes.getFirst();
        int at = first.position(axis);
        int size = 0;
        for (var mesh : meshes) {
            require(
                    others(mesh, axis).equals(others(first, axis))
                            && mesh.has(axis)
                            && mesh.position(axis) == at,
                    "%s and %s cannot be joined along '%s': all other axes must be equal",
                    first,
                    mesh,
                    axis);
            size += mesh.size(axis);
        }
        var axes = new ArrayList<>(first.axes());
        axes.set(at, new Axis(axis, size));
        int outer = product(first.axes().subList(0, at));
        var devices = new ArrayList<Device>();
        for (int i = 0; i < outer; i++) {
            for (var mesh : meshes) {
                int run = mesh.devices().size() / outer;
                devices.addAll(mesh.devices().subList(i * run, (i + 1) * run));
            }
        }
        return new Mesh(axes, devices);
    }

    private static List<Axis> others(Mesh mesh, String axis) {
        return mesh.axes().stream().filter(a -> !a.name().equals(axis)).toList();
    }

    private static int product(List<Axis> axes) {
        return axes.stream().mapToInt(Axis::size).reduce(1, (a, b) -> a * b);
    }
}
