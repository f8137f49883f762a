package org.meshbook.bench.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.queue.Decision;
import org.meshbook.cluster.queue.QueueState;
import org.meshbook.cluster.queue.Rules;
import org.meshbook.cluster.queue.Workload;

/// Lets the rules decide about a crowd, on a clock of its own: each virtual second one workload of
/// each queue ends, and all that wait in its cohort are looked at again, as Kueue does.
final class PendingBench {
    private static final int PARTS = 10;
    private static final double MIB = 1 << 20;

    private final int pending;
    private final int decisions;
    private final QueueState state = new QueueState(Rules.of(Profile.V0_17));
    private final Map<String, Workload> all = new HashMap<>();
    private final Map<String, Deque<String>> running = new HashMap<>();
    private Instant now = Instant.parse("2026-12-01T00:00:00Z");
    private long decided;
    private long admitted;

    /// @param pending how many wait at first
    /// @param decisions how many to measure
    PendingBench(int pending, int decisions) {
        this.pending = pending;
        this.decisions = decisions;
    }

    PendingResult.Row run() {
        double empty = heap();
        // 1. the crowd
        fill();
        double full = heap();
        // 2. until the first is admitted
        long begun = System.nanoTime();
        while (admitted == 0) {
            step();
        }
        var first = Duration.ofNanos(System.nanoTime() - begun);
        // 3. until enough was decided, or nobody is left
        var parts = new ArrayList<Double>();
        for (int part = 1; part <= PARTS; part++) {
            long at = System.nanoTime();
            long before = decided;
            while (decided < (long) decisions * part / PARTS && !all.isEmpty()) {
                step();
            }
            parts.add((System.nanoTime() - at) / (double) Math.max(1, decided - before));
        }
        var whole = Duration.ofNanos(System.nanoTime() - begun);
        return new PendingResult.Row(
                "rules alone", pending, decided, admitted, whole, first, parts, full - empty);
    }

    private void fill() {
        state.put(Crowd.flavor(), now);
        for (int i = 0; i < Crowd.QUEUES; i++) {
            state.put(Crowd.spec(i), now);
            state.activate(Crowd.queue(i), true, now);
        }
        var crowd = new Crowd();
        for (int i = 0; i < pending; i++) {
            var workload = crowd.workload(i, now.plusSeconds(i / Crowd.QUEUES));
            all.put(workload.key(), workload);
            state.offer(workload);
        }
    }

    private void step() {
        if (!state.ready()) {
            finishSome();
            now = now.plusSeconds(1);
        }
        for (var decision : state.cycle(now, _ -> Optional.empty())) {
            decided++;
            note(decision);
        }
    }

    private void note(Decision decision) {
        switch (decision) {
            case Decision.Admit admit -> {
                admitted++;
                var workload = admit.workload();
                running.computeIfAbsent(workload.queue(), _ -> new ArrayDeque<>())
                        .add(workload.key());
            }
            case Decision.Preempt preempt ->
                    preempt.targets().forEach(t -> sendBack(t.victim().key()));
            case Decision.Wait _ -> {}
        }
    }

    private void sendBack(String victim) {
        var workload = all.get(victim);
        if (workload != null) {
            running.getOrDefault(workload.queue(), new ArrayDeque<>()).remove(victim);
            state.release(victim, now);
            state.offer(workload);
        }
    }

    private void finishSome() {
        for (var queue : List.copyOf(running.values())) {
            var done = queue.poll();
            if (done != null) {
                state.release(done, now);
                all.remove(done);
            }
        }
    }

    private static double heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    }
}
