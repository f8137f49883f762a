package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.graph.Fingerprint;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// A graph partitioned over a mesh: what each device computes, collectives included.
///
/// @param graph the per-device graph; every shape in it is a shard's
/// @param mesh the devices
/// @param inputs one sharding a parameter
/// @param outputs one sharding a result
/// @param names path of each result in what the function returns, for errors; may be empty
/// @param graphFingerprint names the per-device graph: what an engine compiles, whatever the
///   devices
/// @param fingerprint names the graph on exactly these devices
public record Program(
        Graph graph,
        Mesh mesh,
        List<Sharding> inputs,
        List<Sharding> outputs,
        List<String> names,
        String graphFingerprint,
        String fingerprint) {
    public Program {
        names = List.copyOf(names);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /// Makes a program and computes its fingerprints.
    ///
    /// @param graph the per-device graph
    /// @param mesh the devices
    /// @param inputs one sharding a parameter
    /// @param outputs one sharding a result
    /// @param names path of each result, or none
    public Program(
            Graph graph,
            Mesh mesh,
            List<Sharding> inputs,
            List<Sharding> outputs,
            List<String> names) {
        this(graph, mesh, inputs, outputs, names, Fingerprint.of(graph));
    }

    private Program(
            Graph graph,
            Mesh mesh,
            List<Sharding> inputs,
            List<Sharding> outputs,
            List<String> names,
            String graphFingerprint) {
        this(
                graph,
                mesh,
                inputs,
                outputs,
                names,
                graphFingerprint,
                Fingerprint.of(
                        graphFingerprint,
                        mesh.axes().toString(),
                        mesh.devices().toString(),
                        inputs.stream().map(Sharding::dims).toList().toString(),
                        outputs.stream().map(Sharding::dims).toList().toString()));
    }
}
