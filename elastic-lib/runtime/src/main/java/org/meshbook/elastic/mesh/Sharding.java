package org.meshbook.elastic.mesh;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
        dims = new PartitionSpec(dims).dims();
        dims.forEach(axes -> axes.forEach(mesh::position));
    }

    /// Makes a sharding from one text a dimension.
    ///
    /// @param mesh the mesh
    /// @param dims one entry a dimension: an axis' name, names joined by `+`, or null (or `""`) for
    ///   a whole dimension
    /// @return the sharding; missing entries mean whole dimensions
    public static Sharding of(Mesh mesh, @Nullable String @Nullable ... dims) {
        return PartitionSpec.spec(dims).on(mesh);
    }

    /// @return the same cut, whatever the mesh
    public PartitionSpec spec() {
        return new PartitionSpec(dims);
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
        return "Sharding" + spec() + " on " + mesh;
    }
}
