package org.meshbook.cluster.outlook;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.cluster.kueue.Snapshot;
import org.meshbook.cluster.queue.Amounts;
import org.meshbook.cluster.queue.FlavorResource;

/// How much of one resource of one flavor a ClusterQueue uses.
///
/// @param queue the ClusterQueue
/// @param flavor the flavor
/// @param resource the resource
/// @param nominal what is its own, in [Amounts]
/// @param used what its workloads hold
/// @param free what it could still take, what others lend included
public record QuotaUse(
        String queue, String flavor, String resource, long nominal, long used, long free) {

    /// @param snapshot a queue
    /// @return all of all ClusterQueues, in the order of their specs
    public static List<QuotaUse> all(Snapshot snapshot) {
        var all = new ArrayList<QuotaUse>();
        for (var object : snapshot.clusterQueues()) {
            var name = object.name();
            var state = snapshot.state();
            for (var group : state.find(name).orElseThrow().groups()) {
                for (var flavor : group.flavors()) {
                    for (var resource : group.resources()) {
                        var quota = flavor.quotas().get(resource);
                        var fr = new FlavorResource(flavor.flavor(), resource);
                        all.add(
                                new QuotaUse(
                                        name,
                                        flavor.flavor(),
                                        resource,
                                        quota == null ? 0 : quota.nominal(),
                                        state.used(name, fr),
                                        state.available(name, fr)));
                    }
                }
            }
        }
        return all;
    }

    /// @return what it uses beyond its own
    public long borrowed() {
        return Math.max(0, used - nominal);
    }

    /// @param amount an amount of this resource
    /// @return as objects write it
    public String text(long amount) {
        return Amounts.quantity(resource, amount).toString();
    }
}
