package org.meshbook.cluster.queue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.cluster.Profile;

/// How one release of Kueue behaves, as shipped, and what a person configured besides.
///
/// @param version which release
/// @param gates what is switched on
/// @param fairStrategies rules of preemption by fair share, in order; empty if shares do not count
/// @param podsReady when workloads whose pods are not ready are taken back; empty for never
/// @param frameworks kinds of jobs that are managed, as in `batch/job`; empty for all that are
///   known
public record Rules(
        Profile version,
        Set<Gate> gates,
        List<FairStrategy> fairStrategies,
        Optional<PodsReady> podsReady,
        Set<String> frameworks) {
    private static final Duration BATCH = Duration.ofSeconds(1);
    private static final Duration LONG_BATCH = Duration.ofSeconds(10);
    private static final Duration NEWEST_PODS_READY = Duration.ofMinutes(30);

    /// When a share may be taken from a queue that borrows.
    public enum FairStrategy {
        /// Mine, with the new workload, is at most the other's without the victim.
        LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
        /// Mine, with the new workload, is less than the other's with the victim.
        LESS_THAN_INITIAL_SHARE
    }

    public Rules {
        gates = Set.copyOf(gates);
        fairStrategies = List.copyOf(fairStrategies);
        frameworks = Set.copyOf(frameworks);
    }

    /// @param version which release
    /// @return its rules as shipped
    public static Rules of(Profile version) {
        var podsReady =
                version == Profile.V0_19
                        ? Optional.of(PodsReady.USUAL.within(NEWEST_PODS_READY))
                        : Optional.<PodsReady>empty();
        return new Rules(version, Gate.of(version), List.of(), podsReady, Set.of());
    }

    /// @param gate a switch
    /// @param on how it stands
    /// @return the same rules with it
    public Rules with(Gate gate, boolean on) {
        var switched = new HashSet<>(gates);
        if (on) {
            switched.add(gate);
        } else {
            switched.remove(gate);
        }
        return new Rules(version, switched, fairStrategies, podsReady, frameworks);
    }

    public Rules withElasticSlices(boolean on) {
        return with(Gate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES, on);
    }

    public Rules withFairSharing(List<FairStrategy> strategies) {
        return new Rules(version, gates, strategies, podsReady, frameworks);
    }

    public Rules withStickyPreemptor(boolean on) {
        return with(Gate.STICKY_PREEMPTOR, on);
    }

    public Rules withQuietPending(boolean on) {
        return with(Gate.QUIET_PENDING, on);
    }

    public Rules withPodsReady(Optional<PodsReady> rule) {
        return new Rules(version, gates, fairStrategies, rule, frameworks);
    }

    /// @param names kinds of jobs, as in `batch/job`
    public Rules withFrameworks(Set<String> names) {
        return new Rules(version, gates, fairStrategies, podsReady, names);
    }

    /// @return whether jobs grow and shrink by workload slices
    public boolean elasticSlices() {
        return gates.contains(Gate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES);
    }

    public boolean stickyPreemptor() {
        return gates.contains(Gate.STICKY_PREEMPTOR);
    }

    public boolean quietPending() {
        return gates.contains(Gate.QUIET_PENDING);
    }

    /// @return whether jobs that name no queue are held as well
    public boolean managesAll() {
        return gates.contains(Gate.MANAGE_JOBS_WITHOUT_QUEUE_NAME);
    }

    /// @param framework a kind of jobs, as in `batch/job`
    /// @return whether such jobs are managed; plain pods are not in 0.14 as it is shipped (OV5)
    public boolean manages(String framework) {
        return frameworks.isEmpty()
                ? !(framework.equals("pod") && old())
                : frameworks.contains(framework);
    }

    public boolean fairSharing() {
        return !fairStrategies.isEmpty();
    }

    /// @return how long parked workloads wait after quota was released (OV1)
    public Duration flushDelay() {
        if (gates.contains(Gate.SCHEDULER_LONG_REQUEUE_INTERVAL)) {
            return LONG_BATCH;
        }
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
        return gates.contains(Gate.CLEANUP_PROVISIONING_REQUESTS_ON_EVICTION);
    }

    /// @return whether a workload like one that just did not fit is parked untried (OV4)
    public boolean parksEquivalents() {
        return gates.contains(Gate.SCHEDULING_EQUIVALENCE_HASHING);
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

    /// @return whether events are written through `events.k8s.io` (OV21)
    public boolean newEvents() {
        return newest();
    }

    private boolean old() {
        return version == Profile.V0_14;
    }

    private boolean newest() {
        return version == Profile.V0_19;
    }
}
