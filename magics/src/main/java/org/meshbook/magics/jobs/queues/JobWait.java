package org.meshbook.magics.jobs.queues;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Cluster.Watch;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.jobs.door.JobFinder;
import org.meshbook.magics.jobs.door.JobState;

/// Waits until a job has ended, and says each time that it fares otherwise.
///
/// The first interrupt detaches: the job stays, and it is said how to come back. A second one
/// within some seconds cancels the job.
public final class JobWait {
    private static final Duration SECOND_THOUGHT = Duration.ofSeconds(3);
    private static final Object CHANGED = new Object();
    private static final Object INTERRUPTED = new Object();

    private final KubernetesCluster cluster;
    private final JobFinder finder;
    private final Resource job;
    private final Cell cell;
    private final LinkedBlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    private String told = "";

    /// @param cluster where
    /// @param finder finds what belongs to the job
    /// @param job the job
    /// @param cell where it is waited
    public JobWait(KubernetesCluster cluster, JobFinder finder, Resource job, Cell cell) {
        this.cluster = cluster;
        this.finder = finder;
        this.job = job;
        this.cell = cell;
    }

    /// Waits.
    ///
    /// @param within how long at most
    /// @throws MagicException if the job failed, was deleted, or the time is over
    /// @throws InterruptedException if it was interrupted; the job was left or cancelled, as was
    ///   said
    public void await(Duration within) throws InterruptedException {
        cell.heeding(
                () -> heard.add(INTERRUPTED),
                () -> {
                    try (var _ = watch(job.key().kind());
                            var _ = watch(Kinds.WORKLOAD)) {
                        wait(System.nanoTime() + within.toNanos(), within);
                    }
                });
    }

    private Watch watch(ResourceKind kind) {
        return cluster.watch(
                kind,
                event -> {
                    if (event.object().namespace().equals(job.namespace())) {
                        heard.add(CHANGED);
                    }
                });
    }

    private void wait(long end, Duration within) throws InterruptedException {
        while (true) {
            // 1. how it fares
            var now =
                    cluster.find(job.key())
                            .filter(j -> j.uid().equals(job.uid()))
                            .orElseThrow(
                                    () ->
                                            new MagicException(
                                                    "%s was deleted while it was waited for"
                                                            .formatted(job.name())));
            var state = tell(now);
            if (state.failed()) {
                throw new MagicException(
                        "%s failed: %s; %%logs %s shows what it printed"
                                .formatted(job.name(), state.why(), job.name()));
            }
            if (state.ended()) {
                return;
            }
            // 2. until it may fare otherwise
            var news = heard.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (news == null) {
                throw new MagicException(
                        "%%wait: after %s, %s is %s; %%why %s says why, %%wait %s waits on"
                                .formatted(
                                        text(within),
                                        job.name(),
                                        state.word(),
                                        job.name(),
                                        job.name()));
            }
            if (news == INTERRUPTED) {
                detach();
            }
            heard.removeIf(each -> each == CHANGED);
        }
    }

    private JobState tell(Resource now) {
        var workload = finder.workload(now);
        var state = JobState.of(now, workload);
        var place =
                workload.filter(_ -> state.word().equals("Pending"))
                        .flatMap(w -> JobState.position(w, finder.list(Kinds.WORKLOAD)))
                        .map(p -> " (%s in queue '%s')".formatted(p, queue(now)))
                        .orElse("");
        var line = "%s: %s%s".formatted(job.name(), state.word(), place);
        if (!line.equals(told)) {
            cell.out().println(line);
            told = line;
        }
        return state;
    }

    private static String queue(Resource job) {
        return job.labels().getOrDefault(JobsMagic.QUEUE, "");
    }

    private void detach() throws InterruptedException {
        var name = job.name();
        cell.err()
                .println(
                        "detached: %s stays in the cluster; %%wait %s or %%logs %s -f comes back to it, %%cancel %s deletes it (so does a second interrupt within %d s)"
                                .formatted(name, name, name, name, SECOND_THOUGHT.toSeconds()));
        long end = System.nanoTime() + SECOND_THOUGHT.toNanos();
        for (var news = next(end); news != null; news = next(end)) {
            if (news == INTERRUPTED) {
                cell.err().println(CancelMagic.cancel(cluster, finder, job));
                break;
            }
        }
        throw new InterruptedException("the wait for " + name + " was interrupted");
    }

    private @Nullable Object next(long end) throws InterruptedException {
        return heard.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private static String text(Duration time) {
        return time.toMinutes() > 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
    }
}
