package org.meshbook.cluster.kueue;

import java.time.Instant;
import java.util.List;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import tools.jackson.databind.node.ObjectNode;

/// The condition PodsReady, which workloads carry where Kueue waits for pods (OV8).
final class Readiness {
    private static final List<String> LOST = List.of("WaitForRecovery", "Recovered");

    private Readiness() {}

    static void put(ObjectNode workload, boolean ready, Instant now) {
        var before = new Resource(workload);
        if (before.is(Marks.PODS_READY) == ready
                && before.condition(Marks.PODS_READY).isPresent()) {
            return;
        }
        boolean ran = before.is(Marks.PODS_READY) && !before.is(Marks.EVICTED);
        boolean lost = LOST.contains(Writer.reason(before, Marks.PODS_READY));
        if (ready) {
            set(
                    workload,
                    true,
                    lost ? "Recovered" : "Started",
                    "All pods reached readiness and the workload is running",
                    now);
        } else if (ran) {
            set(
                    workload,
                    false,
                    "WaitForRecovery",
                    "At least one pod has failed, waiting for recovery",
                    now);
        } else {
            waiting(workload, now);
        }
    }

    /// @return whether its pods were ready before
    static boolean lost(Resource workload) {
        return Writer.reason(workload, Marks.PODS_READY).equals("WaitForRecovery");
    }

    static void waiting(ObjectNode workload, Instant now) {
        set(workload, false, "WaitForStart", "Not all pods are ready or succeeded", now);
    }

    private static void set(
            ObjectNode workload, boolean ready, String reason, String message, Instant now) {
        Conditions.put(workload, Marks.PODS_READY, ready, reason, message, now);
    }
}
