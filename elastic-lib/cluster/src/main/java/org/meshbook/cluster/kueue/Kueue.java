package org.meshbook.cluster.kueue;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.EventRecorder;
import org.meshbook.cluster.queue.QueueState;
import org.meshbook.cluster.queue.Rules;

/// Kueue: its controllers, and the hooks that an API server asks.
///
/// The state can be read by whoever runs in the loop's thread: for forecasts ([QueueState#copy]),
/// positions in the queue and reasons to wait.
public final class Kueue {
    private final QueueState state;
    private final List<Controller> controllers = new ArrayList<>();

    /// @param cluster what it works on
    /// @param clock wall time
    /// @param rules which Kueue
    public Kueue(Cluster cluster, InstantSource clock, Rules rules) {
        state = new QueueState(rules);
        var ledger = new Ledger();
        controllers.add(new QueueController(cluster, clock, state, ledger, rules));
        controllers.add(new WorkloadController(cluster, clock, ledger, rules));
        controllers.add(new QueueStatusController(cluster, clock, ledger, rules));
        controllers.add(new ProvisioningController(cluster, clock, rules));
        jobs(rules).forEach(j -> controllers.add(new JobController(cluster, clock, j, rules)));
    }

    static List<JobKind> jobs(Rules rules) {
        return Stream.of(
                        new BatchJobs(),
                        new JobSets(),
                        new RayKinds.Jobs(rules.countsRaySidecars(), rules.elasticSlices()),
                        new RayKinds.Clusters(rules.countsRaySidecars()),
                        new PlainPods())
                .filter(kind -> rules.manages(kind.framework()))
                .toList();
    }

    /// @return kinds of jobs that are known, as Kueue's configuration names them
    public static List<String> frameworks() {
        return List.of(
                "batch/job", "jobset.x-k8s.io/jobset", "ray.io/rayjob", "ray.io/raycluster", "pod");
    }

    static EventRecorder events(
            Cluster cluster, InstantSource clock, String reporter, Rules rules) {
        return rules.newEvents()
                ? EventRecorder.inNewForm(cluster, clock, reporter)
                : new EventRecorder(cluster, clock, reporter);
    }

    /// @return the controllers, to be run by one loop
    public List<Controller> controllers() {
        return List.copyOf(controllers);
    }

    /// @return what is configured, who waits and who holds quota; belongs to the loop's thread
    public QueueState state() {
        return state;
    }

    /// @param rules which Kueue
    /// @param objects finds objects of the cluster that asks; called when something is written
    /// @return what an API server has to ask before it stores something
    public static List<AdmissionHook> hooks(
            Rules rules, Function<ResourceKey, Optional<Resource>> objects) {
        var hooks = new ArrayList<AdmissionHook>();
        jobs(rules).forEach(j -> hooks.add(new JobHook(j, rules, objects)));
        hooks.add(new QueueHook(Kinds.CLUSTER_QUEUE));
        hooks.add(new QueueHook(Kinds.COHORT));
        hooks.add(new FlavorHook());
        return hooks;
    }
}
