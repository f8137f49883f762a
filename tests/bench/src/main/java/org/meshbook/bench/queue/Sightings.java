package org.meshbook.bench.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.WatchEvent;

/// When a watch first showed each step of each workload of one namespace. Threads: any.
final class Sightings {
    static final String CREATED = "created";
    static final String ADMITTED = "Admitted";
    static final String FINISHED = "Finished";

    private final String namespace;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final Map<String, Map<String, Long>> seen = new HashMap<>();
    private long heard = System.nanoTime();

    Sightings(String namespace) {
        this.namespace = namespace;
    }

    void hear(WatchEvent event) {
        var workload = event.object();
        if (event.type() == WatchEvent.Type.DELETED || !workload.namespace().equals(namespace)) {
            return;
        }
        long now = System.nanoTime();
        lock.lock();
        try {
            heard = now;
            note(CREATED, workload, now);
            for (var step : List.of(ADMITTED, FINISHED)) {
                if (workload.is(step)) {
                    note(step, workload, now);
                }
            }
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void note(String step, Resource workload, long now) {
        seen.computeIfAbsent(step, _ -> new HashMap<>()).putIfAbsent(workload.name(), now);
    }

    /// Waits until so many workloads came to a step.
    ///
    /// @return whether they did in time
    boolean await(String step, int count, Duration most) throws InterruptedException {
        long left = most.toNanos();
        lock.lock();
        try {
            while (times(step).size() < count) {
                if (left <= 0) {
                    return false;
                }
                left = more.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing has changed for a time.
    void awaitRest(Duration rest) throws InterruptedException {
        lock.lock();
        try {
            long left = rest.toNanos();
            while (left > 0) {
                more.awaitNanos(left);
                left = heard + rest.toNanos() - System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
    }

    /// @return how many workloads came to a step
    int count(String step) {
        lock.lock();
        try {
            return times(step).size();
        } finally {
            lock.unlock();
        }
    }

    /// @return from a start to the first workload that came to a step
    Duration first(String step, long start) {
        lock.lock();
        try {
            return Duration.ofNanos(Collections.min(times(step)) - start);
        } finally {
            lock.unlock();
        }
    }

    /// @return from a start to the last workload that came to a step
    Duration last(String step, long start) {
        lock.lock();
        try {
            return Duration.ofNanos(Collections.max(times(step)) - start);
        } finally {
            lock.unlock();
        }
    }

    private Collection<Long> times(String step) {
        return seen.getOrDefault(step, Map.of()).values();
    }
}
