package org.meshbook.elastic.mesh;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// How the dimensions of an array are cut over the axes of a mesh.
///
/// Dimensions without an entry, and axes that no dimension names, are replicated. Source: JAX's
/// `NamedSharding` and `PartitionSpec`.
///
/// @param mesh the mesh
/// @param dims for each array dimension the axes it is cut over, outermost first; trailing empty
///   entries are dropped
public record Sharding(Mesh mesh, List<List<String>> dims) {
    /// @throws org.meshbook.elastic.UsageError if an axis is unknown or used twice
    public Sharding {
        var kept = new ArrayList<List<String>>();
        var used = new HashSet<String>();
        for (var axes : dims) {
            for (var axis : axes) {
                mesh.position(axis);
                require(
                        used.add(axis),
                        "axis '%s' shards two dimensions; an axis can cut only one",
                        axis);
            }
            kept.add(List.copyOf(axes));
        }
        while (!kept.isEmpty() && kept.getLast().isEmpty()) {
            kept.removeLast();
        }
        dims = List.copyOf(kept);
    }

    /// Makes a sharding from one text a dimension.
    ///
    /// @param mesh the mesh
    /// @param dims one entry a dimension: an axis' name, names joined by `+`, or `""` for a whole
    ///   dimension
    /// @return the sharding; missing entries mean whole dimensions
    public static Sharding of(Mesh mesh, String... dims) {
        var lists = new ArrayList<List<String>>();
        for (var dim : dims) {
            lists.add(dim.isEmpty() ? List.of() : List.of(dim.split("\\+", -1)));
        }
        return new Sharding(mesh, lists);
    }

    /// @param dim an array dimension
    /// @return the axes that cut it, outermost first; empty if it is whole
    public List<String> axes(int dim) {
        return dim < dims.size() ? dims.get(dim) : List.of();
    }

    /// @param dim an array dimension
    /// @return the number of pieces it is cut into
    public int pieces(int dim) {
        int pieces = 1;
        for (var axis : axes(dim)) {
            pieces *= mesh.size(axis);
        }
        return pieces;
    }

    /// @param place a device's place in the mesh
    /// @param dim an array dimension
    /// @return which piece of that dimension the device holds
    public int piece(int place, int dim) {
        int piece = 0;
        for (var axis : axes(dim)) {
            piece = piece * mesh.size(axis) + mesh.coordinate(place, axis);
        }
        return piece;
    }

    /// @return whether every device holds the whole array
    public boolean isReplicated() {
        return dims.isEmpty();
    }

    /// @param axis an axis' name
    /// @return whether no dimension is cut over that axis
    public boolean replicatedAlong(String axis) {
        return dims.stream().noneMatch(axes -> axes.contains(axis));
    }

    /// The same cut over another mesh that has the same axis names.
    ///
    /// @param other the other mesh
    /// @return the sharding there
    public Sharding on(Mesh other) {
        return new Sharding(other, dims);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("Sharding(");
        for (int i = 0; i < dims.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(dims.get(i).isEmpty() ? "·" : String.join("+", dims.get(i)));
        }
        return text.append(dims.isEmpty() ? "replicated" : "")
                .append(") on ")
                .append(mesh)
                .toString();
    }
}
