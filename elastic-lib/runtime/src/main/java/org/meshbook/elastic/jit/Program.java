package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// A graph partitioned over a mesh: what each device computes, collectives included.
///
/// @param graph the per-device graph; every shape in it is a shard's
/// @param mesh the devices
/// @param inputs one sharding a parameter
/// @param outputs one sharding a result
public record Program(Graph graph, Mesh mesh, List<Sharding> inputs, List<Sharding> outputs) {
    public Program {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }
}
