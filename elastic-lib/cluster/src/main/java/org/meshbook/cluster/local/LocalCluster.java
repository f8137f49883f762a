package org.meshbook.cluster.local;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.control.ControlLoop;
import org.meshbook.cluster.embedded.EmbeddedCluster;
import org.meshbook.cluster.embedded.Settings;
import org.meshbook.cluster.jobs.batch.JobController;
import org.meshbook.cluster.jobs.ray.RayClusterController;
import org.meshbook.cluster.jobs.ray.RayJobController;
import org.meshbook.cluster.jobs.set.ExclusivePlacement;
import org.meshbook.cluster.jobs.set.JobSetController;
import org.meshbook.cluster.jobs.set.JobSetRules;
import org.meshbook.cluster.kueue.Kueue;
import org.meshbook.cluster.local.supply.QueueSupply;
import org.meshbook.cluster.local.supply.SliceJobs;
import org.meshbook.cluster.local.supply.Standings;
import org.meshbook.cluster.metrics.ClusterMetrics;
import org.meshbook.cluster.nodes.kubelet.Kubelet;
import org.meshbook.cluster.nodes.kubelet.PodExec;
import org.meshbook.cluster.nodes.kubelet.PodOutput;
import org.meshbook.cluster.nodes.pools.FlexStart;
import org.meshbook.cluster.nodes.pools.PodGc;
import org.meshbook.cluster.nodes.pools.TpuEnvironment;
import org.meshbook.cluster.nodes.process.Images;
import org.meshbook.cluster.nodes.process.ProcessRuntime;
import org.meshbook.cluster.nodes.schedule.Scheduler;
import org.meshbook.cluster.rest.ApiServer;
import org.meshbook.cluster.rest.Credentials;

/// A cluster that runs: its objects lie in a folder, its pods are processes, its API listens on
/// loopback.
///
/// Closing it ends all its pods; its objects are there again when it is opened in the same folder.
/// Threads: any.
public final class LocalCluster implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LocalCluster.class.getName());
    private static final Duration END = Duration.ofSeconds(5);

    private final EmbeddedCluster cluster;
    private final ProcessRuntime runtime;
    private final ControlLoop loop;
    private final Thread thread;
    private final ClusterMetrics metrics;
    private final PodOutput output;
    private final ApiServer api;
    private final Path kubeconfig;
    private final QueueSupply supply;

    /// What pools offer whose nodes come on request; read by the controllers' thread.
    private final Map<String, FlexStart.Offer> offers = new ConcurrentHashMap<>();

    private final Path folder;
    private Setup setup;

    private LocalCluster(Path folder, Setup setup) throws IOException {
        this.folder = folder;
        this.setup = setup;
        InstantSource clock = InstantSource.system();
        // Beside all else, as the first key and certificate take a while.
        Files.createDirectories(folder);
        var credentials = new FutureTask<>(() -> Credentials.kept(folder));
        Thread.ofPlatform().daemon().name("meshbook-cluster-key").start(credentials);
        // 1. objects, and who looks at each write
        var late = new AtomicReference<Cluster>();
        Supplier<Cluster> itself = late::get;
        var rules = setup.kueue().rules();
        var placement = new ExclusivePlacement(itself, clock);
        var hooks = new ArrayList<>(Kueue.hooks(rules, key -> itself.get().find(key)));
        hooks.addAll(List.of(new JobSetRules(), new TpuEnvironment(itself), placement));
        cluster =
                EmbeddedCluster.open(
                        Settings.defaults()
                                .withProfile(setup.profile())
                                .withFolder(folder.resolve("objects"))
                                .withHooks(hooks));
        late.set(cluster);
        // 2. nodes
        join(setup.pools());
        // No session outlives its head, so nobody waits for these any more.
        SliceJobs.sweep(cluster);
        // 3. controllers, on one thread
        var pods = folder.resolve("pods");
        runtime = new ProcessRuntime(clock, pods);
        var worker = folder.resolve("worker");
        var images =
                new Images(
                        folder.resolve("images"),
                        Map.of(
                                SliceJobs.IMAGE,
                                new Images.Mapping(List.of(worker.toString()), Map.of())));
        var kubelet = new Kubelet(cluster, clock, runtime, images, pods);
        var kueue = new Kueue(cluster, clock, rules);
        var standings = new Standings(cluster, kueue.state());
        supply = new QueueSupply(cluster, standings, worker);
        var controllers = new ArrayList<>(kueue.controllers());
        controllers.addAll(
                List.of(
                        new JobSetController(cluster, clock),
                        new JobController(cluster, clock),
                        new RayJobController(cluster, clock),
                        new RayClusterController(cluster, clock),
                        placement,
                        standings,
                        new Scheduler(cluster, clock),
                        new PodGc(cluster, clock),
                        new FlexStart(
                                cluster, clock, name -> Optional.ofNullable(offers.get(name))),
                        kubelet));
        loop = new ControlLoop(cluster, clock, controllers);
        cluster.ahead(loop::open);
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("meshbook-cluster")
                        .start(() -> cluster.ahead(this::control));
        // 4. the API, and what clients must know to reach it
        metrics = ClusterMetrics.of(cluster, clock);
        output = new PodOutput(cluster, pods);
        var exec = new PodExec(cluster, kubelet);
        api = ApiServer.start(cluster, setup.profile(), output, exec, made(credentials));
        api.page("/metrics", metrics::text);
        kubeconfig = folder.resolve("kubeconfig");
        api.writeKubeconfig(kubeconfig);
        api.writeCertificate(folder.resolve("ca.crt"));
    }

    private static Credentials made(FutureTask<Credentials> credentials) throws IOException {
        try {
            return credentials.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException unwritable) {
                throw unwritable;
            }
            throw new IOException("no key can be made", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a key was made", e);
        }
    }

    /// Opens a cluster; what an earlier one in the same folder left goes on.
    ///
    /// @param folder where everything of it lies
    /// @param setup how it is made
    /// @return it, running
    /// @throws IOException if the folder cannot be used or no port can be had
    public static LocalCluster open(Path folder, Setup setup) throws IOException {
        return new LocalCluster(folder, setup);
    }

    /// Opens a cluster with Kueue as it is shipped.
    ///
    /// @param folder where everything of it lies
    /// @param profile which Kueue
    /// @param machines the nodes that it has at least
    /// @return it, running
    /// @throws IOException if the folder cannot be used or no port can be had
    public static LocalCluster open(Path folder, Profile profile, List<Machines> machines)
            throws IOException {
        return open(folder, new Setup(profile, "", "", machines));
    }

    private void join(List<Machines> pools) throws IOException {
        for (var pool : pools) {
            pool.joins(cluster);
            pool.offer().ifPresent(offer -> offers.put(pool.name(), offer));
        }
        setup.write(folder);
    }

    /// @return how it is made
    public Setup setup() {
        return setup;
    }

    /// Adds pools while it runs; one on request takes the place of the one of its name.
    ///
    /// @param pools pools
    /// @throws IOException if they cannot be kept
    public void add(List<Machines> pools) throws IOException {
        setup = setup.withPools(pools);
        join(pools);
    }

    private void control() {
        try {
            loop.run();
        } catch (InterruptedException closed) {
            LOG.log(Level.DEBUG, "the controllers end");
        }
    }

    /// @return its objects
    public Cluster cluster() {
        return cluster;
    }

    /// @return where its API listens
    public URI address() {
        return api.address();
    }

    /// @return the file that tells clients where it is and what to show it; only its user may read
    ///   it
    public Path kubeconfig() {
        return kubeconfig;
    }

    /// @return what gives slices through its queues
    public QueueSupply supply() {
        return supply;
    }

    @Override
    public void close() {
        output.close();
        api.close();
        metrics.close();
        loop.close();
        thread.interrupt();
        try {
            thread.join(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        runtime.close();
        cluster.close();
    }
}
