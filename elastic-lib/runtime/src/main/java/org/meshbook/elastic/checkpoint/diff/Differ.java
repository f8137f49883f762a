package org.meshbook.elastic.checkpoint.diff;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.checkpoint.load.Load;
import org.meshbook.elastic.checkpoint.load.Survivors;
import org.meshbook.elastic.checkpoint.unit.Frozen;
import org.meshbook.elastic.checkpoint.unit.Unit;
import org.meshbook.elastic.checkpoint.unit.Values;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.HostCopy;

/// Compares two snapshots on the devices of one replica that holds them: two leaves at a time are
/// on devices, and three numbers a leaf come back.
public final class Differ {
    private final Manager manager;
    private final int replicaAxis;

    /// One of the two.
    ///
    /// @param run name of its branch, or empty
    /// @param step its step
    /// @param unit its tree
    /// @param copy its arrays
    public record Side(String run, long step, Unit unit, HostCopy copy) {
        private String title(Side other) {
            return run.equals(other.run)
                    ? "step " + step
                    : (run.isEmpty() ? "main" : run) + ", step " + step;
        }

        private Map<String, Leaf> leaves() {
            var leaves = new LinkedHashMap<String, Leaf>();
            int placed = 0;
            for (var leaf : unit.leaves()) {
                int index = leaf.host().isPresent() ? -1 : placed++;
                leaves.put(leaf.path(), new Leaf(leaf.type(), leaf.host(), index));
            }
            return leaves;
        }
    }

    private record Leaf(ArrayType type, Optional<HostArray> host, int index) {}

    /// @param manager whose slices hold the snapshots
    /// @param replicaAxis index of the mesh axis along which whole copies lie
    public Differ(Manager manager, int replicaAxis) {
        this.manager = manager;
        this.replicaAxis = replicaAxis;
    }

    /// @param before one
    /// @param after the other
    /// @return what changed; nothing if no slice holds a whole copy of one of them
    /// @throws InterruptedException if the thread is interrupted
    public Optional<Diff> compare(Side before, Side after) throws InterruptedException {
        if (before.copy().types().isEmpty() && after.copy().types().isEmpty()) {
            return Optional.of(compare(before, Set.of(), after, Set.of()));
        }
        var one = new Load(manager, before.copy(), before.step(), replicaAxis);
        var two = new Load(manager, after.copy(), after.step(), replicaAxis);
        return one.read(
                        Set.of(),
                        mine -> two.read(Set.of(), theirs -> compare(before, mine, after, theirs)))
                .flatMap(found -> found);
    }

    private Diff compare(Side before, Set<Integer> mine, Side after, Set<Integer> theirs)
            throws InterruptedException {
        var old = before.leaves();
        var leaves = new ArrayList<Diff.Leaf>();
        var changes = new ArrayList<Diff.Change>();
        for (var entry : after.leaves().entrySet()) {
            var path = entry.getKey();
            var leaf = entry.getValue();
            var was = Optional.ofNullable(old.remove(path));
            if (was.map(Leaf::type).filter(leaf.type()::equals).isEmpty()) {
                var type = was.map(gone -> gone.type().toString()).orElse("-");
                changes.add(new Diff.Change(path, type, leaf.type().toString()));
                continue;
            }
            var mesh = mesh(leaf.index() < 0 ? before : after, mine, theirs);
            var x = array(before, was.orElseThrow(), mine, mesh);
            var y = array(after, leaf, theirs, mesh);
            leaves.add(measure(path, x, y));
        }
        old.forEach((path, gone) -> changes.add(new Diff.Change(path, gone.type() + "", "-")));
        changes.addAll(values(before, after));
        return new Diff(before.title(after), after.title(before), leaves, changes);
    }

    /// One replica on live slices, if possible one that holds both snapshots.
    private Optional<Mesh> mesh(Side side, Set<Integer> mine, Set<Integer> theirs) {
        var shardings = side.copy().shardings();
        if (shardings.isEmpty()) {
            return Optional.empty();
        }
        var whole = shardings.getFirst().mesh();
        return Survivors.replica(whole, replicaAxis, theirs, mine)
                .or(() -> Survivors.replica(whole, replicaAxis, theirs, theirs))
                .or(() -> Survivors.replica(whole, replicaAxis, mine, mine));
    }

    private static Array array(Side side, Leaf leaf, Set<Integer> survivors, Optional<Mesh> mesh)
            throws InterruptedException {
        if (leaf.host().isPresent()) {
            return leaf.host().get();
        }
        var lay = side.copy().shardings().get(leaf.index());
        var there = mesh.orElseThrow();
        boolean fits = lay.dims().stream().flatMap(List::stream).allMatch(there::has);
        return side.copy().load(leaf.index(), survivors, fits ? lay.on(there) : there.replicated());
    }

    private Diff.Leaf measure(String path, Array before, Array after) {
        if (before.type().shape().size() == 0) {
            return new Diff.Leaf(path, before.type(), 0, 0, 0);
        }
        boolean mixed = before instanceof HostArray != after instanceof HostArray;
        var x = number(mixed ? before.toHost() : before);
        var y = number(mixed ? after.toHost() : after);
        var apart = y.sub(x);
        var leaf =
                new Diff.Leaf(
                        path,
                        before.type(),
                        Math.sqrt(apart.square().sum().item()),
                        Math.sqrt(x.square().sum().item()),
                        apart.abs().max().item());
        for (var loaded : List.of(before, after)) {
            if (!(loaded instanceof HostArray)) {
                manager.slices().free(List.of(loaded), "when it was compared");
            }
        }
        return leaf;
    }

    private static Array number(Array array) {
        return switch (array.dtype()) {
            case F32, F64 -> array;
            case BF16, F16, I32, I64, BOOL, I8, I16, U8, U16, U32, U64 -> array.cast(DType.F64);
        };
    }

    private static List<Diff.Change> values(Side before, Side after) {
        var changes = new ArrayList<Diff.Change>();
        var old = Values.of(before.unit());
        Values.of(after.unit())
                .forEach(
                        (path, now) -> {
                            var was = Optional.ofNullable(old.remove(path));
                            if (!was.equals(Optional.of(now))) {
                                changes.add(
                                        new Diff.Change(
                                                path,
                                                was.map(String::valueOf).orElse("-"),
                                                now instanceof Frozen
                                                        ? "changed"
                                                        : String.valueOf(now)));
                            }
                        });
        old.forEach((path, gone) -> changes.add(new Diff.Change(path, gone + "", "-")));
        return changes;
    }
}
