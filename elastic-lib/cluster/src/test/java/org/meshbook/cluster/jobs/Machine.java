package org.meshbook.cluster.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.meshbook.cluster.AdmissionHook;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.control.Controller;
import org.meshbook.cluster.embedded.Rig;
import org.meshbook.cluster.jobs.batch.JobController;
import org.meshbook.cluster.jobs.set.ExclusivePlacement;
import org.meshbook.cluster.jobs.set.JobSetController;
import org.meshbook.cluster.jobs.set.JobSetRules;
import org.meshbook.cluster.kueue.Kueue;
import org.meshbook.cluster.nodes.kubelet.Kubelet;
import org.meshbook.cluster.nodes.pools.NodePool;
import org.meshbook.cluster.nodes.pools.NodePools;
import org.meshbook.cluster.nodes.pools.PodGc;
import org.meshbook.cluster.nodes.pools.TpuEnvironment;
import org.meshbook.cluster.nodes.pools.TpuSlice;
import org.meshbook.cluster.nodes.process.Launch;
import org.meshbook.cluster.nodes.process.VirtualRuntime;
import org.meshbook.cluster.nodes.process.VirtualRuntime.Script;
import org.meshbook.cluster.nodes.schedule.Scheduler;
import org.meshbook.cluster.queue.Rules;
import tools.jackson.databind.node.ObjectNode;

/// A cluster with nodes, whose pods follow scripts, under a clock that a test turns.
public final class Machine implements AutoCloseable {
    private final Rig rig;
    private Function<Launch, Script> scripts = _ -> Script.of(Duration.ofHours(1), 0);

    private Machine(
            Function<Supplier<Cluster>, List<AdmissionHook>> hooks,
            Function<Rig.Parts, List<Controller>> more) {
        var late = new AtomicReference<Cluster>();
        var placements = new AtomicReference<ExclusivePlacement>();
        rig =
                Rig.with(
                        settings -> {
                            var placement = new ExclusivePlacement(late::get, settings.clock());
                            placements.set(placement);
                            var all = new ArrayList<>(hooks.apply(late::get));
                            all.addAll(
                                    List.of(
                                            new JobSetRules(),
                                            new TpuEnvironment(late::get),
                                            placement));
                            return settings.withHooks(all);
                        },
                        parts -> {
                            late.set(parts.cluster());
                            var all = new ArrayList<>(more.apply(parts));
                            all.addAll(controllers(parts, placements.get()));
                            return all;
                        });
    }

    private List<Controller> controllers(Rig.Parts parts, ExclusivePlacement placement) {
        var cluster = parts.cluster();
        var clock = parts.clock();
        var runtime = new VirtualRuntime(clock, launch -> scripts.apply(launch));
        return List.of(
                new JobSetController(cluster, clock),
                new JobController(cluster, clock),
                placement,
                new Scheduler(cluster, clock),
                new PodGc(cluster, clock),
                Kubelet.virtual(cluster, clock, runtime));
    }

    public static Machine open() {
        return with(_ -> List.of());
    }

    public static Machine with(Function<Rig.Parts, List<Controller>> more) {
        return new Machine(_ -> List.of(), more);
    }

    /// Kueue decides when its jobs run.
    public static Machine queued(Rules rules, Function<Rig.Parts, List<Controller>> more) {
        return new Machine(
                cluster ->
                        Kueue.hooks(
                                rules,
                                key ->
                                        Optional.ofNullable(cluster.get())
                                                .flatMap(c -> c.find(key))),
                parts -> {
                    var all =
                            new ArrayList<>(
                                    new Kueue(parts.cluster(), parts.clock(), rules).controllers());
                    all.addAll(more.apply(parts));
                    return all;
                });
    }

    public Rig rig() {
        return rig;
    }

    /// Pods whose names fit run so long and end so.
    public Machine script(String pods, Duration runs, int code) {
        var before = scripts;
        scripts =
                launch ->
                        launch.pod().name().matches(pods)
                                ? Script.of(runs, code)
                                : before.apply(launch);
        return this;
    }

    public Machine script(String pods, Script script) {
        var before = scripts;
        scripts = launch -> launch.pod().name().matches(pods) ? script : before.apply(launch);
        return this;
    }

    /// Pools `pool-1`, `pool-2`, ... of one slice each.
    public Machine slices(int count, String accelerator, String topology) {
        for (int i = 1; i <= count; i++) {
            pools().add(NodePool.of("pool-" + i, TpuSlice.of(accelerator, topology)));
        }
        return this;
    }

    public Machine cpus(int nodes) {
        pools().add(NodePool.plain("default-pool", nodes, "8", "32Gi"));
        return this;
    }

    public NodePools pools() {
        return new NodePools(rig.cluster());
    }

    public Machine apply(String manifest) {
        rig.create(manifest);
        rig.settle();
        return this;
    }

    public Machine run(Duration time) {
        rig.advance(time);
        return this;
    }

    public Machine run(long seconds) {
        return run(Duration.ofSeconds(seconds));
    }

    public Resource job(String name) {
        return rig.at(Kinds.JOB, name);
    }

    public Resource set(String name) {
        return rig.at(Kinds.JOB_SET, name);
    }

    /// @return pods whose names begin so, by name
    public List<Resource> pods(String prefix) {
        return rig.cluster().list(Kinds.POD, "").stream()
                .filter(p -> p.name().startsWith(prefix))
                .sorted(Comparator.comparing(Resource::name))
                .toList();
    }

    public long running(String prefix) {
        return pods(prefix).stream()
                .filter(p -> p.text("status", "phase").equals("Running") && !p.deleting())
                .count();
    }

    /// @return the pools on whose nodes the pods are
    public List<String> poolsOf(String prefix) {
        return pods(prefix).stream()
                .map(p -> p.text("spec", "nodeName"))
                .filter(n -> !n.isEmpty())
                .map(n -> rig.at(Kinds.NODE, "/" + n).labels().get(NodePool.POOL))
                .distinct()
                .sorted()
                .toList();
    }

    /// @return `reason: message` of events about the object of that name
    public List<String> events(String name) {
        return rig.cluster().list(Kinds.EVENT, "").stream()
                .filter(e -> e.text("involvedObject", "name").equals(name))
                .map(e -> e.text("reason") + ": " + e.text("message"))
                .toList();
    }

    public String condition(Resource object, String type) {
        return object.condition(type)
                .map(
                        c ->
                                Stream.of("status", "reason", "message")
                                        .map(f -> c.path(f).asString(""))
                                        .reduce((a, b) -> a + " " + b)
                                        .orElse(""))
                .orElse("");
    }

    public void edit(Resource object, Consumer<ObjectNode> edit) {
        rig.cluster()
                .update(
                        rig.cluster().find(object.key()).orElseThrow().with(edit),
                        WriteOptions.PLAIN);
        rig.settle();
    }

    @Override
    public void close() {
        rig.close();
    }
}
