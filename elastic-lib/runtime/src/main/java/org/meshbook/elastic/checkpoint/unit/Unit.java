package org.meshbook.elastic.checkpoint.unit;

import static org.meshbook.elastic.UsageError.require;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// A saved tree without its device arrays: state, step and data position in one.
///
/// @param structure with the plain values, as they were at the save
/// @param leaves its arrays, in order
public record Unit(Structure structure, List<Saved> leaves) {
    public Unit {
        leaves = List.copyOf(leaves);
    }

    static Unit of(Tree.Flat flat, List<Optional<Sharding>> alone) {
        var paths = flat.structure().paths();
        var leaves = new ArrayList<Saved>();
        for (int i = 0; i < paths.size(); i++) {
            var leaf = flat.leaves().get(i);
            leaves.add(
                    new Saved(
                            paths.get(i),
                            leaf.type(),
                            leaf instanceof HostArray host
                                    ? Optional.of(copy(host))
                                    : Optional.empty(),
                            alone.get(i)));
        }
        return new Unit(freeze(flat.structure(), ""), leaves);
    }

    /// @return the leaves that lie in the host copy, in its order
    public List<Saved> placed() {
        return leaves.stream().filter(leaf -> leaf.host().isEmpty()).toList();
    }

    /// The tree again, with new device arrays; what can change is a fresh copy.
    ///
    /// @param placed one array for each of [#placed()]
    /// @param <T> type of the tree; the caller knows it
    /// @return the tree
    @SuppressWarnings("TypeParameterUnusedInFormals") // a structure remembers no static type
    public <T> T rebuild(List<Array> placed) {
        Iterator<Array> next = placed.iterator();
        var arrays = new ArrayList<Array>();
        leaves.forEach(
                leaf -> arrays.add(leaf.host().<Array>map(Unit::copy).orElseGet(next::next)));
        return thaw(structure).rebuild(arrays);
    }

    /// This unit in the classes of a pattern.
    ///
    /// @param pattern what is asked for
    /// @return the same values
    /// @throws org.meshbook.elastic.UsageError if the fields, shapes or types differ; lists every
    ///   path that does
    public Unit as(Pattern pattern) {
        var fit = new Fit();
        var adapted = fit.adapt(structure, pattern.structure(), "");
        var wrong = fit.wrong();
        for (var leaf : leaves) {
            var asked = pattern.leaves().get(leaf.path());
            if (asked != null && !asked.type().equals(leaf.type())) {
                wrong.add(
                        "'%s' is %s, asked for %s"
                                .formatted(leaf.path(), leaf.type(), asked.type()));
            }
        }
        require(
                wrong.isEmpty(),
                "the snapshot does not fit what is asked for: %s",
                String.join("; ", wrong));
        return new Unit(adapted, leaves);
    }

    /// Where the device arrays go: as the pattern says, else as they lay.
    ///
    /// @param shardings of the host copy
    /// @param pattern what is asked for
    /// @param mesh the new mesh
    /// @return one sharding for each of [#placed()]
    public List<Sharding> targets(List<Sharding> shardings, Optional<Pattern> pattern, Mesh mesh) {
        var targets = new ArrayList<Sharding>();
        for (var leaf : placed()) {
            var lay = shardings.get(targets.size());
            var asked =
                    pattern.map(p -> p.leaves().get(leaf.path()))
                            .flatMap(Pattern.Wanted::sharding)
                            .filter(s -> s.mesh().devices().size() > 1 || leaf.alone().isPresent());
            targets.add(
                    leaf.alone().isPresent()
                            ? alone(asked.orElse(leaf.alone().get()), mesh)
                            : asked.orElse(lay).on(mesh));
        }
        return targets;
    }

    /// The device where it lay, or the first one that is left.
    private static Sharding alone(Sharding lay, Mesh mesh) {
        if (lay.mesh().devices().size() > 1) {
            return lay.on(mesh);
        }
        var device = lay.mesh().devices().getFirst();
        var there = mesh.devices().contains(device) ? device : mesh.devices().getFirst();
        return lay.on(new Mesh(lay.mesh().axes(), List.of(there)));
    }

    private static HostArray copy(HostArray host) {
        var bytes = host.bytes();
        return HostArray.wrap(
                host.type(), ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip());
    }

    private static Structure freeze(Structure node, String path) {
        return switch (node) {
            case Structure.Leaf leaf -> leaf;
            case Structure.Plain(var value) -> new Structure.Plain(Frozen.of(path, value));
            case Structure.Items(var children) -> {
                var all = new ArrayList<Structure>();
                children.forEach(child -> all.add(freeze(child, path + "[" + all.size() + "]")));
                yield new Structure.Items(all);
            }
            case Structure.Entries(var keys, var children) -> {
                var all = new ArrayList<Structure>();
                children.forEach(
                        child -> all.add(freeze(child, path + "[" + keys.get(all.size()) + "]")));
                yield new Structure.Entries(keys, all);
            }
            case Structure.Fields(var shape, var children) -> {
                var all = new ArrayList<Structure>();
                for (var child : children) {
                    var name = shape.names().get(all.size());
                    all.add(freeze(child, path.isEmpty() ? name : path + "." + name));
                }
                yield new Structure.Fields(shape, all);
            }
            case Structure.Maybe(var child) ->
                    new Structure.Maybe(child.map(inner -> freeze(inner, path)));
        };
    }

    private static Structure thaw(Structure node) {
        return switch (node) {
            case Structure.Leaf leaf -> leaf;
            case Structure.Plain(var value) ->
                    value instanceof Frozen frozen ? new Structure.Plain(frozen.thaw()) : node;
            case Structure.Items(var children) -> new Structure.Items(thaw(children));
            case Structure.Entries(var keys, var children) ->
                    new Structure.Entries(keys, thaw(children));
            case Structure.Fields(var shape, var children) ->
                    new Structure.Fields(shape, thaw(children));
            case Structure.Maybe(var child) -> new Structure.Maybe(child.map(Unit::thaw));
        };
    }

    private static List<Structure> thaw(List<Structure> children) {
        return children.stream().map(Unit::thaw).toList();
    }
}
