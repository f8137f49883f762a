package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// One graph's programs: partitioned once for each way to cut its inputs, whatever the devices.
final class Placement {
    private static final int KEPT = 64;

    private final Graph graph;
    private final List<String> names;
    private final Map<Cut, Partitioned> cuts = new Recent<>();
    private final Map<On, Program> programs = new Recent<>();

    /// How the inputs are cut; devices do not matter.
    private record Cut(List<Axis> axes, List<List<List<String>>> dims) {}

    /// The program of the last call: a training loop feeds results back, whose shardings are the
    /// very same objects, so that nothing needs comparing.
    private volatile Optional<Last> last = Optional.empty();

    private record Last(List<Optional<Sharding>> shardings, Program program) {
        boolean fits(List<Array> inputs) {
            for (int i = 0; i < inputs.size(); i++) {
                var now = sharding(inputs.get(i));
                var before = shardings.get(i);
                boolean same =
                        now.isPresent() == before.isPresent()
                                && (now.isEmpty() || now.get() == before.get());
                if (!same) {
                    return false;
                }
            }
            return true;
        }
    }

    private record On(Mesh mesh, List<List<List<String>>> dims) {}

    private static final class Recent<K, V> extends LinkedHashMap<K, V> {
        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > KEPT;
        }
    }

    /// @param names path of each result, or none
    Placement(Graph graph, List<String> names) {
        this.graph = graph;
        this.names = names;
    }

    /// @return the mesh on which placed arrays lie, if there are any
    /// @throws UsageError if they lie on different meshes
    static Optional<Mesh> mesh(String name, List<Array> inputs) {
        Optional<Mesh> found = Optional.empty();
        for (var input : inputs) {
            if (input instanceof Placed placed) {
                var mesh = placed.sharding().mesh();
                UsageError.require(
                        found.isEmpty() || found.get() == mesh || found.get().equals(mesh),
                        "%s: arrays lie on different meshes, %s with %s and %s with %s; put them on"
                                + " one",
                        name,
                        found.orElse(mesh),
                        found.orElse(mesh).devices(),
                        mesh,
                        mesh.devices());
                found = Optional.of(mesh);
            }
        }
        return found;
    }

    /// Runs the graph on a mesh; host arrays are copied to every device of it.
    List<Placed> run(Mesh mesh, List<Array> inputs) {
        var program = program(mesh, inputs);
        var executor =
                inputs.stream()
                        .filter(Placed.class::isInstance)
                        .map(input -> ((Placed) input).executor())
                        .findFirst()
                        .orElseThrow();
        var placed = new ArrayList<Placed>();
        for (var input : inputs) {
            placed.add(
                    input instanceof Placed there
                            ? there
                            : executor.place((HostArray) input, mesh.replicated()));
        }
        return executor.run(program, placed);
    }

    Program program(Mesh mesh, List<Array> inputs) {
        var before = last;
        if (before.isPresent() && before.get().fits(inputs)) {
            return before.get().program();
        }
        var dims = inputs.stream().map(Placement::dims).toList();
        var program = cached(programs, new On(mesh, dims), () -> make(mesh, dims));
        last = Optional.of(new Last(inputs.stream().map(Placement::sharding).toList(), program));
        return program;
    }

    private static Optional<Sharding> sharding(Array input) {
        return input instanceof Placed placed ? Optional.of(placed.sharding()) : Optional.empty();
    }

    private Program make(Mesh mesh, List<List<List<String>>> dims) {
        var cut = new Cut(mesh.axes(), dims);
        var partitioned = cached(cuts, cut, () -> Partitioner.partition(graph, mesh, dims));
        return new Program(
                partitioned.graph(),
                mesh,
                dims.stream().map(d -> new Sharding(mesh, d)).toList(),
                partitioned.outputs().stream().map(d -> new Sharding(mesh, d)).toList(),
                names);
    }

    private static List<List<String>> dims(Array input) {
        return input instanceof Placed placed ? placed.sharding().dims() : List.of();
    }

    private static <K, V> V cached(Map<K, V> cache, K key, Supplier<V> make) {
        synchronized (cache) {
            var before = Optional.ofNullable(cache.get(key));
            if (before.isPresent()) {
                return before.get();
            }
        }
        var made = make.get();
        synchronized (cache) {
            return Optional.ofNullable(cache.putIfAbsent(key, made)).orElse(made);
        }
    }
}
