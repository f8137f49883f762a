package org.meshbook.cluster.outlook;

import java.util.Comparator;
import java.util.List;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;

/// The pods of a job of any kind, by the labels that their controllers give them.
final class Pods {
    private Pods() {}

    /// @param kind of the job, in small letters
    /// @return its pods by name
    static List<Resource> of(Cluster cluster, String namespace, String kind, String name) {
        var label =
                switch (kind) {
                    case "jobset" -> "jobset.sigs.k8s.io/jobset-name";
                    case "rayjob" -> "ray.io/originated-from-cr-name";
                    case "raycluster" -> "ray.io/cluster";
                    default -> "batch.kubernetes.io/job-name";
                };
        return cluster.list(Kinds.POD, namespace).stream()
                .filter(pod -> pod.labels().getOrDefault(label, "").equals(name))
                .sorted(Comparator.comparing(Resource::name))
                .toList();
    }
}
