package org.meshbook.elastic.controller;

import java.util.LinkedHashMap;
import java.util.Map;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.wire.proto.DefineMesh;

/// Numbers meshes, so that a run names its mesh by one number.
final class Meshes {
    private static final int KEPT = 256;

    private final Operations operations;
    private final Map<Mesh, DefineMesh> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Mesh, DefineMesh> eldest) {
                    return size() > KEPT;
                }
            };

    Meshes(Operations operations) {
        this.operations = operations;
    }

    synchronized DefineMesh of(Mesh mesh) {
        return known.computeIfAbsent(mesh, this::define);
    }

    private DefineMesh define(Mesh mesh) {
        var message = DefineMesh.newBuilder().setId(operations.newId());
        for (var axis : mesh.axes()) {
            message.addAxisNames(axis.name()).addAxisSizes(axis.size());
        }
        return message.addAllDevices(mesh.devices().stream().map(Device::id).toList()).build();
    }
}
