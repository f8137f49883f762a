package org.meshbook.cluster.nodes.kubelet;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.control.EventRecorder;
import org.meshbook.cluster.nodes.process.ContainerRuntime;
import org.meshbook.cluster.nodes.process.Images;
import org.meshbook.cluster.nodes.process.Launch;
import org.meshbook.cluster.nodes.process.VirtualRuntime;

/// Runs the pods that are bound to a node of this cluster, and tells what became of them.
///
/// Containers are programs of this machine, see [LaunchPlan]. Deleted pods are asked to end
/// (SIGTERM to all their processes), then ended (SIGKILL) when their grace period is over, then
/// removed. A pod that is gone, or whose node is, is ended at once. What an earlier process ran is
/// lost with it: such containers count as ended with 137, and are started again if their pod's
/// policy says so. Pods of [FakeNodes] are only played.
public final class Kubelet implements Controller {
    private static final System.Logger LOG = System.getLogger(Kubelet.class.getName());

    private final Cluster cluster;
    private final InstantSource clock;
    private final ContainerRuntime runtime;
    private final Path root;
    private final Plans plans;
    private final FakeNodes fakes;
    private final EventRecorder events;
    private final Addresses addresses = new Addresses();
    private final Map<ResourceKey, PodRun> runs = new HashMap<>();

    /// With what each container was started last; read by other threads, too.
    private final Map<String, Launch> launches = new ConcurrentHashMap<>();

    private Consumer<ResourceKey> nudge = _ -> {};

    private interface Plans {
        LaunchPlan.Outcome of(Resource pod, ContainerRun container);
    }

    /// @param cluster where pods are
    /// @param clock wall time
    /// @param runtime what runs containers
    /// @param images which program stands for which image
    /// @param root where pods have their folders
    public Kubelet(
            Cluster cluster,
            InstantSource clock,
            ContainerRuntime runtime,
            Images images,
            Path root) {
        this.cluster = cluster;
        this.clock = clock;
        this.runtime = runtime;
        this.root = root;
        this.fakes = new FakeNodes(cluster, clock);
        this.events = new EventRecorder(cluster, clock, "kubelet");
        this.plans =
                (pod, container) ->
                        new LaunchPlan(cluster, images, addresses, pod, PodFolder.of(root, pod))
                                .of(container.spec(), container.starts());
    }

    private Kubelet(Cluster cluster, InstantSource clock, VirtualRuntime runtime) {
        this.cluster = cluster;
        this.clock = clock;
        this.runtime = runtime;
        this.root = Path.of("no-such-folder");
        this.fakes = new FakeNodes(cluster, clock);
        this.events = new EventRecorder(cluster, clock, "kubelet");
        this.plans = LaunchPlan::virtual;
    }

    /// @param cluster where pods are
    /// @param clock the simulation's time
    /// @param runtime plays containers
    /// @return a kubelet for simulations: it touches no file and starts no process
    public static Kubelet virtual(Cluster cluster, InstantSource clock, VirtualRuntime runtime) {
        return new Kubelet(cluster, clock, runtime);
    }

    @Override
    public String name() {
        return "kubelet";
    }

    @Override
    public Set<ResourceKind> watches() {
        return Set.of(Kinds.POD);
    }

    @Override
    public void wakeBy(Consumer<ResourceKey> waker) {
        nudge = waker;
    }

    /// A pod that was replaced by one of its name must not take its successor's processes with it.
    @Override
    public List<ResourceKey> affected(WatchEvent event) {
        var pod = event.object();
        var key = pod.key();
        if (event.type() == WatchEvent.Type.DELETED) {
            var run = runs.get(key);
            if (run != null && run.uid().equals(pod.uid())) {
                drop(key, pod);
            }
            addresses.release(pod);
            return List.of();
        }
        if (!runs.containsKey(key)) {
            addresses.adopt(pod);
        }
        return List.of(key);
    }

    @Override
    public Optional<Duration> reconcile(ResourceKey key) {
        var found = cluster.find(key);
        if (found.isEmpty() || found.get().text("spec", "nodeName").isEmpty()) {
            return Optional.empty();
        }
        var pod = found.get();
        var now = clock.instant();
        if (over(pod)) {
            drop(key, pod);
            removeIfAsked(pod);
            return Optional.empty();
        }
        // 1. what ended since the last look
        var known = runs.get(key);
        if (known != null && !known.uid().equals(pod.uid())) {
            drop(key, pod);
            known = null;
        }
        var run = known == null ? new PodRun(pod, now) : known;
        runs.put(key, run);
        run.look();
        // 2. stop or start
        if (pod.deleting()) {
            run.stop(now, deadline(pod, run, now));
            run.look();
        } else {
            run.advance(now, runtime(pod), c -> plan(pod, c), () -> nudge.accept(key));
            run.look();
        }
        // 3. tell
        var told = PodStatus.of(pod, run, addresses.of(pod), now);
        if (!told.json().equals(pod.json())) {
            told = cluster.updateStatus(told);
        }
        if (pod.deleting() && run.idle()) {
            drop(key, pod);
            removeIfAsked(pod);
            return Optional.empty();
        }
        return wait(run, now);
    }

    private static boolean over(Resource pod) {
        var phase = pod.text("status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private void removeIfAsked(Resource pod) {
        if (pod.deleting() && pod.at("metadata", "deletionGracePeriodSeconds").asInt(0) > 0) {
            try {
                cluster.remove(pod.key());
            } catch (ApiException refused) {
                if (!refused.missing()) {
                    throw refused;
                }
            }
        }
    }

    /// The store's time of deletion is in whole seconds and already includes the grace period.
    private static Instant deadline(Resource pod, PodRun run, Instant now) {
        return pod.at("metadata", "deletionGracePeriodSeconds").asInt(0) == 0
                ? now
                : pod.time("metadata", "deletionTimestamp").orElseGet(() -> run.graceEnd(now));
    }

    private ContainerRuntime runtime(Resource pod) {
        return fakes.have(pod) ? fakes : runtime;
    }

    private LaunchPlan.Outcome plan(Resource pod, ContainerRun container) {
        var outcome =
                fakes.have(pod) ? LaunchPlan.virtual(pod, container) : plans.of(pod, container);
        if (outcome instanceof LaunchPlan.Outcome.Ready(var launch) && !fakes.have(pod)) {
            launches.put(pod.uid() + "/" + container.name(), launch);
        }
        if (outcome instanceof LaunchPlan.Outcome.Refused(var reason, var message)) {
            events.warning(
                    pod, reason.equals("ContainerCreating") ? "FailedMount" : "Failed", message);
        } else {
            events.normal(pod, "Started", "Started container " + container.name());
        }
        return outcome;
    }

    private static Optional<Duration> wait(PodRun run, Instant now) {
        return run.next(now).map(at -> at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
    }

    private void drop(ResourceKey key, Resource pod) {
        var run = runs.remove(key);
        if (run != null) {
            run.kill();
            run.containers().forEach(c -> launches.remove(run.uid() + "/" + c.name()));
        }
        if (cluster.find(key).filter(p -> p.uid().equals(pod.uid())).isEmpty()) {
            forget(pod);
        }
    }

    /// @param pod a pod, as stored
    /// @param container one of its containers
    /// @return with what it was started; empty if it does not run. Any thread may ask
    Optional<Launch> running(Resource pod, String container) {
        boolean runs =
                Stream.of("containerStatuses", "initContainerStatuses")
                        .flatMap(list -> pod.list("status", list).stream())
                        .filter(s -> s.path("name").asString("").equals(container))
                        .anyMatch(s -> s.path("state").has("running"));
        return Optional.ofNullable(runs ? launches.get(pod.uid() + "/" + container) : null);
    }

    private void forget(Resource pod) {
        try {
            PodFolder.of(root, pod).delete();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "pod=" + pod.key().path() + " its folder stays", e);
        }
    }
}
