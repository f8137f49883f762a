package org.meshbook.cluster.nodes.kubelet;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.nodes.process.ContainerRuntime;
import org.meshbook.cluster.nodes.process.Exit;
import org.meshbook.cluster.nodes.process.Launch;
import org.meshbook.cluster.nodes.process.Running;

/// Nodes that are there in name only, marked as KWOK marks its own: their pods run at once, and
/// nothing of them is started.
///
/// Such a pod runs until it is deleted, or completes so long after its start as its annotation says
/// (in Go's notation, as `0s` or `1m30s`), which may be put on later.
final class FakeNodes implements ContainerRuntime {
    private static final String FAKE = "kwok.x-k8s.io/node";
    private static final String DELAY = "pod-complete.stage.kwok.x-k8s.io/delay";
    private static final int TERMINATED = 143;
    private static final int KILLED = 137;

    private final Cluster cluster;
    private final InstantSource clock;

    FakeNodes(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /// @return whether a pod is bound to such a node
    boolean have(Resource pod) {
        return cluster.find(Kinds.NODE.key("", pod.text("spec", "nodeName")))
                .filter(node -> node.text("metadata", "annotations", FAKE).equals("fake"))
                .isPresent();
    }

    @Override
    public Running start(Launch launch, Runnable ended) {
        return new Played(launch.pod(), clock.instant());
    }

    @Override
    public void close() {}

    private final class Played implements Running {
        private final ResourceKey pod;
        private final Instant start;
        private @Nullable Exit exit;

        Played(ResourceKey pod, Instant start) {
            this.pod = pod;
            this.start = start;
        }

        @Override
        public Optional<Exit> exit() {
            if (exit == null) {
                due().filter(end -> !clock.instant().isBefore(end))
                        .ifPresent(end -> exit = Exit.of(0, end));
            }
            return Optional.ofNullable(exit);
        }

        @Override
        public Optional<Instant> due() {
            return cluster.find(pod)
                    .map(found -> found.text("metadata", "annotations", DELAY))
                    .flatMap(FakeNodes::delay)
                    .map(start::plus);
        }

        @Override
        public void terminate() {
            end(TERMINATED);
        }

        @Override
        public void kill() {
            end(KILLED);
        }

        private void end(int code) {
            if (exit == null) {
                exit = Exit.of(code, clock.instant());
            }
        }
    }

    /// A time that cannot be read is none, as if the annotation were not there.
    private static Optional<Duration> delay(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Duration.parse("PT" + text.toUpperCase(Locale.ROOT)));
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }
}
