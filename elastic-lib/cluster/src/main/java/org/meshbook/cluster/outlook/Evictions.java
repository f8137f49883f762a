package org.meshbook.cluster.outlook;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;

/// Workloads that have to go: how often the same one drove them out, and what of them is still
/// there.
final class Evictions {
    /// So often by the same one is no accident.
    private static final int CYCLE = 3;

    private static final Pattern PREEMPTOR =
            Pattern.compile(
                    "Preempted to accommodate a workload \\(UID: ([^,]*), JobUID: ([^)]*)\\)");

    private Evictions() {}

    /// @return a warning for each job that has preempted a workload again and again
    static List<Cause> cycles(Cluster cluster, Resource workload, String name) {
        var counts = new TreeMap<String, Integer>();
        for (var event : cluster.list(Kinds.EVENT, workload.namespace())) {
            if (event.text("involvedObject", "uid").equals(workload.uid())
                    && event.text("reason").equals("EvictedDueToPreempted")) {
                var match = PREEMPTOR.matcher(event.text("message"));
                if (match.find()) {
                    counts.merge(match.group(1), event.at("count").asInt(1), Integer::sum);
                }
            }
        }
        var causes = new ArrayList<Cause>();
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            if (each.getValue() >= CYCLE) {
                causes.add(
                        new Cause(
                                Code.PREEMPTION_CYCLE,
                                ("%s was preempted %d times by %s: a cycle; give one of them a"
                                                + " priority of its own, or a queue without"
                                                + " preemption")
                                        .formatted(
                                                name,
                                                each.getValue(),
                                                nameOf(cluster, each.getKey()))));
            }
        }
        return causes;
    }

    private static String nameOf(Cluster cluster, String uid) {
        return cluster.list(Kinds.WORKLOAD, "").stream()
                .filter(workload -> workload.uid().equals(uid))
                .map(Jobs::name)
                .findFirst()
                .orElse("a workload that is gone (UID: %s)".formatted(uid));
    }

    /// @return pods of a workload's job that were asked to end and have not
    static List<Resource> terminating(Cluster cluster, Resource workload) {
        return Pods.of(cluster, workload.namespace(), Jobs.kind(workload), Jobs.name(workload))
                .stream()
                .filter(Resource::deleting)
                .toList();
    }
}
