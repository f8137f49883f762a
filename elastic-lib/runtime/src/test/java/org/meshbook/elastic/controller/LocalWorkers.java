package org.meshbook.elastic.controller;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.HostView;
import org.meshbook.elastic.slices.LossKind;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.SliceState;
import org.meshbook.elastic.slices.SliceView;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.worker.WorkerConfig;
import org.meshbook.elastic.worker.WorkerServer;

/// Real workers in this process, and a head that says only what a test makes it say.
final class LocalWorkers implements MembershipSource, AutoCloseable {
    static final String OBSERVER_TOKEN = "a token of observers";
    private static final String TOKEN = "a token of tests";

    private final int hosts;
    private final int devices;
    private final String engine;
    private final Map<Integer, List<WorkerServer>> running = new TreeMap<>();
    private final Map<Integer, SliceView> views = new TreeMap<>();
    private final List<BiConsumer<Membership, Optional<SliceEvent>>> listeners =
            new CopyOnWriteArrayList<>();
    private long generation;

    private LocalWorkers(int slices, int hosts, int devices, String engine) {
        this.hosts = hosts;
        this.devices = devices;
        this.engine = engine;
        for (int slice = 0; slice < slices; slice++) {
            start(slice, 1);
        }
    }

    static LocalWorkers of(int slices, int devices) {
        return new LocalWorkers(slices, 1, devices, "reference");
    }

    static LocalWorkers of(int slices, int hosts, int devices, String engine) {
        return new LocalWorkers(slices, hosts, devices, engine);
    }

    private void start(int slice, int sliceGeneration) {
        var servers = new ArrayList<WorkerServer>();
        for (int host = 0; host < hosts; host++) {
            servers.add(
                    WorkerServer.start(
                            new WorkerConfig(
                                    "test",
                                    slice,
                                    sliceGeneration,
                                    host,
                                    devices,
                                    (slice * hosts + host) * devices,
                                    engine,
                                    1,
                                    TOKEN,
                                    OBSERVER_TOKEN)));
        }
        running.put(slice, servers);
        views.put(slice, view(slice, sliceGeneration, SliceState.HEALTHY, ""));
    }

    private SliceView view(int slice, int sliceGeneration, SliceState state, String cause) {
        var all = new ArrayList<HostView>();
        for (int host = 0; host < hosts; host++) {
            all.add(new HostView(1, devices, 0));
        }
        return new SliceView(slice, sliceGeneration, state, all, Instant.now(), cause);
    }

    private List<WorkerServer> servers(int slice) {
        return running.getOrDefault(slice, List.of());
    }

    private int generation(int slice) {
        var view = views.get(slice);
        return view == null ? 0 : view.generation();
    }

    /// Ends a slice's workers; the head says nothing.
    void kill(int slice) {
        servers(slice).forEach(WorkerServer::close);
        running.remove(slice);
    }

    void killHost(int slice, int host) {
        servers(slice).get(host).close();
    }

    /// The head says that a slice is lost.
    void tellLost(int slice, LossKind kind, String cause) {
        int old = generation(slice);
        views.put(slice, view(slice, old, SliceState.LOST, cause));
        generation++;
        tell(new SliceEvent.Lost(Instant.now(), slice, old, kind, cause));
    }

    /// The head says again, too late, that processes are lost which others have replaced.
    void tellStaleLoss(int slice) {
        int old = generation(slice) - 1;
        tell(new SliceEvent.Lost(Instant.now(), slice, old, LossKind.PROCESS_GONE, "long ago"));
    }

    void lose(int slice) {
        kill(slice);
        tellLost(slice, LossKind.PROCESS_GONE, "process 4711 ended by signal 9");
    }

    /// A new generation of a slice comes up.
    void revive(int slice) {
        start(slice, generation(slice) + 1);
        generation++;
        tell(new SliceEvent.Joined(Instant.now(), slice, generation(slice)));
    }

    private void tell(SliceEvent event) {
        var now = now();
        listeners.forEach(listener -> listener.accept(now, Optional.of(event)));
    }

    @Override
    public Membership now() {
        var addresses = new ArrayList<WorkerAddress>();
        views.forEach(
                (slice, view) -> {
                    if (view.state() == SliceState.HEALTHY) {
                        var servers = servers(slice);
                        for (int host = 0; host < servers.size(); host++) {
                            addresses.add(
                                    new WorkerAddress(
                                            slice,
                                            view.generation(),
                                            host,
                                            devices,
                                            "127.0.0.1",
                                            servers.get(host).dispatchPort(),
                                            servers.get(host).bulkPort()));
                        }
                    }
                });
        return new Membership(new ClusterView(generation, List.copyOf(views.values())), addresses);
    }

    @Override
    public Slices.Subscription watch(BiConsumer<Membership, Optional<SliceEvent>> listener) {
        listeners.add(listener);
        listener.accept(now(), Optional.empty());
        return () -> listeners.remove(listener);
    }

    @Override
    public void letGo(Set<Integer> slices) {
        slices.forEach(
                slice -> {
                    kill(slice);
                    tellLost(slice, LossKind.ANNOUNCED, "process 4711 was asked to end");
                });
    }

    @Override
    public String token() {
        return TOKEN;
    }

    static Mesh mesh(MeshRuntime runtime, List<Integer> slices, String outer, String inner) {
        var devices = runtime.devices().stream().filter(d -> slices.contains(d.slice())).toList();
        return Mesh.of(
                devices,
                Axis.axis(outer, slices.size()),
                Axis.axis(inner, devices.size() / slices.size()));
    }

    @Override
    public void close() {
        running.values().forEach(servers -> servers.forEach(WorkerServer::close));
    }
}
