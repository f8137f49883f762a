package org.meshbook.cluster.metrics;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;

/// Watches a cluster and tells its figures.
///
/// Each change costs the same, however many objects there are; what is kept is a few numbers for
/// each JobSet, workload and pod that exists. Threads: any.
public final class ClusterMetrics implements AutoCloseable {
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final JobSetFigures sets = new JobSetFigures();
    private final QueueFigures queues = new QueueFigures();
    private final List<Cluster.Watch> watches = new ArrayList<>();

    private ClusterMetrics(InstantSource clock) {
        this.clock = clock;
    }

    /// Begins to watch.
    ///
    /// @param cluster what to watch
    /// @param clock wall time
    /// @return figures from now on, and of the past what objects tell
    public static ClusterMetrics of(Cluster cluster, InstantSource clock) {
        var metrics = new ClusterMetrics(clock);
        metrics.watch(cluster);
        return metrics;
    }

    /// Queues come before workloads, and sets before pods: who is counted needs to know where.
    private void watch(Cluster cluster) {
        hear(
                cluster,
                Kinds.CLUSTER_QUEUE,
                (q, _) -> queues.clusterQueue(q),
                queues::clusterQueueGone);
        hear(cluster, Kinds.LOCAL_QUEUE, (q, _) -> queues.localQueue(q), queues::localQueueGone);
        hear(cluster, Kinds.WORKLOAD, queues::workload, queues::workloadGone);
        hear(cluster, Kinds.JOB_SET, sets::set, set -> sets.setGone(set, clock.instant()));
        hear(cluster, Kinds.POD, sets::pod, pod -> sets.podGone(pod, clock.instant()));
        lock.lock();
        try {
            sets.read(clock.instant());
        } finally {
            lock.unlock();
        }
    }

    private void hear(
            Cluster cluster,
            ResourceKind kind,
            BiConsumer<Resource, Instant> there,
            Consumer<Resource> gone) {
        watches.add(
                cluster.watch(
                        kind,
                        event -> {
                            lock.lock();
                            try {
                                if (event.type() == WatchEvent.Type.DELETED) {
                                    gone.accept(event.object());
                                } else {
                                    there.accept(event.object(), clock.instant());
                                }
                            } finally {
                                lock.unlock();
                            }
                        }));
    }

    /// @return all figures now, in Prometheus's text format
    public String text() {
        var out = new Exposition();
        lock.lock();
        try {
            var now = clock.instant();
            new JobSetPage(out, sets.lives(now)).write(now);
            new QueuePage(out, queues).write();
        } finally {
            lock.unlock();
        }
        return out.toString();
    }

    @Override
    public void close() {
        watches.forEach(Cluster.Watch::close);
    }
}
