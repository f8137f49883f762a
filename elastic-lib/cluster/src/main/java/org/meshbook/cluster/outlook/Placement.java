package org.meshbook.cluster.outlook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.print.Age;

/// Where the pods of an admitted job are, and what those wait for that are nowhere.
///
/// A JobSet with exclusive placement gives each of its jobs a topology domain of its own: the first
/// pod of a job leads, and must find a domain without pods of other jobs; the others follow it
/// there, and are not even made before it is bound. What the server says of a follower (`follower
/// pod node selector not set`) therefore tells nothing; its leader's reason does.
final class Placement {
    private static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private final Cluster cluster;
    private final Resource job;
    private final Instant now;
    private final List<Cause> causes = new ArrayList<>();

    private Placement(Cluster cluster, Resource job, Instant now) {
        this.cluster = cluster;
        this.job = job;
        this.now = now;
    }

    /// @return a line for each job of an exclusively placed set, and for each pod that has no node
    static List<Cause> of(Cluster cluster, Resource job, Instant now) {
        var placement = new Placement(cluster, job, now);
        placement.look();
        return placement.causes;
    }

    private void look() {
        if (job.key().kind().equals(Kinds.JOB_SET)) {
            for (var child :
                    cluster.ownedBy(job, Kinds.JOB).stream().sorted(this::byName).toList()) {
                var topology = child.text("spec", "template", "metadata", "annotations", EXCLUSIVE);
                if (!topology.isEmpty()) {
                    exclusive(child, topology);
                }
            }
        }
        if (causes.isEmpty()) {
            var kind = job.key().kind().kind().toLowerCase(Locale.ROOT);
            Pods.of(cluster, job.namespace(), kind, job.name()).forEach(this::pending);
        }
    }

    private int byName(Resource a, Resource b) {
        return a.name().compareTo(b.name());
    }

    private void exclusive(Resource child, String topology) {
        var pods = cluster.ownedBy(child, Kinds.POD);
        int followers = child.at("spec", "parallelism").asInt(1) - 1;
        var leader = pods.stream().filter(Placement::leads).filter(p -> !p.deleting()).findFirst();
        if (leader.isEmpty()) {
            say(
                    Code.LEADER_PENDING,
                    "%s: no leader yet; %d follower(s) wait for it"
                            .formatted(child.name(), followers));
            return;
        }
        var first = leader.get();
        var node = first.text("spec", "nodeName");
        if (node.isEmpty()) {
            say(
                    Code.LEADER_PENDING,
                    "%s: leader %s is Pending: %s; its %d follower(s) are made once it has a node"
                            .formatted(child.name(), first.name(), reason(first), followers));
            return;
        }
        var bound =
                pods.stream()
                        .filter(p -> !leads(p) && !p.text("spec", "nodeName").isEmpty())
                        .filter(p -> !p.deleting())
                        .count();
        say(
                Code.RUNNING,
                "%s: leader %s on %s (%s), %d of %d follower(s) beside it"
                        .formatted(
                                child.name(),
                                first.name(),
                                domain(node, topology),
                                topology,
                                bound,
                                followers));
        pods.stream().filter(p -> !leads(p)).forEach(this::pending);
    }

    private static boolean leads(Resource pod) {
        return pod.annotations().getOrDefault(INDEX, "").equals("0");
    }

    private String domain(String node, String topology) {
        return cluster.find(Kinds.NODE.key("", node))
                .map(found -> found.labels().getOrDefault(topology, ""))
                .filter(domain -> !domain.isEmpty())
                .orElse("node " + node);
    }

    private void pending(Resource pod) {
        boolean waits =
                pod.text("spec", "nodeName").isEmpty()
                        && pod.text("status", "phase").equals("Pending");
        if (waits) {
            say(
                    Code.POD_UNSCHEDULABLE,
                    "pod %s is Pending since %s: %s"
                            .formatted(pod.name(), Age.of(pod.created(), now), reason(pod)));
        }
    }

    private static String reason(Resource pod) {
        return Optional.of(Jobs.message(pod, "PodScheduled"))
                .filter(text -> !text.isEmpty())
                .orElse("no scheduler has looked at it yet");
    }

    private void say(Code code, String text) {
        causes.add(new Cause(code, text));
    }
}
