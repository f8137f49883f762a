package org.meshbook.elastic.slices.axis;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.Slices;

/// Takes trees of arrays apart along one axis of their mesh, and joins them again; no byte moves.
///
/// An array that is replicated along the axis keeps its shape on each sub-mesh; one that is cut
/// over it becomes as many shorter ones. A part on slices that live can be read although the whole
/// is lost. Never waits for a device; immutable, each method yields a changed copy.
///
/// @param slices where the arrays lie
/// @param axis name of the mesh axis
/// @param cuts where to cut, strictly ascending inside the axis; empty for every position
/// @param sections equal parts to cut into, if `cuts` is empty; 0 for every position
/// @param donates whether [#of] frees the arrays that it took apart
public record AxisSplit(
        Slices slices, String axis, List<Integer> cuts, int sections, boolean donates) {
    public AxisSplit {
        cuts = List.copyOf(cuts);
    }

    /// @param axis name of a mesh axis
    /// @return splits the arrays of the current allocation at every position of the axis
    public static AxisSplit along(String axis) {
        return along(CurrentSlices.get(), axis);
    }

    /// @param slices where the arrays lie
    /// @param axis name of a mesh axis
    /// @return splits at every position of the axis
    public static AxisSplit along(Slices slices, String axis) {
        return new AxisSplit(slices, axis, List.of(), 0, false);
    }

    /// @param parts equal parts; divides the axis
    /// @return the changed copy
    public AxisSplit into(int parts) {
        require(parts >= 1, "%d sections of axis '%s'; ask for at least 1", parts, axis);
        return new AxisSplit(slices, axis, List.of(), parts, donates);
    }

    /// @param boundaries first position of each part but the first
    /// @return the changed copy
    public AxisSplit at(Integer... boundaries) {
        return new AxisSplit(slices, axis, List.of(boundaries), 0, donates);
    }

    /// @return the changed copy: the whole is freed when it was taken apart
    public AxisSplit donating() {
        return new AxisSplit(slices, axis, cuts, sections, true);
    }

    /// Takes a tree apart.
    ///
    /// @param tree a tree of arrays that lie on one mesh; other leaves are handed on
    /// @param <T> the tree's type
    /// @return one tree a part, in the order of the axis
    /// @throws org.meshbook.elastic.UsageError if the arrays lie on different meshes or none, or
    ///   the parts do not fit the axis
    public <T> List<T> of(T tree) {
        var flat = Tree.flatten(tree);
        var mesh = meshOf(flat.leaves(), flat.structure().paths());
        var bounds = bounds(mesh.size(axis));
        var parts = new ArrayList<T>();
        for (int i = 0; i + 1 < bounds.size(); i++) {
            int from = bounds.get(i);
            int to = bounds.get(i + 1);
            var part = subMesh(mesh, from, to);
            parts.add(
                    flat.structure()
                            .rebuild(
                                    flat.leaves().stream()
                                            .map(leaf -> part(leaf, mesh, part))
                                            .toList()));
        }
        if (donates) {
            slices.free(flat.leaves(), "when it was split along '" + axis + "'");
        }
        return parts;
    }

    /// Joins trees along the axis, and frees their arrays.
    ///
    /// @param trees trees of one structure, each on a mesh with the same axes; only the size along
    ///   the axis may differ
    /// @param <T> the trees' type
    /// @return the joined tree, on a mesh of all their devices
    /// @throws org.meshbook.elastic.UsageError if the structures or the meshes do not fit
    public <T> T join(List<T> trees) {
        require(!trees.isEmpty(), "nothing to join along axis '%s'; give at least one tree", axis);
        var flats = trees.stream().map(Tree::flatten).toList();
        var first = flats.getFirst();
        var paths = first.structure().paths();
        var meshes = new ArrayList<Mesh>();
        for (var flat : flats) {
            require(
                    flat.structure().equals(first.structure()),
                    "trees of leaves %s and %s cannot be joined along '%s'",
                    paths,
                    flat.structure().paths(),
                    axis);
            meshes.add(meshOf(flat.leaves(), paths));
        }
        var whole = JoinedMesh.of(meshes, axis);
        var joined = new ArrayList<Array>();
        for (int leaf = 0; leaf < paths.size(); leaf++) {
            int at = leaf;
            joined.add(
                    joined(
                            paths.get(leaf),
                            flats.stream().map(flat -> flat.leaves().get(at)).toList(),
                            whole));
        }
        flats.forEach(
                flat -> slices.free(flat.leaves(), "when it was joined along '" + axis + "'"));
        return first.structure().rebuild(joined);
    }

    private Mesh meshOf(List<Array> leaves, List<String> paths) {
        require(
                !leaves.isEmpty(),
                "a tree without arrays lies on no mesh; nothing to do along '%s'",
                axis);
        var mesh = slices.shardingOf(leaves.getFirst()).mesh();
        for (int i = 1; i < leaves.size(); i++) {
            var other = slices.shardingOf(leaves.get(i)).mesh();
            require(
                    other.equals(mesh),
                    "'%s' lies on %s and '%s' on %s; split arrays of one mesh at a time",
                    paths.getFirst(),
                    mesh,
                    paths.get(i),
                    other);
        }
        return mesh;
    }

    /// The first position of each part, and the end.
    private List<Integer> bounds(int size) {
        var bounds = new ArrayList<Integer>();
        bounds.add(0);
        if (cuts.isEmpty()) {
            int parts = sections == 0 ? size : sections;
            require(
                    size % parts == 0,
                    "axis '%s' of %d does not divide into %d sections; use a divisor of %d, or boundaries",
                    axis,
                    size,
                    parts,
                    size);
            for (int i = 1; i < parts; i++) {
                bounds.add(i * (size / parts));
            }
        }
        for (int cut : cuts) {
            require(
                    cut > bounds.getLast() && cut < size,
                    "boundaries %s of axis '%s' must ascend strictly between 0 and %d",
                    cuts,
                    axis,
                    size);
            bounds.add(cut);
        }
        bounds.add(size);
        return bounds;
    }

    private Mesh subMesh(Mesh mesh, int from, int to) {
        var axes =
                mesh.axes().stream()
                        .map(a -> a.name().equals(axis) ? new Axis(axis, to - from) : a)
                        .toList();
        var devices = new ArrayList<Device>();
        for (int place = 0; place < mesh.devices().size(); place++) {
            int at = mesh.coordinate(place, axis);
            if (at >= from && at < to) {
                devices.add(mesh.devices().get(place));
            }
        }
        return new Mesh(axes, devices);
    }

    private Array part(Array whole, Mesh mesh, Mesh part) {
        var sharding = slices.shardingOf(whole);
        return slices.alias(
                resized(whole.type(), sharding, part.size(axis), mesh.size(axis)),
                sharding.on(part),
                List.of(whole));
    }

    private Array joined(String path, List<Array> parts, Mesh whole) {
        var first = slices.shardingOf(parts.getFirst());
        for (var part : parts) {
            require(
                    slices.shardingOf(part).dims().equals(first.dims()),
                    "the parts of '%s' are cut differently: %s and %s",
                    path,
                    first,
                    slices.shardingOf(part));
        }
        return slices.alias(
                resized(parts.getFirst().type(), first, whole.size(axis), first.mesh().size(axis)),
                first.on(whole),
                parts);
    }

    /// The type when the axis has another size: a dimension that is cut over it grows or shrinks.
    private ArrayType resized(ArrayType type, Sharding sharding, int size, int before) {
        var dims = new ArrayList<>(type.shape().dims());
        for (int dim = 0; dim < dims.size(); dim++) {
            if (sharding.axes(dim).contains(axis)) {
                dims.set(dim, dims.get(dim) / before * size);
            }
        }
        return new ArrayType(type.dtype(), new Shape(dims));
    }
}
