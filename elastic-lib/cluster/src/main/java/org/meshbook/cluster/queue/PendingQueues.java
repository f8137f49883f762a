package org.meshbook.cluster.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Who waits, queue by queue, and when those that are parked are tried again.
final class PendingQueues {
    private final Rules rules;
    private final Map<String, PendingQueue> queues = new TreeMap<>();
    private final Set<String> active = new TreeSet<>();
    private final Map<String, String> waitsIn = new HashMap<>();
    private final Map<String, Instant> flushes = new HashMap<>();

    PendingQueues(Rules rules) {
        this.rules = rules;
    }

    /// Makes the queue of a specification; one whose strategy changed keeps those that wait.
    void put(QueueSpec spec, @Nullable QueueSpec before) {
        var queue = queues.get(spec.name());
        if (queue == null || before == null || before.strict() != spec.strict()) {
            var fresh = new PendingQueue(spec.strict(), rules.parksEquivalents());
            if (queue != null) {
                queue.inOrder().forEach(fresh::offer);
            }
            queues.put(spec.name(), fresh);
        }
    }

    void remove(String name) {
        active.remove(name);
        var queue = queues.remove(name);
        if (queue != null) {
            queue.inOrder().forEach(w -> waitsIn.remove(w.key()));
        }
    }

    /// @return whether it was not active before
    boolean activate(String name) {
        return active.add(name);
    }

    void deactivate(String name) {
        active.remove(name);
    }

    boolean active(String name) {
        return active.contains(name);
    }

    // ---- who waits

    void wait(Workload workload, BiConsumer<PendingQueue, Workload> how) {
        var before = waitsIn.get(workload.key());
        if (before != null && !before.equals(workload.queue())) {
            withdraw(workload.key());
        }
        var queue = queues.get(workload.queue());
        if (queue != null) {
            waitsIn.put(workload.key(), workload.queue());
            how.accept(queue, workload);
        }
    }

    void withdraw(String key) {
        var name = waitsIn.remove(key);
        var queue = name == null ? null : queues.get(name);
        if (queue != null) {
            queue.withdraw(key);
        }
    }

    PendingQueue queue(String name) {
        return Objects.requireNonNull(queues.get(name));
    }

    @Nullable PendingQueue find(String name) {
        return queues.get(name);
    }

    List<String> names() {
        return List.copyOf(queues.keySet());
    }

    // ---- trying

    boolean ready() {
        return active.stream().map(queues::get).anyMatch(q -> q != null && q.ready());
    }

    /// Takes the head of each active queue.
    List<PendingQueue.Entry> heads() {
        var heads = new ArrayList<PendingQueue.Entry>();
        for (var name : active) {
            var queue = queues.get(name);
            var head = queue == null ? null : queue.pop();
            if (head != null) {
                heads.add(head);
            }
        }
        return heads;
    }

    // ---- trying again

    void unblock(Collection<String> names) {
        for (var name : names) {
            var queue = queues.get(name);
            if (queue != null) {
                queue.unblock();
            }
        }
    }

    /// Lets the parked workloads of queues be tried again, after the profile's delay.
    void flushSoon(Collection<String> names, Instant now) {
        var at = now.plus(rules.flushDelay());
        for (var name : names) {
            var queue = queues.get(name);
            if (queue == null) {
                continue;
            }
            if (rules.flushDelay().isZero()) {
                queue.flush();
            } else {
                queue.unblock();
                flushes.merge(name, at, (a, b) -> a.isBefore(b) ? a : b);
            }
        }
    }

    /// @return when parked workloads are to be tried again
    Optional<Instant> nextFlush() {
        return flushes.entrySet().stream()
                .filter(e -> parked(e.getKey()))
                .map(Map.Entry::getValue)
                .min(Instant::compareTo);
    }

    private boolean parked(String name) {
        var queue = queues.get(name);
        return queue != null && queue.hasParked();
    }

    void flushDue(Instant now) {
        flushes.entrySet()
                .removeIf(
                        e -> {
                            if (e.getValue().isAfter(now)) {
                                return false;
                            }
                            var queue = queues.get(e.getKey());
                            if (queue != null) {
                                queue.flush();
                            }
                            return true;
                        });
    }

    PendingQueues copy() {
        var copy = new PendingQueues(rules);
        queues.forEach((name, queue) -> copy.queues.put(name, queue.copy()));
        copy.active.addAll(active);
        copy.waitsIn.putAll(waitsIn);
        copy.flushes.putAll(flushes);
        return copy;
    }
}
