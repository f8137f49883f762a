package org.meshbook.cluster.kueue;

import java.util.List;
import java.util.Optional;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.queue.Rules;

/// Whether a queue takes workloads, and why not.
///
/// @param active whether it does
/// @param reason one word
/// @param message a sentence
record Health(boolean active, String reason, String message) {
    static Health of(Cluster cluster, Resource queue, Rules rules) {
        if (queue.deleting() && rules.terminatingIsInactive()) {
            return new Health(
                    false, "Terminating", "Can't admit new workloads; clusterQueue is terminating");
        }
        if (stopped(queue)) {
            return bad("Stopped", "is stopped.");
        }
        var flavors =
                queue.list("spec", "resourceGroups").stream()
                        .flatMap(g -> g.path("flavors").values().stream())
                        .map(f -> Specs.text(f, "name"))
                        .distinct()
                        .toList();
        var lost = missing(cluster, Kinds.RESOURCE_FLAVOR, flavors);
        if (!lost.isEmpty()) {
            return bad("FlavorNotFound", "references missing ResourceFlavor(s): " + lost + ".");
        }
        var checks = Checks.of(queue);
        var unknown = missing(cluster, Kinds.ADMISSION_CHECK, checks);
        if (!unknown.isEmpty()) {
            return bad(
                    "AdmissionCheckNotFound",
                    "references missing AdmissionCheck(s): " + unknown + ".");
        }
        var idle = checks.stream().filter(name -> !serves(cluster, name)).sorted().toList();
        if (!idle.isEmpty()) {
            return bad(
                    "AdmissionCheckInactive",
                    "references inactive AdmissionCheck(s): " + String.join(",", idle) + ".");
        }
        return new Health(true, "Ready", "Can admit new workloads");
    }

    private static Health bad(String reason, String message) {
        return new Health(false, reason, "Can't admit new workloads: " + message);
    }

    private static String missing(Cluster cluster, ResourceKind kind, List<String> names) {
        return String.join(
                ",",
                names.stream()
                        .filter(name -> cluster.find(kind.key("", name)).isEmpty())
                        .sorted()
                        .toList());
    }

    private static boolean serves(Cluster cluster, String check) {
        return cluster.find(Kinds.ADMISSION_CHECK.key("", check))
                .filter(c -> c.is(Marks.ACTIVE))
                .isPresent();
    }

    static boolean stopped(Resource queue) {
        return List.of("Hold", "HoldAndDrain").contains(queue.text("spec", "stopPolicy"));
    }

    static boolean drained(Resource queue) {
        return queue.text("spec", "stopPolicy").equals("HoldAndDrain");
    }

    static Health ofLocal(Resource local, Optional<Health> queue) {
        if (stopped(local)) {
            return new Health(false, "Stopped", "LocalQueue is stopped");
        }
        var text = "Can't submit new workloads to clusterQueue";
        if (queue.isEmpty()) {
            return new Health(false, "ClusterQueueDoesNotExist", text);
        }
        return queue.get().active()
                ? new Health(true, "Ready", "Can submit new workloads to localQueue")
                : new Health(false, "ClusterQueueIsInactive", text);
    }
}
