package org.meshbook.elastic.names;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.checkpoint.Kept;
import org.meshbook.elastic.checkpoint.SnapshotOptions;
import org.meshbook.elastic.checkpoint.Snapshotter;
import org.meshbook.elastic.checkpoint.unit.Saved;
import org.meshbook.elastic.checkpoint.unit.Unit;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.Names;
import org.meshbook.elastic.slices.Published;
import org.meshbook.elastic.wire.tree.WrittenRing;
import org.meshbook.elastic.wire.tree.WrittenTree;

/// Snapshotters that have names: each change of a ring is told to whoever keeps the names, before
/// the memory of what left it is freed.
///
/// One object a name: two that own the same copies would free them twice.
final class Rings {
    static final String KIND = "snapshots";
    private static final System.Logger LOG = System.getLogger(Rings.class.getName());
    private static final Map<Names, Map<String, Snapshotter>> KNOWN = new WeakHashMap<>();

    private Rings() {}

    static synchronized void publish(Names names, String name, Snapshotter snapshotter) {
        names.publish(name, encode(snapshotter));
        remember(names, name, snapshotter);
    }

    static synchronized Snapshotter lookup(Names names, String name, Published found) {
        var known = Optional.ofNullable(KNOWN.getOrDefault(names, Map.of()).get(name));
        return known.orElseGet(
                () -> {
                    var snapshotter = decode(found);
                    remember(names, name, snapshotter);
                    return snapshotter;
                });
    }

    /// The name belongs to something else, or to nothing.
    static synchronized void forget(Names names, String name) {
        var before = KNOWN.getOrDefault(names, new HashMap<>()).remove(name);
        if (before != null) {
            before.onChange(() -> {});
        }
    }

    private static void remember(Names names, String name, Snapshotter snapshotter) {
        KNOWN.computeIfAbsent(names, _ -> new HashMap<>()).put(name, snapshotter);
        // What the ring is, is read under the lock: the last change to come tells the last ring.
        snapshotter.onChange(() -> tell(names, name, snapshotter));
    }

    private static synchronized void tell(Names names, String name, Snapshotter snapshotter) {
        if (KNOWN.getOrDefault(names, Map.of()).get(name) != snapshotter) {
            return;
        }
        try {
            names.publish(name, encode(snapshotter));
        } catch (ElasticException e) {
            // Training goes on; what a later program finds is older.
            LOG.log(Level.WARNING, "snapshots ''{0}'' stay published as they were: {1}", name, e);
        }
    }

    private static Published encode(Snapshotter snapshotter) {
        var ring = snapshotter.ring();
        var written = new ArrayList<WrittenRing.One>();
        for (var one : ring) {
            written.add(
                    new WrittenRing.One(one.step(), one.at(), written.size(), tree(one.unit())));
        }
        var options = snapshotter.options();
        var bytes =
                new WrittenRing(
                                options.replicaAxis(),
                                options.kept(),
                                options.budgetBytes(),
                                options.copyWithin(),
                                options.autoReplicate(),
                                written)
                        .bytes();
        return new Published(KIND, bytes, List.of(), ring.stream().map(Kept::copy).toList());
    }

    private static WrittenTree tree(Unit unit) {
        var leaves = new ArrayList<WrittenTree.Leaf>();
        int placed = 0;
        for (var leaf : unit.leaves()) {
            leaves.add(
                    leaf.host().isPresent()
                            ? new WrittenTree.Leaf.Host(leaf.host().get())
                            : new WrittenTree.Leaf.Placed(placed++));
        }
        return new WrittenTree(unit.structure(), leaves);
    }

    private static Snapshotter decode(Published found) {
        var written = WrittenRing.read(found.content());
        var ring = new ArrayList<Kept>();
        for (var one : written.ring()) {
            UsageError.require(
                    one.copy() >= 0 && one.copy() < found.copies().size(),
                    "a published snapshot names copy %d of %d",
                    one.copy(),
                    found.copies().size());
            var copy = found.copies().get(one.copy());
            ring.add(new Kept(one.step(), one.at(), unit(one.unit(), copy), copy));
        }
        return Snapshotter.takingOver(
                Manager.current(),
                new SnapshotOptions(
                        written.replicaAxis(),
                        written.kept(),
                        written.budgetBytes(),
                        written.copyWithin(),
                        written.autoReplicate()),
                ring);
    }

    private static Unit unit(WrittenTree tree, HostCopy copy) {
        var paths = tree.structure().paths();
        var leaves = new ArrayList<Saved>();
        for (int i = 0; i < paths.size(); i++) {
            leaves.add(
                    switch (tree.leaves().get(i)) {
                        case WrittenTree.Leaf.Host(var value) ->
                                new Saved(
                                        paths.get(i),
                                        value.type(),
                                        Optional.of(value),
                                        Optional.empty());
                        case WrittenTree.Leaf.Placed(int index) ->
                                new Saved(
                                        paths.get(i),
                                        type(copy, index),
                                        Optional.empty(),
                                        Optional.empty());
                    });
        }
        return new Unit(tree.structure(), leaves);
    }

    private static ArrayType type(HostCopy copy, int index) {
        UsageError.require(
                index >= 0 && index < copy.types().size(),
                "a published snapshot names array %d of %d",
                index,
                copy.types().size());
        return copy.types().get(index);
    }
}
