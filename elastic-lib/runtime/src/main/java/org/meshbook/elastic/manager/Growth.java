package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

/// Growth in two phases: the state is built on the wider mesh beside the old one, and only when it
/// has arrived are the active slices swapped. Whatever befalls a new slice before that leaves mesh,
/// state and active set as they were.
final class Growth {
    private static final Duration ARRIVAL = Duration.ofMinutes(5);

    private final Manager manager;
    private final Slices slices;

    Growth(Manager manager) {
        this.manager = manager;
        this.slices = manager.slices();
    }

    <T> Grown<T> grow(Mesh mesh, T state, Function<List<Device>, Mesh> shape)
            throws InterruptedException {
        // 1. claim: probe those on offer
        var before = manager.roster();
        if (before.available().isEmpty()) {
            return new Grown<>(mesh, state, false);
        }
        var start = slices.clock().elapsed();
        var claimed = manager.probe(before.available());
        if (claimed.healthy().isEmpty()) {
            return failed(mesh, state, before.available(), "they do not answer any more");
        }
        var active = new TreeSet<>(before.active());
        active.addAll(claimed.healthy());
        // 2. build beside the old mesh
        var wider = shape.apply(manager.devicesOf(active));
        T moved;
        try {
            moved = move(state, wider);
        } catch (SliceLost lost) {
            if (!Collections.disjoint(lost.slices(), before.active())) {
                throw lost;
            }
            manager.withdraw(lost.slices());
            return failed(mesh, state, claimed.healthy(), String.valueOf(lost.getMessage()));
        }
        if (moved == null) {
            return failed(
                    mesh,
                    state,
                    claimed.healthy(),
                    "the state did not arrive within " + Words.time(ARRIVAL));
        }
        // 3. swap; the old arrays are freed when nothing refers to them
        manager.adopt(active, claimed.generations());
        manager.grew(claimed.healthy(), start);
        return new Grown<>(wider, moved, true);
    }

    /// The same axes, the first one stretched to take all devices.
    static Mesh stretch(Mesh mesh, List<Device> devices) {
        int rest = mesh.devices().size() / mesh.axes().getFirst().size();
        if (devices.size() % rest != 0) {
            throw new MeshMismatch(
                    "%d devices do not divide over %s; only axis '%s' can grow, the others need %d",
                    devices.size(), mesh, mesh.axes().getFirst().name(), rest);
        }
        var axes = new ArrayList<>(mesh.axes());
        axes.set(0, new Axis(axes.getFirst().name(), devices.size() / rest));
        return new Mesh(axes, devices);
    }

    private <T> @Nullable T move(T state, Mesh wider) throws InterruptedException {
        var placed = new ArrayList<Array>();
        T moved =
                Tree.map(
                        state,
                        array -> {
                            if (array instanceof HostArray) {
                                return array;
                            }
                            var there = slices.put(array, slices.shardingOf(array).on(wider));
                            placed.add(there);
                            return there;
                        });
        var start = slices.clock().elapsed();
        boolean arrived = slices.awaitReady(placed, ARRIVAL);
        long bytes = placed.stream().mapToLong(array -> array.type().bytes()).sum();
        slices.timeline().add("remesh", start, slices.clock().elapsed(), bytes);
        return arrived ? moved : null;
    }

    private <T> Grown<T> failed(Mesh mesh, T state, Set<Integer> wanted, String cause) {
        manager.tell(new ElasticEvent.GrowthFailed(slices.clock().now(), wanted, cause));
        return new Grown<>(mesh, state, false);
    }
}
