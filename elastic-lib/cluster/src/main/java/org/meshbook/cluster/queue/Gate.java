package org.meshbook.cluster.queue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.Profile;

/// What can be switched on and off in Kueue by `featureGates`, and what else decides between two
/// ways.
public enum Gate {
    /// Jobs grow and shrink while they run, by workload slices.
    ELASTIC_JOBS_VIA_WORKLOAD_SLICES("ElasticJobsViaWorkloadSlices", true, Profile.V0_19),
    /// A workload like one that just did not fit is parked untried (OV4).
    SCHEDULING_EQUIVALENCE_HASHING("SchedulingEquivalenceHashing", true, Profile.V0_19),
    /// Parked workloads wait ten seconds instead of one after quota was released (OD1).
    SCHEDULER_LONG_REQUEUE_INTERVAL("SchedulerLongRequeueInterval", true, null),
    /// The ProvisioningRequest of a check that was finally rejected is deleted (OV3).
    CLEANUP_PROVISIONING_REQUESTS_ON_EVICTION(
            "CleanupProvisioningRequestsOnEviction", true, Profile.V0_19),
    /// A workload that had others preempted goes before all of its queue until it is admitted
    /// (kueue#13662).
    STICKY_PREEMPTOR("sticky preemptor", false, Profile.V0_19),
    /// A workload whose reason to wait did not change gets no new event.
    QUIET_PENDING("quiet Pending events", false, null),
    /// Jobs that name no queue are held as well (`manageJobsWithoutQueueName`).
    MANAGE_JOBS_WITHOUT_QUEUE_NAME("manageJobsWithoutQueueName", false, null);

    private final String text;
    private final boolean feature;
    private final Optional<Profile> since;

    Gate(String text, boolean feature, @Nullable Profile since) {
        this.text = text;
        this.feature = feature;
        this.since = Optional.ofNullable(since);
    }

    /// @return its name as people write it
    public String text() {
        return text;
    }

    /// @param name a feature gate's name
    /// @return it; empty if it is none, or none that makes a difference here
    public static Optional<Gate> feature(String name) {
        return Arrays.stream(values()).filter(g -> g.feature && g.text.equals(name)).findFirst();
    }

    /// @return names of all feature gates that make a difference here
    public static List<String> features() {
        return Arrays.stream(values()).filter(g -> g.feature).map(Gate::text).toList();
    }

    static Set<Gate> of(Profile version) {
        var on = EnumSet.noneOf(Gate.class);
        for (var gate : values()) {
            if (gate.since.filter(v -> v.compareTo(version) <= 0).isPresent()) {
                on.add(gate);
            }
        }
        return on;
    }
}
