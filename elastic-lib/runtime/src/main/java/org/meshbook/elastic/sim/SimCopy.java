package org.meshbook.elastic.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.HostCopy;

/// A virtual copy in the memory of the virtual hosts: gone with the processes that held it.
final class SimCopy implements HostCopy {
    private final Simulation simulation;
    private final List<SimArray> sources;
    private final SimTimes times;
    private final Map<Integer, Integer> holders = new TreeMap<>();
    private final Duration doneAt;
    private final long started;
    private final Set<Integer> lostBefore = new TreeSet<>();
    private boolean released;

    SimCopy(Simulation simulation, List<SimArray> sources, SimTimes times) {
        this.simulation = simulation;
        this.sources = sources;
        this.times = times;
        this.started = simulation.head().generation();
        var done = simulation.clock().elapsed();
        for (var source : sources) {
            lostBefore.addAll(source.poison());
            done = source.readyAt.compareTo(done) > 0 ? source.readyAt : done;
            source.slices.forEach(
                    slice -> holders.put(slice, simulation.head().slice(slice).generation));
        }
        this.doneAt = done.plus(times.copy());
        simulation.copies(1);
    }

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
        var clock = simulation.clock();
        var end = clock.elapsed().plus(timeout);
        while (true) {
            var lost = new TreeSet<>(simulation.head().lostSince(holders.keySet(), started + 1));
            lost.addAll(lostBefore);
            sources.forEach(source -> lost.addAll(source.poison));
            if (!lost.isEmpty()) {
                throw simulation.head().lost(lost, "a copy of " + sources.size() + " arrays");
            }
            var now = clock.elapsed();
            boolean silent = holders.keySet().stream().anyMatch(simulation.head()::silent);
            if (!silent && doneAt.compareTo(now) <= 0) {
                return true;
            }
            if (now.compareTo(end) >= 0) {
                return false;
            }
            var nap = !silent && doneAt.compareTo(end) < 0 ? doneAt : end;
            clock.sleep(nap.minus(now));
        }
    }

    @Override
    public Set<Integer> pending() {
        return doneAt.compareTo(simulation.clock().elapsed()) > 0
                ? Set.copyOf(holders.keySet())
                : silent();
    }

    private Set<Integer> silent() {
        var silent = new TreeSet<Integer>();
        holders.keySet().stream().filter(simulation.head()::silent).forEach(silent::add);
        return silent;
    }

    @Override
    public List<ArrayType> types() {
        return sources.stream().map(SimArray::type).toList();
    }

    @Override
    public List<Sharding> shardings() {
        return sources.stream().map(source -> source.sharding).toList();
    }

    @Override
    public long bytes() {
        long bytes = 0;
        for (var source : sources) {
            bytes += source.type().bytes() * source.slices.size();
        }
        return bytes;
    }

    @Override
    public Set<Integer> readable(Set<Integer> asked) throws InterruptedException {
        checkHeld();
        simulation.clock().await(times.probe(), () -> false);
        var readable = new TreeSet<Integer>();
        for (int slice : asked) {
            if (held(slice)) {
                readable.add(slice);
            }
        }
        return readable;
    }

    @Override
    public List<Array> load(Set<Integer> survivors, List<Sharding> targets)
            throws InterruptedException {
        return load(sources, survivors, targets);
    }

    @Override
    public Array load(int index, Set<Integer> survivors, Sharding target)
            throws InterruptedException {
        return load(List.of(sources.get(index)), survivors, List.of(target)).getFirst();
    }

    private List<Array> load(List<SimArray> chosen, Set<Integer> survivors, List<Sharding> targets)
            throws InterruptedException {
        checkHeld();
        checkWhole(chosen, survivors);
        // 1. place: the new arrays are born now, so that a loss while it lasts poisons them
        var placed = new ArrayList<SimArray>();
        for (int i = 0; i < chosen.size(); i++) {
            placed.add(
                    simulation.born(chosen.get(i).value, targets.get(i), times.load(), List.of()));
        }
        // 2. wait, then see who is left
        simulation.clock().await(times.load(), () -> false);
        var gone = new TreeSet<Integer>();
        survivors.forEach(
                slice -> {
                    if (!held(slice)) {
                        gone.add(slice);
                    }
                });
        placed.forEach(array -> gone.addAll(array.poison()));
        if (!gone.isEmpty()) {
            throw simulation.head().lost(gone, "a load of " + chosen.size() + " arrays");
        }
        return new ArrayList<>(placed);
    }

    @Override
    public void release() {
        simulation.copies(released ? 0 : -1);
        released = true;
    }

    private boolean held(int slice) {
        var holder = simulation.head().slice(slice);
        var generation = holders.get(slice);
        return generation != null
                && holder.alive
                && !holder.hung
                && !holder.rotten
                && holder.generation == generation;
    }

    private void checkHeld() {
        if (released) {
            throw new UsageError("the copy of %d arrays was released", sources.size());
        }
    }

    private static void checkWhole(List<SimArray> chosen, Set<Integer> survivors) {
        for (var source : chosen) {
            var all = new HashSet<List<Integer>>();
            var left = new HashSet<List<Integer>>();
            var devices = source.sharding.mesh().devices();
            for (int place = 0; place < devices.size(); place++) {
                var piece = new ArrayList<Integer>();
                for (int dim = 0; dim < source.sharding.dims().size(); dim++) {
                    piece.add(source.sharding.piece(place, dim));
                }
                all.add(piece);
                if (survivors.contains(devices.get(place).slice())) {
                    left.add(piece);
                }
            }
            if (!left.equals(all)) {
                throw new UsageError(
                        "slices %s do not hold %s whole: %d of %d pieces",
                        survivors, source.type(), left.size(), all.size());
            }
        }
    }
}
