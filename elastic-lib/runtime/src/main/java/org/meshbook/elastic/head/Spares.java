package org.meshbook.elastic.head;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/// Counts the idle slices of each session: processes that are up and know nothing yet, so that one
/// takes the place of a lost slice as soon as it is told. On the head's thread only.
final class Spares {
    private final Starter starter;
    private final BiConsumer<Duration, Note> later;
    private final Map<Lease, Integer> idle = new HashMap<>();

    Spares(Starter starter, BiConsumer<Duration, Note> later) {
        this.starter = starter;
        this.later = later;
    }

    void provision(Lease lease) {
        lease.allocation().ifPresent(what -> add(lease, what.getSpares()));
    }

    /// Takes one for a lost slice, whose own machine becomes a spare after the restart delay.
    ///
    /// @return false if the session has none idle
    boolean take(Lease lease) {
        int left = idle.getOrDefault(lease, 0);
        var what = lease.allocation();
        if (left == 0 || what.isEmpty()) {
            return false;
        }
        idle.put(lease, left - 1);
        var delay = Duration.ofMillis(what.get().getRestartDelayMs());
        later.accept(delay, new Note.SpareDue(lease, what.get()));
        return true;
    }

    /// @param due of an allocation that may have been released since
    void due(Note.SpareDue due) {
        if (due.lease().allocation().filter(what -> what == due.allocation()).isPresent()) {
            add(due.lease(), 1);
        }
    }

    void release(Lease lease) {
        int left = idle.getOrDefault(lease, 0);
        idle.remove(lease);
        lease.allocation().ifPresent(what -> starter.endStandbys(left * what.getHosts()));
    }

    private void add(Lease lease, int slices) {
        int hosts = lease.allocation().orElseThrow().getHosts();
        idle.merge(lease, slices, Integer::sum);
        starter.standBy(slices * hosts);
    }
}
