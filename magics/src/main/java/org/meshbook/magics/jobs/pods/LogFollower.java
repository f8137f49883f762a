package org.meshbook.magics.jobs.pods;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ClusterUnreachable;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.magics.jobs.door.JobFinder;
import org.meshbook.magics.jobs.door.JobState;

/// Follows all pods of a job, those that come later too, until the job has ended and each of them
/// was read to its end.
///
/// All that is heard goes through one queue, and only the cell's thread prints: so an interrupt is
/// heard at once, and lines of two pods never mix.
final class LogFollower {
    private static final int WAITING = 10_000;

    private final KubernetesCluster cluster;
    private final Resource job;
    private final Logs.Options options;
    private final Cell cell;
    private final boolean named;
    private final LinkedBlockingQueue<News> queue = new LinkedBlockingQueue<>(WAITING);
    private final Set<Thread> readers = new HashSet<>();
    private final Set<String> known = new HashSet<>();
    private int reading;
    private Optional<String> end = Optional.empty();

    private sealed interface News {
        record Line(String text) implements News {}

        record Pod(WatchEvent event) implements News {}

        record Job(WatchEvent event) implements News {}

        record Read(String pod, Optional<String> failure) implements News {}
    }

    LogFollower(KubernetesCluster cluster, Resource job, Logs.Options options, Cell cell) {
        this.cluster = cluster;
        this.job = job;
        this.options = options;
        this.cell = cell;
        named = podsAtOnce(job) > 1;
    }

    void run() throws InterruptedException {
        try (var _ =
                        cluster.watch(
                                Kinds.POD,
                                event -> {
                                    if (isMine(event.object())) {
                                        put(new News.Pod(event));
                                    }
                                });
                var _ =
                        cluster.watch(
                                job.key().kind(),
                                event -> {
                                    if (event.object().uid().equals(job.uid())) {
                                        put(new News.Job(event));
                                    }
                                })) {
            if (JobState.of(job, Optional.empty()).word().equals("Suspended")) {
                cell.err()
                        .println(
                                "%s waits; its lines come when it runs (%%why %s says why it waits)"
                                        .formatted(job.name(), job.name()));
            }
            while (end.isEmpty() || reading > 0) {
                hear(queue.take());
            }
            end.filter(text -> !text.isEmpty()).ifPresent(cell.err()::println);
        } finally {
            readers.forEach(Thread::interrupt);
        }
    }

    private boolean isMine(Resource pod) {
        return pod.namespace().equals(job.namespace()) && JobFinder.podOf(job).test(pod);
    }

    private void hear(News news) {
        switch (news) {
            case News.Line(var text) -> cell.out().println(text);
            case News.Pod(var event) -> {
                if (event.type() != WatchEvent.Type.DELETED) {
                    pod(event.object());
                }
            }
            case News.Job(var event) -> job(event);
            case News.Read(var pod, var failure) -> {
                reading--;
                failure.ifPresent(why -> cell.err().println("pod %s: %s".formatted(pod, why)));
            }
        }
    }

    private void pod(Resource pod) {
        if (!known.add(pod.uid())) {
            return;
        }
        if (!named && known.size() > 1) {
            cell.err().println("now pod " + pod.name());
        }
        var container = LogsMagic.container(pod, options.container(), cell);
        var prefix = named ? LogsMagic.prefix(pod, container) : "";
        reading++;
        readers.add(
                Thread.ofVirtual()
                        .name("meshbook-follow-" + pod.name())
                        .start(() -> read(pod, options.withContainer(container), prefix)));
    }

    private void job(WatchEvent event) {
        if (event.type() == WatchEvent.Type.DELETED) {
            // A pod's own last line says the same.
            end =
                    Optional.of(
                            job.kind().equals(Kinds.POD)
                                    ? ""
                                    : "%s \"%s\" was deleted"
                                            .formatted(job.key().kind().resource(), job.name()));
            return;
        }
        var state = JobState.end(event.object());
        if (state.isEmpty()) {
            return;
        }
        // The two watches are not heard in step: a pod may be news though its job has ended.
        cluster.list(Kinds.POD, job.namespace()).stream().filter(this::isMine).forEach(this::pod);
        end =
                state.map(
                        s ->
                                s.failed() && !job.kind().equals(Kinds.POD)
                                        ? "%s failed: %s".formatted(job.name(), s.why())
                                        : "");
    }

    private void read(Resource pod, Logs.Options wanted, String prefix) {
        try {
            cluster.logs(pod.key(), wanted, line -> put(new News.Line(prefix + line)));
            put(new News.Read(pod.name(), Optional.empty()));
        } catch (ApiException | ClusterUnreachable refused) {
            put(new News.Read(pod.name(), Optional.of(String.valueOf(refused.getMessage()))));
        } catch (InterruptedException over) {
            // Nobody listens any more.
        }
    }

    /// Waits while the cell cannot print so fast.
    private void put(News news) {
        try {
            queue.put(news);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return how many pods of the job may run at once, as far as it says
    private static int podsAtOnce(Resource job) {
        return switch (job.kind().kind()) {
            case "JobSet" ->
                    job.list("spec", "replicatedJobs").stream()
                            .mapToInt(
                                    each ->
                                            each.path("replicas").asInt(1)
                                                    * each.path("template")
                                                            .path("spec")
                                                            .path("parallelism")
                                                            .asInt(1))
                            .sum();
            case "Job" -> job.at("spec", "parallelism").asInt(1);
            case "RayCluster" -> 2;
            default -> 1;
        };
    }
}
