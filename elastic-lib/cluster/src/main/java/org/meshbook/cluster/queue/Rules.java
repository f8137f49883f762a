package org.meshbook.cluster.queue;

import java.time.Duration;
import java.util.List;
import org.meshbook.cluster.Profile;

/// How one release of Kueue behaves, as shipped, and what a person switched on besides.
///
/// @param version which release
/// @param elasticSlices gate ElasticJobsViaWorkloadSlices
/// @param fairStrategies rules of preemption by fair share, in order; empty if shares do not count
/// @param stickyPreemptor whether a workload that had others preempted goes before all of its queue
///   until it is admitted
/// @param quietPending whether a workload whose reason to wait did not change gets no new event;
///   the real one writes it again at each attempt
public record Rules(
        Profile version,
        boolean elasticSlices,
        List<FairStrategy> fairStrategies,
        boolean stickyPreemptor,
        boolean quietPending) {
    private static final Duration BATCH = Duration.ofSeconds(1);

    /// When a share may be taken from a queue that borrows.
    public enum FairStrategy {
        /// Mine, with the new workload, is at most the other's without the victim.
        LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
        /// Mine, with the new workload, is less than the other's with the victim.
        LESS_THAN_INITIAL_SHARE
    }

    public Rules {
        fairStrategies = List.copyOf(fairStrategies);
    }

    /// @param version which release
    /// @return its rules as shipped
    public static Rules of(Profile version) {
        boolean newest = version == Profile.V0_19;
        return new Rules(version, newest, List.of(), newest, false);
    }

    public Rules withElasticSlices(boolean on) {
        return new Rules(version, on, fairStrategies, stickyPreemptor, quietPending);
    }

    public Rules withFairSharing(List<FairStrategy> strategies) {
        return new Rules(version, elasticSlices, strategies, stickyPreemptor, quietPending);
    }

    public Rules withStickyPreemptor(boolean on) {
        return new Rules(version, elasticSlices, fairStrategies, on, quietPending);
    }

    public Rules withQuietPending(boolean on) {
        return new Rules(version, elasticSlices, fairStrategies, stickyPreemptor, on);
    }

    public boolean fairSharing() {
        return !fairStrategies.isEmpty();
    }

    /// @return how long parked workloads wait after quota was released (OV1)
    public Duration flushDelay() {
        return old() ? Duration.ZERO : BATCH;
    }

    /// @return whether the back-off of a failed check counts from when it was last pending, and the
    ///   quota is kept until it is over (OV2, OD6)
    public boolean backOffSincePending() {
        return !old();
    }

    /// @return whether the ProvisioningRequest of a check that was finally rejected is deleted
    ///   (OV3)
    public boolean cleansProvisioningRequests() {
        return newest();
    }

    /// @return whether a workload like one that just did not fit is parked untried (OV4)
    public boolean parksEquivalents() {
        return newest();
    }

    /// @return whether the priority class of an admitted job may be changed (OV6)
    public boolean priorityClassMutable() {
        return !old();
    }

    /// @return whether the queue-name annotation counts like the label (A28)
    public boolean queueNameAnnotation() {
        return old();
    }

    /// @return whether a deleted queue that is in use is inactive (OV7)
    public boolean terminatingIsInactive() {
        return newest();
    }

    /// @return whether workloads carry PodsReady (OV8)
    public boolean podsReady() {
        return newest();
    }

    /// @return whether messages of preemption name the paths of both queues (OV9)
    public boolean preemptionPaths() {
        return !old();
    }

    /// @return whether events of preemption tell both priorities, and the preemptor gets one (OV10)
    public boolean preemptionPriorities() {
        return !old();
    }

    /// @return whether the event of a reservation names the flavors that were passed over (OV11)
    public boolean flavorsConsidered() {
        return !old();
    }

    /// @return the reason of a namespace that the queue does not take (OV12)
    public String namespaceMismatch() {
        return (newest() ? "w" : "W") + "orkload namespace doesn't match ClusterQueue selector";
    }

    /// @return whether texts of checks name the check and its message (OV13 to OV15)
    public boolean checkTexts() {
        return newest();
    }

    /// @return whether pods are labelled with their queues (OV20)
    public boolean queueLabels() {
        return !old();
    }

    /// @return whether the sidecars that KubeRay adds are counted (OV25)
    public boolean countsRaySidecars() {
        return newest();
    }

    private boolean old() {
        return version == Profile.V0_14;
    }

    private boolean newest() {
        return version == Profile.V0_19;
    }
}
