package org.meshbook.elastic.mesh;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which axes cut which dimension of an array, whatever mesh it lies on.
///
/// A program that says how its arrays are cut by names alone goes on when the mesh shrinks or
/// grows. Dimensions without an entry are whole. Source: JAX's `PartitionSpec`.
///
/// @param dims for each array dimension the axes it is cut over, outermost first; trailing empty
///   entries are dropped
public record PartitionSpec(List<List<String>> dims) {
    /// @throws org.meshbook.elastic.UsageError if an axis is used twice
    public PartitionSpec {
        var kept = new ArrayList<List<String>>();
        var used = new HashSet<String>();
        for (var axes : dims) {
            for (var axis : axes) {
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

    /// Makes a spec from one text a dimension; made for static import.
    ///
    /// @param dims one entry a dimension: an axis' name, names joined by `+`, or null (or `""`) for
    ///   a whole dimension
    /// @return the spec; missing entries mean whole dimensions
    public static PartitionSpec spec(@Nullable String @Nullable ... dims) {
        var lists = new ArrayList<List<String>>();
        // A lone null is Java's way to call a method of many arguments with none at all.
        for (var dim : dims == null ? new String[0] : dims) {
            boolean whole = dim == null || dim.isEmpty();
            lists.add(whole ? List.of() : List.of(dim.split("\\+", -1)));
        }
        return new PartitionSpec(lists);
    }

    /// @param dim an array dimension
    /// @return the axes that cut it, outermost first; empty if it is whole
    public List<String> axes(int dim) {
        return dim < dims.size() ? dims.get(dim) : List.of();
    }

    /// @return all axes that cut a dimension
    public List<String> axes() {
        return dims.stream().flatMap(List::stream).toList();
    }

    /// @param mesh a mesh that has these axes
    /// @return the same cut there
    /// @throws org.meshbook.elastic.UsageError if an axis is unknown
    public Sharding on(Mesh mesh) {
        return new Sharding(mesh, dims);
    }

    /// @return as `(replica, ·)`; `(replicated)` if nothing is cut
    @Override
    public String toString() {
        if (dims.isEmpty()) {
            return "(replicated)";
        }
        return "("
                + String.join(
                        ", ",
                        dims.stream()
                                .map(axes -> axes.isEmpty() ? "·" : String.join("+", axes))
                                .toList())
                + ")";
    }
}
