package org.meshbook.elastic.array;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.meshbook.elastic.MeshMismatch;

/// What is left of a [Tree] without its arrays: a value that can be compared, and a recipe to build
/// the tree again.
public sealed interface Structure {
    /// An array's place.
    record Leaf() implements Structure {}

    /// A value that is no array.
    record Plain(Object value) implements Structure {}

    /// A list.
    record Items(List<Structure> children) implements Structure {
        public Items {
            children = List.copyOf(children);
        }
    }

    /// A map; keys ascending.
    record Entries(List<Object> keys, List<Structure> children) implements Structure {
        public Entries {
            children = List.copyOf(children);
        }
    }

    /// An optional.
    record Maybe(Optional<Structure> child) implements Structure {}

    /// A record.
    record Fields(RecordShape shape, List<Structure> children) implements Structure {
        public Fields {
            children = List.copyOf(children);
        }
    }

    /// Builds the tree.
    ///
    /// @param leaves one array a leaf, in the order of [#paths()]
    /// @param <T> type of the tree; the caller knows it
    /// @return the tree; lists and maps in it cannot be changed
    /// @throws MeshMismatch if the number of arrays is not the number of leaves
    @SuppressWarnings({
        "unchecked",
        "TypeParameterUnusedInFormals"
    }) // a structure remembers no static type
    default <T> T rebuild(List<? extends Array> leaves) {
        if (leaves.size() != leafCount()) {
            throw new MeshMismatch(
                    "a tree of %d leaves %s cannot be built from %d arrays",
                    leafCount(), paths(), leaves.size());
        }
        return (T) build(this, leaves.iterator());
    }

    /// Gives the records and enums of this tree the classes that a type names: those of a program
    /// that declared them again.
    ///
    /// @param type of the tree, as `Params.class`
    /// @return the structure in these classes
    /// @throws MeshMismatch if a record of the type has other components; names the place
    default Structure typed(Type type) {
        return new Typing(Map.of()).typed(this, type, "");
    }

    /// @return number of arrays in the tree
    default int leafCount() {
        return this instanceof Leaf ? 1 : children().stream().mapToInt(Structure::leafCount).sum();
    }

    /// @return the path of each array, in order; a lone array's is empty
    default List<String> paths() {
        var paths = new ArrayList<String>();
        walk(this, "", paths);
        return paths;
    }

    /// @return the parts of a container, in order; none of a leaf or a plain value
    default List<Structure> children() {
        return switch (this) {
            case Leaf _, Plain _ -> List.of();
            case Items(var children) -> children;
            case Entries(_, var children) -> children;
            case Fields(_, var children) -> children;
            case Maybe(var child) -> child.stream().toList();
        };
    }

    private static void walk(Structure node, String path, List<String> paths) {
        switch (node) {
            case Leaf _ -> paths.add(path);
            case Plain _ -> {}
            case Maybe(var child) -> child.ifPresent(inner -> walk(inner, path, paths));
            case Items(var children) -> {
                for (int i = 0; i < children.size(); i++) {
                    walk(children.get(i), path + "[" + i + "]", paths);
                }
            }
            case Entries(var keys, var children) -> {
                for (int i = 0; i < children.size(); i++) {
                    walk(children.get(i), path + "[" + keys.get(i) + "]", paths);
                }
            }
            case Fields(var shape, var children) -> {
                for (int i = 0; i < children.size(); i++) {
                    var name = shape.names().get(i);
                    walk(children.get(i), path.isEmpty() ? name : path + "." + name, paths);
                }
            }
        }
    }

    private static Object build(Structure node, Iterator<? extends Array> leaves) {
        return switch (node) {
            case Leaf _ -> leaves.next();
            case Plain(var value) -> value;
            case Maybe(var child) -> child.map(inner -> build(inner, leaves));
            case Items(var children) -> built(children, leaves).toList();
            case Entries(var keys, var children) -> {
                var map = new LinkedHashMap<Object, Object>();
                for (int i = 0; i < children.size(); i++) {
                    map.put(keys.get(i), build(children.get(i), leaves));
                }
                yield Collections.unmodifiableMap(map);
            }
            case Fields(var shape, var children) -> shape.make(built(children, leaves).toArray());
        };
    }

    private static Stream<Object> built(
            List<Structure> children, Iterator<? extends Array> leaves) {
        return children.stream().map(child -> build(child, leaves));
    }
}
