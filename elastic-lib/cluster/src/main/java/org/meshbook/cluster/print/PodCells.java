package org.meshbook.cluster.print;

import java.time.Instant;
import java.util.Optional;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// Cells of a pod.
final class PodCells {
    private PodCells() {}

    static String ready(Resource pod) {
        long ready =
                pod.list("status", "containerStatuses").stream()
                        .filter(c -> c.path("ready").asBoolean(false))
                        .count();
        return ready + "/" + pod.list("spec", "containers").size();
    }

    static String status(Resource pod) {
        if (pod.deleting()) {
            return "Terminating";
        }
        var reason = pod.text("status", "reason");
        if (reason.isEmpty()) {
            reason = gated(pod) ? "SchedulingGated" : pod.text("status", "phase");
        }
        for (var container : pod.list("status", "containerStatuses")) {
            var state = container.path("state");
            var waiting = state.path("waiting").path("reason").asString("");
            var ended = state.path("terminated");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (ended.isObject()) {
                reason = ended(ended);
            }
        }
        return reason;
    }

    private static boolean gated(Resource pod) {
        return pod.condition("PodScheduled")
                .filter(c -> c.path("reason").asString("").equals("SchedulingGated"))
                .isPresent();
    }

    private static String ended(JsonNode state) {
        var reason = state.path("reason").asString("");
        if (!reason.isEmpty()) {
            return reason;
        }
        int signal = state.path("signal").asInt(0);
        return signal != 0 ? "Signal:" + signal : "ExitCode:" + state.path("exitCode").asInt();
    }

    static String restarts(Resource pod, Instant now) {
        int count = 0;
        Optional<Instant> last = Optional.empty();
        for (var container : pod.list("status", "containerStatuses")) {
            count += container.path("restartCount").asInt(0);
            var ended =
                    container.path("lastState").path("terminated").path("finishedAt").asString("");
            if (!ended.isEmpty() && last.filter(Instant.parse(ended)::isBefore).isEmpty()) {
                last = Optional.of(Instant.parse(ended));
            }
        }
        boolean shown = count > 0 && last.isPresent();
        return shown ? "%d (%s ago)".formatted(count, Age.of(last, now)) : String.valueOf(count);
    }
}
