package org.meshbook.cluster.nodes.kubelet;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.nodes.process.LogLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// What the containers of this machine printed, read from the files in their pods' folders.
///
/// Texts of refusals are the kubelet's. Threads: any. Source: `validateContainerLogStatus` in
/// `pkg/kubelet` and `LogLocation` in `pkg/registry/core/pod` of Kubernetes.
public final class PodOutput implements Logs, AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int BAD_REQUEST = 400;

    private final Cluster cluster;
    private final Path root;
    private final CountDownLatch closed = new CountDownLatch(1);

    /// @param cluster where pods are
    /// @param root where pods have their folders
    public PodOutput(Cluster cluster, Path root) {
        this.cluster = cluster;
        this.root = root;
    }

    @Override
    public void logs(ResourceKey key, Options options, Lines lines) throws InterruptedException {
        var pod = cluster.find(key).orElseThrow(() -> ApiException.notFound(Kinds.POD, key.name()));
        var container = container(pod, options.container());
        if (pod.text("spec", "nodeName").isEmpty()) {
            return;
        }
        int attempt = attempt(pod, container, options.previous());
        try (var reader = new LogReader(PodFolder.of(root, pod).log(container, attempt))) {
            tell(reader, () -> runs(pod, container, attempt), options, lines);
        } catch (IOException broken) {
            throw refused("the log of container \"%s\" cannot be read: %s", container, broken);
        }
    }

    private interface Look {
        boolean runs();
    }

    private void tell(LogReader reader, Look look, Options options, Lines lines)
            throws IOException, InterruptedException {
        var since = options.since().map(LogLine::time).orElse("");
        var tail = new ArrayDeque<LogLine>();
        boolean begun = options.tail().isEmpty();
        while (true) {
            // Asked before the file is read: what came before the end is not missed.
            boolean more = options.follow() && look.runs();
            for (var line = reader.next(); line.isPresent(); line = reader.next()) {
                if (line.get().time().compareTo(since) < 0) {
                    continue;
                }
                if (begun) {
                    lines.line(shown(line.get(), options));
                    continue;
                }
                tail.add(line.get());
                if (tail.size() > options.tail().orElse(0)) {
                    tail.removeFirst();
                }
            }
            begun = true;
            for (var line = tail.poll(); line != null; line = tail.poll()) {
                lines.line(shown(line, options));
            }
            lines.idle();
            if (!more || closed.await(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        }
    }

    /// Ends all that follow.
    @Override
    public void close() {
        closed.countDown();
    }

    private static String shown(LogLine line, Options options) {
        return options.timestamps() ? line.time() + " " + line.text() : line.text();
    }

    /// @param asked a container's name, or `""`
    /// @return the container that is meant
    static String container(Resource pod, String asked) {
        var inits = names(pod, "initContainers");
        var mains = names(pod, "containers");
        if (asked.isEmpty() && mains.size() == 1) {
            return mains.getFirst();
        }
        if (asked.isEmpty()) {
            throw refused(
                    "a container name must be specified for pod %s, choose one of: %s%s",
                    pod.name(),
                    list(mains),
                    inits.isEmpty() ? "" : " or one of the init containers: " + list(inits));
        }
        if (!mains.contains(asked) && !inits.contains(asked)) {
            throw refused("container %s is not valid for pod %s", asked, pod.name());
        }
        return asked;
    }

    private static List<String> names(Resource pod, String field) {
        return pod.list("spec", field).stream().map(c -> c.path("name").asString("")).toList();
    }

    private static String list(List<String> names) {
        return names.stream().collect(Collectors.joining(" ", "[", "]"));
    }

    /// @return which start of the container is meant: the number in its file's name
    private static int attempt(Resource pod, String container, boolean previous) {
        var status = status(pod, container).orElse(MissingNode.getInstance());
        var state = status.path("state");
        int now = status.path("restartCount").asInt(0);
        boolean ended = status.path("lastState").has("terminated");
        if (previous) {
            // One that waits for its next start has but its last one.
            boolean waits = state.has("waiting");
            if (waits ? !ended : now == 0) {
                throw refused(
                        "previous terminated container \"%s\" in pod \"%s\" not found",
                        container, pod.name());
            }
            return waits ? now : now - 1;
        }
        if (state.has("running") || state.has("terminated") || ended) {
            return now;
        }
        var reason = state.path("waiting").path("reason").asString("");
        throw reason.isEmpty()
                ? refused("container \"%s\" in pod \"%s\" is not available", container, pod.name())
                : refused(
                        "container \"%s\" in pod \"%s\" is waiting to start: %s",
                        container,
                        pod.name(),
                        switch (reason) {
                            case "ErrImagePull" -> "image can't be pulled";
                            case "ImagePullBackOff" -> "trying and failing to pull image";
                            default -> reason;
                        });
    }

    private boolean runs(Resource pod, String container, int attempt) {
        return cluster.find(pod.key())
                .filter(now -> now.uid().equals(pod.uid()))
                .flatMap(now -> status(now, container))
                .filter(s -> s.path("state").has("running"))
                .filter(s -> s.path("restartCount").asInt(0) == attempt)
                .isPresent();
    }

    private static Optional<JsonNode> status(Resource pod, String container) {
        for (var field : List.of("containerStatuses", "initContainerStatuses")) {
            for (var status : pod.list("status", field)) {
                if (status.path("name").asString("").equals(container)) {
                    return Optional.of(status);
                }
            }
        }
        return Optional.empty();
    }

    private static ApiException refused(String text, Object... values) {
        return new ApiException(BAD_REQUEST, "BadRequest", text.formatted(values), List.of());
    }
}
