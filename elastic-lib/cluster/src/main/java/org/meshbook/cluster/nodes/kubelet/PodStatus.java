package org.meshbook.cluster.nodes.kubelet;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Conditions;
import org.meshbook.cluster.nodes.process.Exit;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a kubelet writes into a pod's status.
final class PodStatus {
    private PodStatus() {}

    /// @param pod the pod as it is
    /// @param run what is known of its containers
    /// @param address its address
    /// @param now present time
    /// @return the pod with its present status
    static Resource of(Resource pod, PodRun run, String address, Instant now) {
        return pod.with(
                json -> {
                    var status = json.withObjectProperty("status");
                    var phase = phase(run, pod.deleting());
                    status.put("phase", phase);
                    status.put("hostIP", "127.0.0.1").put("podIP", address);
                    status.putArray("podIPs").addObject().put("ip", address);
                    if (!status.has("startTime")) {
                        status.put("startTime", Conditions.stamp(now));
                    }
                    if (run.pastDeadline()) {
                        status.put("reason", "DeadlineExceeded")
                                .put(
                                        "message",
                                        "Pod was active on the node longer than the specified"
                                                + " deadline");
                    }
                    var mains = run.main().toList();
                    var inits = run.containers().subList(0, run.containers().size() - mains.size());
                    if (!inits.isEmpty()) {
                        statuses(status.putArray("initContainerStatuses"), inits);
                    }
                    statuses(status.putArray("containerStatuses"), mains);
                    conditions(json, phase, inits, mains, now);
                });
    }

    private static String phase(PodRun run, boolean deleting) {
        if (run.ended() || deleting && run.idle()) {
            return run.success() ? "Succeeded" : "Failed";
        }
        return run.main().anyMatch(c -> c.starts() > 0) ? "Running" : "Pending";
    }

    private static void conditions(
            ObjectNode pod,
            String phase,
            List<ContainerRun> inits,
            List<ContainerRun> mains,
            Instant now) {
        boolean begun = mains.stream().anyMatch(c -> c.starts() > 0);
        boolean initialized =
                begun || inits.stream().filter(ContainerRun::first).findAny().isEmpty();
        var undone =
                inits.stream()
                        .filter(c -> !c.runs() && c.last().filter(Exit::success).isEmpty())
                        .map(ContainerRun::name)
                        .collect(Collectors.joining(" "));
        Conditions.put(
                pod,
                "Initialized",
                initialized,
                initialized ? "" : "ContainersNotInitialized",
                initialized ? "" : "containers with incomplete status: [%s]".formatted(undone),
                now);
        var unready =
                mains.stream()
                        .filter(c -> !c.runs())
                        .map(ContainerRun::name)
                        .collect(Collectors.joining(" "));
        var reason =
                switch (phase) {
                    case "Succeeded" -> "PodCompleted";
                    case "Failed" -> "PodFailed";
                    default -> unready.isEmpty() ? "" : "ContainersNotReady";
                };
        var message =
                reason.equals("ContainersNotReady")
                        ? "containers with unready status: [%s]".formatted(unready)
                        : "";
        for (var type : List.of("ContainersReady", "Ready")) {
            Conditions.put(pod, type, unready.isEmpty() && reason.isEmpty(), reason, message, now);
        }
    }

    private static void statuses(ArrayNode list, List<ContainerRun> containers) {
        for (var container : containers) {
            var image = container.spec().path("image").asString("");
            var status =
                    list.addObject()
                            .put("name", container.name())
                            .put("image", image)
                            .put("imageID", "")
                            .put("ready", container.runs())
                            .put("started", container.runs())
                            .put("restartCount", restarts(container));
            state(status.putObject("state"), status.putObject("lastState"), container);
        }
    }

    /// A container that waits for its next start has not been started again yet.
    private static int restarts(ContainerRun container) {
        return Math.max(0, container.starts() - 1);
    }

    private static void state(ObjectNode state, ObjectNode before, ContainerRun container) {
        if (container.runs()) {
            state.putObject("running").put("startedAt", Conditions.stamp(container.startedAt()));
            container.last().ifPresent(e -> terminated(before, e, e.at()));
        } else if (container.last().isEmpty() || container.waitsAgain()) {
            state.putObject("waiting")
                    .put("reason", container.waiting())
                    .put("message", container.message());
            container.last().ifPresent(e -> terminated(before, e, container.startedAt()));
        } else {
            container.last().ifPresent(e -> terminated(state, e, container.startedAt()));
        }
    }

    private static void terminated(ObjectNode state, Exit exit, Instant started) {
        var ended =
                state.putObject("terminated")
                        .put("exitCode", exit.code())
                        .put("reason", exit.reason())
                        .put("startedAt", Conditions.stamp(started))
                        .put("finishedAt", Conditions.stamp(exit.at()));
        if (!exit.message().isEmpty()) {
            ended.put("message", exit.message());
        }
    }
}
