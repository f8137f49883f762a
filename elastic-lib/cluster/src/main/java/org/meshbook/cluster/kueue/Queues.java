package org.meshbook.cluster.kueue;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.control.Owners;
import org.meshbook.cluster.queue.Rules;

/// Which queue a job names.
final class Queues {
    private static final List<String> OWNERS = List.of("JobSet", "Job", "RayJob", "RayCluster");

    private Queues() {}

    /// @return the LocalQueue's name; `""` for a job that Kueue leaves alone
    static String name(Resource job, Rules rules) {
        var label = job.labels().getOrDefault(Marks.QUEUE_NAME, "");
        return label.isEmpty() && rules.queueNameAnnotation()
                ? job.annotations().getOrDefault(Marks.QUEUE_NAME, "")
                : label;
    }

    /// @return whether Kueue decides when it runs, if nothing above it decides; pods must name a
    ///   queue
    static boolean manages(Resource job, Rules rules) {
        boolean all = rules.managesAll() && !job.text("kind").equals("Pod");
        return all || !name(job, rules).isEmpty();
    }

    static boolean hasManagedOwner(Cluster cluster, Resource job, Rules rules) {
        return hasManagedOwner(cluster::find, job, rules);
    }

    /// @return whether another job that Kueue manages made this one
    static boolean hasManagedOwner(
            Function<ResourceKey, Optional<Resource>> objects, Resource job, Rules rules) {
        return Owners.of(job)
                .filter(owner -> OWNERS.contains(owner.kind().kind()))
                .flatMap(objects)
                .filter(owner -> manages(owner, rules) || hasManagedOwner(objects, owner, rules))
                .isPresent();
    }
}
