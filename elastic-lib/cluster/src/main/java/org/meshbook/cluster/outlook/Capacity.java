package org.meshbook.cluster.outlook;

import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.print.Age;

/// A request for nodes that is not granted, in words.
final class Capacity {
    private static final String CONSIDERED = "Flavors considered: ";

    private Capacity() {}

    static Cause of(Cluster cluster, Snapshot snapshot, Resource workload, Resource request) {
        var since = request.created().orElse(snapshot.now());
        var age = Duration.between(since, snapshot.now());
        var told = Jobs.message(request, "Provisioned");
        if (Jobs.reason(request, "Provisioned").equals("NoNodePool")) {
            return new Cause(
                    Code.NO_CAPACITY,
                    "request %s is not granted since %s: %s"
                            .formatted(request.name(), Age.of(age), told));
        }
        return new Cause(
                Code.NO_CAPACITY,
                ("no capacity for %s; flavors tried: %s%s; %%delete %s %s frees its quota, and another"
                                + " flavor in the cluster queue would be a way around")
                        .formatted(
                                Age.of(age),
                                tried(cluster, workload),
                                told.isEmpty() ? "" : "; the provider says: " + told,
                                Jobs.kind(workload),
                                Jobs.name(workload)));
    }

    /// Those that it has, after those that were passed over when it got its quota.
    private static String tried(Cluster cluster, Resource workload) {
        var has =
                workload.list("status", "admission", "podSetAssignments").stream()
                        .flatMap(set -> set.path("flavors").values().stream())
                        .map(flavor -> flavor.asString(""))
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", "));
        return cluster.list(Kinds.EVENT, workload.namespace()).stream()
                .filter(event -> event.text("involvedObject", "uid").equals(workload.uid()))
                .filter(event -> event.text("reason").equals("QuotaReserved"))
                .max(Comparator.comparingLong(Resource::resourceVersion))
                .map(event -> event.text("message"))
                .filter(message -> message.contains(CONSIDERED))
                .map(
                        message ->
                                message.substring(
                                        message.indexOf(CONSIDERED) + CONSIDERED.length()))
                .map(passed -> "%s (has %s)".formatted(passed, has))
                .orElse(has);
    }
}
