package org.meshbook.elastic.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostParts;
import org.meshbook.elastic.slices.hosts.HostShard;

/// Arrays put together of parts that virtual hosts make.
final class SimAssembly {
    private final Simulation simulation;
    private final HostParts parts;

    private record Place(int slice, int host) {}

    SimAssembly(Simulation simulation, HostParts parts) {
        this.simulation = simulation;
        this.parts = parts;
    }

    List<Array> onto(List<Sharding> targets, Duration time) throws InterruptedException {
        // 1. who makes what
        var made = new LinkedHashMap<Place, List<List<HostShard>>>();
        for (var part : parts.parts()) {
            var place = new Place(part.device().slice(), part.device().host());
            made.computeIfAbsent(place, _ -> lists(parts.types().size()))
                    .get(part.array())
                    .add(SimCall.room(parts.types().get(part.array()), part.region()));
        }
        long since = simulation.head().generation() + 1;
        for (var entry : made.entrySet()) {
            var slice = simulation.head().slice(entry.getKey().slice());
            if (!slice.alive) {
                throw simulation.head().lost(Set.of(slice.id), "a part");
            }
            var host =
                    new Host(slice.id, entry.getKey().host(), List.of(), entry.getValue(), _ -> {});
            var unused = SimCall.call(slice.functions, parts.call(), host).get();
        }
        // 2. place: the arrays are born now, so that a loss while it lasts poisons them
        var placed = new ArrayList<SimArray>();
        for (int i = 0; i < parts.types().size(); i++) {
            placed.add(simulation.born(whole(i, made), targets.get(i), time, List.of()));
        }
        // 3. wait, then see who is left
        simulation.clock().await(time, () -> false);
        var makers = new TreeSet<Integer>();
        made.keySet().forEach(place -> makers.add(place.slice()));
        var gone = new TreeSet<>(simulation.head().lostSince(makers, since));
        placed.forEach(array -> gone.addAll(array.poison()));
        if (!gone.isEmpty()) {
            throw simulation.head().lost(gone, "an assembly of " + placed.size() + " arrays");
        }
        return List.copyOf(placed);
    }

    private HostArray whole(int index, Map<Place, List<List<HostShard>>> made) {
        var type = parts.types().get(index);
        var whole = HostArray.zeros(type);
        var seen = new HashSet<Region>();
        long covered = 0;
        for (var shards : made.values()) {
            for (var shard : shards.get(index)) {
                shard.region().paste(shard.data().bytes(), whole);
                covered += seen.add(shard.region()) ? shard.data().type().bytes() : 0;
            }
        }
        UsageError.require(
                covered == type.bytes(),
                "the chosen hosts make %d of %d bytes of %s",
                covered,
                type.bytes(),
                type);
        return whole;
    }

    private static List<List<HostShard>> lists(int count) {
        var lists = new ArrayList<List<HostShard>>();
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }
}
