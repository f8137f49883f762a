package org.meshbook.elastic.manager;

import static org.meshbook.elastic.UsageError.require;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meshbook.elastic.slices.Health;

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
        all = sorted(all);
        active = sorted(active);
        available = sorted(available);
        health = Collections.unmodifiableMap(new TreeMap<>(health));
        adopted = Collections.unmodifiableMap(new TreeMap<>(adopted));
        require(
                all.containsAll(active),
                "active slices %s are not all of the allocation %s; choose among these",
                active,
                all);
        require(
                all.containsAll(available) && Collections.disjoint(active, available),
                "available slices %s are not inactive ones; active are %s of %s",
                available,
                active,
                all);
    }

    /// @return all slices that are not active
    public Set<Integer> inactive() {
        var inactive = new TreeSet<>(all);
        inactive.removeAll(active);
        return Collections.unmodifiableSet(inactive);
    }

    Roster activate(Set<Integer> chosen, Map<Integer, Integer> generations) {
        var left = new TreeSet<>(available);
        left.removeAll(chosen);
        return new Roster(generation + 1, all, chosen, left, health, generations);
    }

    Roster offer(Set<Integer> found, Map<Integer, Health> seen) {
        var offered = new TreeSet<>(found);
        offered.removeAll(active);
        return new Roster(generation + 1, all, active, offered, merged(seen), adopted);
    }

    Roster seen(Map<Integer, Health> seen) {
        var left = new TreeSet<>(available);
        left.removeIf(slice -> seen.getOrDefault(slice, Health.HEALTHY) != Health.HEALTHY);
        return new Roster(generation + 1, all, active, left, merged(seen), adopted);
    }

    private Map<Integer, Health> merged(Map<Integer, Health> seen) {
        var merged = new TreeMap<>(health);
        merged.putAll(seen);
        return merged;
    }

    private static Set<Integer> sorted(Set<Integer> slices) {
        return Collections.unmodifiableSet(new TreeSet<>(slices));
    }
}
