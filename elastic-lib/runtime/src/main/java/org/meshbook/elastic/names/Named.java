package org.meshbook.elastic.names;

import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.slices.Names;
import org.meshbook.elastic.slices.Published;
import org.meshbook.elastic.wire.tree.WrittenTree;

/// Gives names to what shall outlive this program; made for static import.
///
/// ```java
/// publish("params", params);                                // before the kernel dies
/// publish("snapshots", snapshots);
/// var params = lookup("params", Params.class);              // in the next one, after %attach
/// var snapshots = lookup("snapshots", Snapshotter.class);   // restoreLatestOr goes on
/// ```
///
/// Arrays stay where they are, in the workers; the head keeps the name, the shape of the tree and
/// the numbers of its arrays.
public final class Named {
    private static final String ARRAYS = "arrays";

    private Named() {}

    /// Publishes an array, a record, list or map of arrays, or a snapshotter, under a name;
    /// replaces what had it. Of a snapshotter, each snapshot that is completed later is published,
    /// too. Returns when the arrays are computed and in place.
    ///
    /// @param name letters, digits, `_`, `.` and `-`
    /// @param what arrays on a mesh, and numbers, strings and small host arrays beside them; or a
    ///   [Snapshotter]
    /// @throws UsageError if the name is not one, or the tree holds something else
    public static void publish(String name, Object what) {
        var names = CurrentSlices.get().names();
        if (what instanceof Snapshotter snapshotter) {
            Rings.publish(names, name, snapshotter);
            return;
        }
        names.publish(name, encode(what));
        Rings.forget(names, name);
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
        var names = CurrentSlices.get().names();
        var found = find(names, name);
        return type.cast(
                type == Snapshotter.class && found.kind().equals(Rings.KIND)
                        ? Rings.lookup(names, name, found)
                        : decode(name, found, type));
    }

    /// Takes a name away; its arrays live on as long as the program holds them.
    ///
    /// @param name a name
    /// @throws UsageError if nothing has it
    public static void withdraw(String name) {
        var names = CurrentSlices.get().names();
        names.withdraw(name);
        Rings.forget(names, name);
    }

    /// @return all names, ascending
    public static List<String> published() {
        return CurrentSlices.get().names().list();
    }

    private static Published find(Names names, String name) {
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
                "'%s' is no tree of arrays but %s%s",
                name,
                found.kind(),
                found.kind().equals(Rings.KIND)
                        ? "; look it up as Snapshotter.class"
                        : ", which this version does not know");
        var tree = WrittenTree.read(found.content());
        return tree.structure().typed(type).rebuild(tree.arrays(found.arrays()));
    }
}
