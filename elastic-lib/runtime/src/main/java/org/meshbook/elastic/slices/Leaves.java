package org.meshbook.elastic.slices;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;

/// Walks a tree of records, lists and maps down to its leaves: arrays, numbers, texts.
public final class Leaves {
    private Leaves() {}

    /// One leaf.
    ///
    /// @param path where it is, as `params.layers[0].w`; empty for a tree that is a leaf itself
    /// @param value an array or any other object
    public record Leaf(String path, @Nullable Object value) {}

    /// @param tree a record, list, map or leaf
    /// @return its leaves in order
    public static List<Leaf> of(@Nullable Object tree) {
        var leaves = new ArrayList<Leaf>();
        walk(
                "",
                tree,
                (path, value) -> {
                    leaves.add(new Leaf(path, value));
                    return value;
                });
        return leaves;
    }

    /// @param tree a record, list, map or leaf
    /// @param change called with path and value of each leaf, in order
    /// @param <T> the tree's type
    /// @return a tree of the same structure with the changed leaves
    @SuppressWarnings({"unchecked", "NullAway"}) // walk yields the type that it was given
    public static <T extends @Nullable Object> T map(
            T tree, BiFunction<String, @Nullable Object, @Nullable Object> change) {
        return (T) walk("", tree, change);
    }

    private static @Nullable Object walk(
            String path,
            @Nullable Object tree,
            BiFunction<String, @Nullable Object, @Nullable Object> change) {
        return switch (tree) {
            case null -> change.apply(path, null);
            case Record node -> record(path, node, change);
            case List<?> list -> {
                var changed = new ArrayList<@Nullable Object>();
                for (var item : list) {
                    changed.add(walk(path + "[" + changed.size() + "]", item, change));
                }
                yield Collections.unmodifiableList(changed);
            }
            case Map<?, ?> map -> {
                var changed = new LinkedHashMap<Object, @Nullable Object>();
                map.forEach((key, item) -> changed.put(key, walk(join(path, key), item, change)));
                yield Collections.unmodifiableMap(changed);
            }
            default -> change.apply(path, tree);
        };
    }

    private static Object record(
            String path,
            Record node,
            BiFunction<String, @Nullable Object, @Nullable Object> change) {
        var parts = node.getClass().getRecordComponents();
        var types = new Class<?>[parts.length];
        var values = new @Nullable Object[parts.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                types[i] = parts[i].getType();
                values[i] = walk(join(path, parts[i].getName()), read(node, parts[i]), change);
            }
            var constructor = node.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new UsageError("record at '%s' cannot be rebuilt: %s", path, String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException e) {
            throw new UsageError("record at '%s' cannot be rebuilt: %s", path, e);
        }
    }

    private static @Nullable Object read(Record node, RecordComponent part)
            throws ReflectiveOperationException {
        part.getAccessor().setAccessible(true);
        return part.getAccessor().invoke(node);
    }

    private static String join(String path, Object name) {
        return path.isEmpty() ? String.valueOf(name) : path + "." + name;
    }
}
