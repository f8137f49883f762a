package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.SliceLost;
import org.meshbook.elastic.slices.Slices;

/// A change of the mesh between two steps, in two phases: the state is built on the other mesh
/// beside the old one, and only when it has arrived are the active slices swapped. Whatever befalls
/// a new slice before that leaves mesh, state and active set as they were.
///
/// @param <T> the state
final class Resizing<T> {
    private static final Duration ARRIVAL = Duration.ofMinutes(5);

    private final Manager manager;
    private final Slices slices;
    private final Function<List<Device>, Mesh> shape;

    /// @param shape makes a mesh from its devices
    Resizing(Manager manager, Function<List<Device>, Mesh> shape) {
        this.manager = manager;
        this.slices = manager.slices();
        this.shape = shape;
    }

    /// Moves off slices that announced their end, and onto those available. Where the rest would be
    /// too few, it grows first.
    Resized<T> resize(Mesh mesh, T state) throws InterruptedException {
        var now = leave(new Resized<>(mesh, state, false));
        now = grow(now);
        return leave(now);
    }

    Resized<T> leave(Resized<T> now) throws InterruptedException {
        // 1. who goes, and whether enough stay
        var going = manager.leavingSlices();
        var active = new TreeSet<>(manager.activeSliceIndices());
        active.removeAll(going);
        if (going.isEmpty() || active.size() < manager.minimumSliceCount()) {
            return now;
        }
        // 2. build beside the old mesh; until then the slices serve
        var start = slices.clock().elapsed();
        var smaller = shape.apply(manager.devicesOf(active));
        var moved = move(now.state(), smaller);
        if (moved == null) {
            return now;
        }
        // 3. swap, and let them go
        manager.adopt(active, Map.of());
        manager.left(going, start);
        slices.letGo(going);
        return new Resized<>(smaller, moved, true);
    }

    Resized<T> grow(Resized<T> now) throws InterruptedException {
        // 1. claim: probe those on offer
        var before = manager.roster();
        if (before.available().isEmpty()) {
            return now;
        }
        var start = slices.clock().elapsed();
        var claimed = manager.probe(before.available());
        if (claimed.healthy().isEmpty()) {
            return failed(now, before.available(), "they do not answer any more");
        }
        var active = new TreeSet<>(before.active());
        active.addAll(claimed.healthy());
        // 2. build beside the old mesh
        var wider = shape.apply(manager.devicesOf(active));
        T moved;
        try {
            moved = move(now.state(), wider);
        } catch (SliceLost lost) {
            if (!Collections.disjoint(lost.slices(), before.active())) {
                throw lost;
            }
            manager.withdraw(lost.slices());
            return failed(now, claimed.healthy(), String.valueOf(lost.getMessage()));
        }
        if (moved == null) {
            return failed(
                    now,
                    claimed.healthy(),
                    "the state did not arrive within " + Words.time(ARRIVAL));
        }
        // 3. swap; the old arrays are freed when nothing refers to them
        manager.adopt(active, claimed.generations());
        manager.grew(claimed.healthy(), start);
        return new Resized<>(wider, moved, true);
    }

    /// The same axes, the first one made to take all devices.
    static Mesh stretch(Mesh mesh, List<Device> devices) {
        int rest = mesh.devices().size() / mesh.axes().getFirst().size();
        if (devices.size() % rest != 0) {
            throw new MeshMismatch(
                    "%d devices do not divide over %s; only axis '%s' can change, the others need"
                            + " %d",
                    devices.size(), mesh, mesh.axes().getFirst().name(), rest);
        }
        var axes = new ArrayList<>(mesh.axes());
        axes.set(0, new Axis(axes.getFirst().name(), devices.size() / rest));
        return new Mesh(axes, devices);
    }

    private @Nullable T move(T state, Mesh target) throws InterruptedException {
        var placed = new ArrayList<Array>();
        T moved =
                Tree.map(
                        state,
                        array -> {
                            if (array instanceof HostArray) {
                                return array;
                            }
                            var there = slices.put(array, slices.shardingOf(array).on(target));
                            placed.add(there);
                            return there;
                        });
        var start = slices.clock().elapsed();
        boolean arrived = slices.awaitReady(placed, ARRIVAL);
        long bytes = placed.stream().mapToLong(array -> array.type().bytes()).sum();
        slices.timeline().add("remesh", start, slices.clock().elapsed(), bytes);
        return arrived ? moved : null;
    }

    private Resized<T> failed(Resized<T> now, Set<Integer> wanted, String cause) {
        manager.tell(new ElasticEvent.GrowthFailed(slices.clock().now(), wanted, cause));
        return now;
    }
}
