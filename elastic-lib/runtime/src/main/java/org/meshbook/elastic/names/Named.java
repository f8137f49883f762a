package org.meshbook.elastic.names;

import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.Published;
import org.meshbook.elastic.wire.tree.WrittenTree;

/// Gives names to what shall outlive this program; made for static import.
///
/// ```java
/// publish("params", params);                        // before the kernel dies
/// var params = lookup("params", Params.class);      // in the next one, after %attach
/// ```
///
/// Arrays stay where they are, in the workers; the head keeps the name, the shape of the tree and
/// the numbers of its arrays.
public final class Named {
    private static final String ARRAYS = "arrays";

    private Named() {}

    /// Publishes an array, or a record, list or map of arrays, under a name; replaces what had it.
    /// Returns when the arrays are computed and in place.
    ///
    /// @param name letters, digits, `_`, `.` and `-`
    /// @param what arrays on a mesh, and numbers, strings and small host arrays beside them
    /// @throws UsageError if the name is not one, or the tree holds something else
    public static void publish(String name, Object what) {
        CurrentSlices.get().names().publish(name, encode(what));
    }

    /// Finds what is published.
    ///
    /// @param name a name
    /// @param type class of what was published, as this program declares it: records need the same
    ///   components
    /// @param <T> that type
    /// @return the arrays, on the mesh on which they lie; reading one that was lost meanwhile
    ///   throws [org.meshbook.elastic.slices.SliceLost]
    /// @throws UsageError if nothing has the name
    /// @throws org.meshbook.elastic.MeshMismatch if it is no such tree; names the place
    public static <T> T lookup(String name, Class<T> type) {
        return type.cast(decode(name, find(name), type));
    }

    /// Takes a name away; its arrays live on as long as the program holds them.
    ///
    /// @param name a name
    /// @throws UsageError if nothing has it
    public static void withdraw(String name) {
        CurrentSlices.get().names().withdraw(name);
    }

    /// @return all names, ascending
    public static List<String> published() {
        return CurrentSlices.get().names().list();
    }

    private static Published find(String name) {
        var names = CurrentSlices.get().names();
        return names.find(name)
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "nothing is published as '%s'; there is %s",
                                        name,
                                        names.list().isEmpty()
                                                ? "nothing"
                                                : String.join(", ", names.list())));
    }

    private static Published encode(Object tree) {
        var flat = Tree.flatten(tree);
        var placed = flat.leaves().stream().filter(leaf -> !(leaf instanceof HostArray)).toList();
        return new Published(ARRAYS, WrittenTree.of(flat).bytes(), placed, List.of());
    }

    private static Object decode(String name, Published found, Class<?> type) {
        UsageError.require(
                found.kind().equals(ARRAYS),
                "'%s' is %s, which this version cannot look up",
                name,
                found.kind());
        var tree = WrittenTree.read(found.content());
        return tree.structure().typed(type).rebuild(tree.arrays(found.arrays()));
    }
}
