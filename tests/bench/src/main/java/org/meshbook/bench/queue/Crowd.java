package org.meshbook.bench.queue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.meshbook.cluster.queue.Flavor;
import org.meshbook.cluster.queue.NodeRules;
import org.meshbook.cluster.queue.PodSet;
import org.meshbook.cluster.queue.QueueSpec;
import org.meshbook.cluster.queue.QueueSpec.FlavorQuota;
import org.meshbook.cluster.queue.QueueSpec.Group;
import org.meshbook.cluster.queue.QueueSpec.Policy;
import org.meshbook.cluster.queue.QueueSpec.Preemption;
import org.meshbook.cluster.queue.QueueSpec.Quota;
import org.meshbook.cluster.queue.Workload;

/// A cluster that many wait for: 100 queues in 10 cohorts, ten cores each, and workloads of one to
/// four cores in three priorities, drawn with a fixed seed.
final class Crowd {
    static final int QUEUES = 100;
    static final int COHORTS = 10;
    static final int CORES = 10;

    private static final int LARGEST = 4;
    private static final int PRIORITIES = 3;
    private static final int MILLI = 1000;

    private final Random random = new Random(1);

    static Flavor flavor() {
        return new Flavor("main", Map.of(), List.of(), List.of());
    }

    static String queue(int number) {
        return "queue-%02d".formatted(number % QUEUES);
    }

    static String cohort(int number) {
        return "cohort-" + number % COHORTS;
    }

    static QueueSpec spec(int number) {
        var quota = new FlavorQuota("main", Map.of("cpu", Quota.of((long) CORES * MILLI)));
        return new QueueSpec(
                queue(number),
                cohort(number),
                List.of(new Group(List.of("cpu"), List.of(quota))),
                false,
                QueueSpec.Fungibility.DEFAULT,
                new Preemption(Policy.LOWER_PRIORITY, Policy.NEVER, false, OptionalInt.empty()),
                MILLI);
    }

    int cores() {
        return 1 + random.nextInt(LARGEST);
    }

    int priority() {
        return random.nextInt(PRIORITIES);
    }

    Workload workload(int number, Instant queuedAt) {
        var requests = new TreeMap<>(Map.of("cpu", (long) cores() * MILLI));
        return new Workload(
                "default/w-" + number,
                "uid-%07d".formatted(number),
                queue(number),
                priority(),
                queuedAt,
                List.of(new PodSet("main", 1, 1, requests, NodeRules.NONE)),
                Optional.empty());
    }
}
