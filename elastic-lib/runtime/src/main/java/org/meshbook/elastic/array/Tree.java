package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

/// Trees of arrays: records, lists, maps and optionals, nested as you like.
///
/// Arrays are the leaves. Numbers, strings, booleans and enums may stand beside them and belong to
/// the structure: they are kept, compared, and never computed with. Paths of leaves read `w1`,
/// `layers[0].b`, `state[lr]`. Source: JAX's pytrees.
public final class Tree {
    private Tree() {}

    /// A tree taken apart.
    ///
    /// @param structure what is left without the arrays; equal structures have equal shape
    /// @param leaves the arrays, in the order of the structure's paths
    public record Flat(Structure structure, List<Array> leaves) {
        public Flat {
            leaves = List.copyOf(leaves);
        }
    }

    /// Takes a tree apart.
    ///
    /// @param tree a tree
    /// @return its structure and arrays
    /// @throws UsageError if it holds something that is neither array, container nor plain value;
    ///   names the path and the type
    public static Flat flatten(Object tree) {
        return flatten(tree, Tree::refuse);
    }

    /// Takes a tree apart in which other values may stand.
    ///
    /// @param tree a tree
    /// @param others says what stands in for a value that is neither array, container nor plain
    /// @return its structure and arrays
    public static Flat flatten(Object tree, Others others) {
        var walk = new Walk(others, new ArrayList<>());
        var structure = walk.node(tree, "");
        return new Flat(structure, walk.leaves());
    }

    /// What becomes of a value that no tree knows.
    public interface Others {
        /// @param path where it stands
        /// @param value the value
        /// @return what the structure keeps of it
        Object plain(String path, Object value);
    }

    private static Object refuse(String path, Object value) {
        throw new UsageError(
                "tree leaf '%s' is a %s; trees hold arrays, records, lists, maps, Optional, numbers,"
                        + " strings and enums",
                path, value.getClass().getName());
    }

    /// @param tree a tree
    /// @return its arrays in order
    public static List<Array> leaves(Object tree) {
        return flatten(tree).leaves();
    }

    /// @param tree a tree
    /// @return the path of each array, in order
    public static List<String> paths(Object tree) {
        return flatten(tree).structure().paths();
    }

    /// Makes a tree of the same structure; what is no array is kept as it is, whatever it is.
    ///
    /// @param tree a tree
    /// @param fn applied to each array
    /// @param <T> type of the tree
    /// @return the new tree
    public static <T> T map(T tree, UnaryOperator<Array> fn) {
        var flat = flatten(tree, (_, value) -> value);
        return flat.structure().rebuild(flat.leaves().stream().map(fn).toList());
    }

    /// @param tree a tree
    /// @param <T> type of the tree
    /// @return a tree of the same structure, of zeros that lie where its arrays lie
    public static <T> T zerosLike(T tree) {
        return map(
                tree,
                leaf ->
                        leaf instanceof HostArray
                                ? HostArray.zeros(leaf.type())
                                : Array.where(leaf.eq(leaf), Apply.scalarLike(leaf, 0), 0));
    }

    /// Joins two trees of one structure leaf by leaf, as `map(params, grads, (p, g) ->
    /// p.sub(g.mul(0.1)))`.
    ///
    /// @param left a tree
    /// @param right a tree of the same structure
    /// @param fn applied to each pair of arrays
    /// @param <T> type of the trees
    /// @return the new tree
    /// @throws MeshMismatch if the structures differ
    public static <T> T map(T left, T right, BinaryOperator<Array> fn) {
        var a = flatten(left);
        var b = flatten(right);
        if (!a.structure().equals(b.structure())) {
            throw new MeshMismatch(
                    "trees differ: the left has leaves %s, the right %s, or their plain values"
                            + " differ",
                    a.structure().paths(), b.structure().paths());
        }
        var joined = new ArrayList<Array>();
        for (int i = 0; i < a.leaves().size(); i++) {
            joined.add(fn.apply(a.leaves().get(i), b.leaves().get(i)));
        }
        return a.structure().rebuild(joined);
    }

    private record Walk(Others others, List<Array> leaves) {
        private Structure node(@Nullable Object node, String path) {
            return switch (node) {
                case Array leaf -> {
                    leaves.add(leaf);
                    yield new Structure.Leaf();
                }
                case List<?> list -> {
                    var children = new ArrayList<Structure>();
                    for (var element : list) {
                        children.add(node(element, path + "[" + children.size() + "]"));
                    }
                    yield new Structure.Items(children);
                }
                case Map<?, ?> map -> entries(map, path);
                case Optional<?> optional ->
                        new Structure.Maybe(optional.map(inner -> node(inner, path)));
                case Number plain -> new Structure.Plain(plain);
                case String plain -> new Structure.Plain(plain);
                case Boolean plain -> new Structure.Plain(plain);
                case Character plain -> new Structure.Plain(plain);
                case Enum<?> plain -> new Structure.Plain(plain);
                case Record record -> fields(record, path);
                case null -> throw new UsageError("tree leaf '%s' is null; use Optional", path);
                default -> new Structure.Plain(others.plain(path, node));
            };
        }

        private Structure entries(Map<?, ?> map, String path) {
            var sorted = new TreeMap<Object, Object>();
            for (var entry : map.entrySet()) {
                UsageError.require(
                        entry.getKey() instanceof Comparable,
                        "map '%s' has the key %s; keys must have an order, as strings",
                        path,
                        entry.getKey());
                sorted.put(entry.getKey(), entry.getValue());
            }
            var children = new ArrayList<Structure>();
            for (var entry : sorted.entrySet()) {
                children.add(node(entry.getValue(), path + "[" + entry.getKey() + "]"));
            }
            return new Structure.Entries(List.copyOf(sorted.keySet()), children);
        }

        private Structure fields(Record record, String path) {
            var shape = RecordShape.of(record.getClass());
            var children = new ArrayList<Structure>();
            for (int i = 0; i < shape.names().size(); i++) {
                var name = shape.names().get(i);
                children.add(
                        node(shape.read(record, i), path.isEmpty() ? name : path + "." + name));
            }
            return new Structure.Fields(shape, children);
        }
    }
}
