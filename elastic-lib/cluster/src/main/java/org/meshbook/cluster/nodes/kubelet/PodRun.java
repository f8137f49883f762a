package org.meshbook.cluster.nodes.kubelet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.nodes.process.ContainerRuntime;
import org.meshbook.cluster.nodes.process.Running;

/// One pod that runs here: which of its containers may start, and when to look again. Belongs to
/// the loop's thread.
final class PodRun {
    private static final int DEFAULT_GRACE_SECONDS = 30;

    private final Resource pod;
    private final List<ContainerRun> containers = new ArrayList<>();
    private @Nullable Instant killAt;
    private boolean pastDeadline;

    PodRun(Resource pod, Instant now) {
        this.pod = pod;
        pod.list("spec", "initContainers").forEach(c -> containers.add(new ContainerRun(c, true)));
        pod.list("spec", "containers").forEach(c -> containers.add(new ContainerRun(c, false)));
        var before =
                Stream.of("initContainerStatuses", "containerStatuses")
                        .flatMap(list -> pod.list("status", list).stream())
                        .toList();
        for (var container : containers) {
            before.stream()
                    .filter(s -> s.path("name").asString("").equals(container.name()))
                    .findFirst()
                    .ifPresent(s -> container.adopt(s, now));
            if (container.last().isPresent() && restarts(container)) {
                container.again(pod.name());
            }
        }
    }

    String uid() {
        return pod.uid();
    }

    List<ContainerRun> containers() {
        return containers;
    }

    boolean pastDeadline() {
        return pastDeadline;
    }

    /// Notes what has ended.
    void look() {
        for (var container : containers) {
            if (container.look() && killAt == null && restarts(container)) {
                container.again(pod.name());
            }
        }
    }

    /// Starts what may start.
    void advance(
            Instant now,
            ContainerRuntime runtime,
            Function<ContainerRun, LaunchPlan.Outcome> plans,
            Runnable changed) {
        if (deadline(now).filter(end -> !now.isBefore(end)).isPresent()) {
            pastDeadline = true;
            kill();
        }
        if (ended()) {
            containers.stream().filter(ContainerRun::sidecar).forEach(PodRun::kill);
            return;
        }
        for (var container : containers) {
            if (!container.runs()
                    && wantsToRun(container)
                    && !now.isBefore(container.notBefore())) {
                switch (plans.apply(container)) {
                    case LaunchPlan.Outcome.Ready(var launch) ->
                            container.started(runtime.start(launch, changed), now);
                    case LaunchPlan.Outcome.Refused(var reason, var message) ->
                            container.refused(reason, message, now);
                }
            }
            if (container.first() && !succeeded(container)) {
                return;
            }
        }
    }

    /// Asks it to end, and ends it when its time is up.
    void stop(Instant now, Instant due) {
        var limit = killAt;
        if (limit == null) {
            running().forEach(Running::terminate);
        }
        killAt = limit == null || due.isBefore(limit) ? due : limit;
        if (!now.isBefore(killAt)) {
            kill();
        }
    }

    /// @param now present time
    /// @return when an end of its grace period falls that begins now
    Instant graceEnd(Instant now) {
        int grace = pod.at("spec", "terminationGracePeriodSeconds").asInt(DEFAULT_GRACE_SECONDS);
        return now.plusSeconds(grace);
    }

    void kill() {
        running().forEach(Running::kill);
    }

    private static void kill(ContainerRun container) {
        container.running().ifPresent(Running::kill);
    }

    boolean idle() {
        return containers.stream().noneMatch(ContainerRun::runs);
    }

    /// @return whether its main containers have ended for good, or can never begin
    boolean ended() {
        if (pastDeadline) {
            return idle();
        }
        boolean stuck =
                containers.stream()
                        .filter(ContainerRun::first)
                        .anyMatch(
                                c ->
                                        !c.runs()
                                                && c.last().isPresent()
                                                && !succeeded(c)
                                                && !restarts(c));
        return stuck || main().allMatch(c -> !c.runs() && c.last().isPresent() && !restarts(c));
    }

    /// @return whether all that should has ended well
    boolean success() {
        return !pastDeadline
                && Stream.concat(main(), containers.stream().filter(ContainerRun::first))
                        .allMatch(PodRun::succeeded);
    }

    Stream<ContainerRun> main() {
        int inits = pod.list("spec", "initContainers").size();
        return containers.stream().skip(inits);
    }

    /// @return when to look again though nothing changed
    Optional<Instant> next(Instant now) {
        var times = new ArrayList<Instant>();
        running().map(Running::due).flatMap(Optional::stream).forEach(times::add);
        if (killAt != null) {
            times.add(killAt);
        } else if (!ended()) {
            for (var container : containers) {
                if (!container.runs() && wantsToRun(container)) {
                    times.add(container.notBefore());
                }
                if (container.first() && !succeeded(container)) {
                    break;
                }
            }
            deadline(now).ifPresent(times::add);
        }
        return times.stream().min(Instant::compareTo);
    }

    private Stream<Running> running() {
        return containers.stream().map(ContainerRun::running).flatMap(Optional::stream);
    }

    private Optional<Instant> deadline(Instant now) {
        var seconds = pod.at("spec", "activeDeadlineSeconds");
        return seconds.isMissingNode()
                ? Optional.empty()
                : Optional.of(
                        pod.time("status", "startTime")
                                .orElse(now)
                                .plus(Duration.ofSeconds(seconds.asLong())));
    }

    private boolean wantsToRun(ContainerRun container) {
        return container.last().isEmpty() || restarts(container);
    }

    private boolean restarts(ContainerRun container) {
        if (container.sidecar()) {
            return true;
        }
        boolean success = succeeded(container);
        return switch (pod.at("spec", "restartPolicy").asString("Always")) {
            case "Never" -> false;
            case "OnFailure" -> !success;
            default -> !(container.first() && success);
        };
    }

    private static boolean succeeded(ContainerRun container) {
        return !container.runs() && container.last().filter(e -> e.success()).isPresent();
    }
}
