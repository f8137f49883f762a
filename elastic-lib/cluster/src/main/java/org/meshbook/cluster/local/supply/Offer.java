package org.meshbook.cluster.local.supply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Quantity;
import org.meshbook.cluster.Resource;
import tools.jackson.databind.JsonNode;

/// One flavor of a ClusterQueue, and the most that the queue can ever use of it.
///
/// @param flavor the flavor
/// @param most by resource, in thousandths; what it may borrow of its cohort is included
record Offer(Resource flavor, Map<String, Long> most) {
    private static final long UNLIMITED = Long.MAX_VALUE;

    static List<Offer> of(Cluster cluster, Resource queue) {
        var offers = new ArrayList<Offer>();
        var cohort = cohort(queue);
        for (var group : queue.list("spec", "resourceGroups")) {
            for (var flavor : group.path("flavors")) {
                var name = flavor.path("name").asString("");
                var most = new TreeMap<String, Long>();
                for (var quota : flavor.path("resources")) {
                    var resource = quota.path("name").asString("");
                    long others = cohort.isEmpty() ? 0 : lent(cluster, queue, name, resource);
                    most.put(resource, most(quota, others));
                }
                var object =
                        cluster.find(Kinds.RESOURCE_FLAVOR.key("", name))
                                .orElseGet(() -> Resource.named(Kinds.RESOURCE_FLAVOR, "", name));
                offers.add(new Offer(object, most));
            }
        }
        return offers;
    }

    private static long most(JsonNode quota, long others) {
        long own = milli(quota.path("nominalQuota"));
        var limit = quota.path("borrowingLimit");
        long above = limit.isMissingNode() || limit.isNull() ? others : milli(limit);
        return own + Math.min(Math.min(above, others), UNLIMITED - own);
    }

    /// What the other queues of the cohort may lend; one with a cohort above it may get more.
    private static long lent(Cluster cluster, Resource queue, String flavor, String resource) {
        var name = cohort(queue);
        var above = cluster.find(Kinds.COHORT.key("", name));
        if (above.isPresent()) {
            return UNLIMITED;
        }
        return cluster.list(Kinds.CLUSTER_QUEUE, "").stream()
                .filter(other -> !other.name().equals(queue.name()) && cohort(other).equals(name))
                .flatMap(other -> other.list("spec", "resourceGroups").stream())
                .flatMap(group -> group.path("flavors").values().stream())
                .filter(each -> each.path("name").asString("").equals(flavor))
                .flatMap(each -> each.path("resources").values().stream())
                .filter(quota -> quota.path("name").asString("").equals(resource))
                .mapToLong(quota -> milli(quota.path("nominalQuota")))
                .sum();
    }

    private static String cohort(Resource queue) {
        var name = queue.text("spec", "cohortName");
        return name.isEmpty() ? queue.text("spec", "cohort") : name;
    }

    private static long milli(JsonNode amount) {
        return Quantity.parse(amount.asString("0")).milli();
    }

    boolean has(String resource) {
        return most.containsKey(resource);
    }

    /// @return how many slices it can hold at once
    long slices(Shape shape) {
        return units(shape.resource()) / shape.total();
    }

    /// @return the most of a resource, in whole units
    long units(String resource) {
        return most.getOrDefault(resource, 0L) / 1000;
    }
}
