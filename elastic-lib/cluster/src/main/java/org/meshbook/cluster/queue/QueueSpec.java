package org.meshbook.cluster.queue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What a ClusterQueue says.
///
/// @param name its name
/// @param cohort the cohort that it belongs to; empty if none
/// @param groups its flavors and quotas
/// @param strict whether its head blocks those behind it
/// @param fungibility when to look at the next flavor
/// @param preemption whom its workloads may preempt
/// @param weightMilli its weight when shares are compared, in thousandths
public record QueueSpec(
        String name,
        String cohort,
        List<Group> groups,
        boolean strict,
        Fungibility fungibility,
        Preemption preemption,
        long weightMilli) {
    public QueueSpec {
        groups = List.copyOf(groups);
    }

    /// Resources that come from one flavor together.
    ///
    /// @param resources the resources
    /// @param flavors the flavors, in the order in which they are tried
    public record Group(List<String> resources, List<FlavorQuota> flavors) {
        public Group {
            resources = List.copyOf(resources);
            flavors = List.copyOf(flavors);
        }
    }

    /// Quotas of one flavor.
    ///
    /// @param flavor its name
    /// @param quotas by resource
    public record FlavorQuota(String flavor, Map<String, Quota> quotas) {
        public FlavorQuota {
            quotas = Map.copyOf(quotas);
        }
    }

    /// Quota of one resource in one flavor.
    ///
    /// @param nominal what is the queue's own
    /// @param borrowing how much it may use above that; empty for as much as there is
    /// @param lending how much of its own others may use; empty for all
    public record Quota(long nominal, OptionalLong borrowing, OptionalLong lending) {
        /// @param nominal what is the queue's own
        /// @return that, without limits
        public static Quota of(long nominal) {
            return new Quota(nominal, OptionalLong.empty(), OptionalLong.empty());
        }
    }

    /// When the search among flavors ends.
    ///
    /// @param borrowStops whether at one that fits by borrowing
    /// @param preemptStops whether at one that fits by preempting
    /// @param borrowFirst whether borrowing is better than preempting
    public record Fungibility(boolean borrowStops, boolean preemptStops, boolean borrowFirst) {
        /// What holds if nothing is said.
        public static final Fungibility DEFAULT = new Fungibility(true, false, true);
    }

    /// Whom a policy lets be preempted.
    public enum Policy {
        NEVER,
        LOWER_PRIORITY,
        LOWER_OR_NEWER_EQUAL_PRIORITY,
        ANY
    }

    /// Whom a queue's workloads may preempt.
    ///
    /// @param within in their own queue
    /// @param reclaim in queues of the cohort that borrow
    /// @param whileBorrowing whether they may do so even if they borrow then
    /// @param threshold the highest priority of those that may be preempted while borrowing
    public record Preemption(
            Policy within, Policy reclaim, boolean whileBorrowing, OptionalInt threshold) {
        /// What holds if nothing is said.
        public static final Preemption NEVER =
                new Preemption(Policy.NEVER, Policy.NEVER, false, OptionalInt.empty());
    }

    /// What a Cohort says.
    ///
    /// @param name its name
    /// @param parent the cohort above; empty if none
    /// @param quotas quota of its own
    /// @param weightMilli its weight, in thousandths
    public record Cohort(
            String name, String parent, Map<FlavorResource, Quota> quotas, long weightMilli) {
        public Cohort {
            quotas = Map.copyOf(quotas);
        }
    }

    Optional<Group> group(String resource) {
        return groups.stream().filter(g -> g.resources().contains(resource)).findFirst();
    }
}
