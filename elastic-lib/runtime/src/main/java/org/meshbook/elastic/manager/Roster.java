package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.index.SliceMap;
import org.meshbook.elastic.slices.index.SliceSet;

/// Who is in and who is out at one moment; swapped whole, so that a reader never sees half a
/// change.
///
/// @param generation grows by one at each swap
/// @param all every slice of the allocation, ascending; never changes
/// @param active slices that the program's mesh is built from: a choice, not a statement of health
/// @param available inactive slices that the last probe found healthy
/// @param health what the last probe of each slice found; slices never probed are missing
/// @param adopted for each active slice the slice's generation when it became active
public record Roster(
        long generation,
        Set<Integer> all,
        Set<Integer> active,
        Set<Integer> available,
        Map<Integer, Health> health,
        Map<Integer, Integer> adopted) {
    /// @throws org.meshbook.elastic.UsageError if an active slice is not of the allocation or an
    ///   available one is active
    public Roster {
        all = SliceSet.copyOf(all);
        active = SliceSet.copyOf(active);
        available = SliceSet.copyOf(available);
        health = SliceMap.copyOf(health);
        adopted = SliceMap.copyOf(adopted);
        require(
                all.containsAll(active),
                "active slices %s are not all of the allocation %s; choose among these",
                active,
                all);
        require(
                all.containsAll(available)
                        && SliceSet.copyOf(available).minus(active).size() == available.size(),
                "available slices %s are not inactive ones; active are %s of %s",
                available,
                active,
                all);
    }

    /// @return all slices that are not active
    public Set<Integer> inactive() {
        return SliceSet.copyOf(all).minus(active);
    }

    Roster activate(Set<Integer> chosen, Map<Integer, Integer> generations) {
        var left = SliceSet.copyOf(available).minus(chosen);
        return new Roster(generation + 1, all, chosen, left, health, generations);
    }

    /// Chooses the active slices. Those without a generation here keep the one they have.
    Roster adopt(Set<Integer> chosen, Map<Integer, Integer> generations) {
        var all = SliceSet.copyOf(chosen);
        var known = SliceMap.copyOf(generations).only(all);
        var kept = SliceMap.copyOf(adopted).only(all);
        var missing = new TreeMap<Integer, Integer>();
        all.minus(known.keySet()).minus(kept.keySet()).forEach(slice -> missing.put(slice, 0));
        return activate(all, kept.with(known).with(missing));
    }

    /// Makes more slices active, in the generations given.
    Roster claim(Map<Integer, Integer> gained) {
        return activate(
                SliceSet.copyOf(active).plus(gained.keySet()),
                SliceMap.copyOf(adopted).with(gained));
    }

    Roster offer(Set<Integer> found, Map<Integer, Health> seen) {
        var offered = SliceSet.copyOf(found).minus(active);
        return new Roster(generation + 1, all, active, offered, merged(seen), adopted);
    }

    Roster seen(Map<Integer, Health> seen) {
        var bad = new TreeSet<Integer>();
        seen.forEach(
                (slice, found) -> {
                    if (found != Health.HEALTHY) {
                        bad.add(slice);
                    }
                });
        var left = SliceSet.copyOf(available).minus(bad);
        return new Roster(generation + 1, all, active, left, merged(seen), adopted);
    }

    private Map<Integer, Health> merged(Map<Integer, Health> seen) {
        return SliceMap.copyOf(health).with(seen);
    }
}
