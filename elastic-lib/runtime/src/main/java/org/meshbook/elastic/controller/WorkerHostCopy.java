package org.meshbook.elastic.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.CopyToHost;
import org.meshbook.elastic.wire.proto.HostCopyProto;
import org.meshbook.elastic.wire.proto.HostRead;
import org.meshbook.elastic.wire.proto.HostRelease;
import org.meshbook.elastic.wire.proto.HostShard;
import org.meshbook.elastic.wire.proto.Source;

/// Host copies on workers, as the client knows them: which worker has which parts.
final class WorkerHostCopy implements HostCopy {
    /// A restore has so much on the way at most, or one array that is larger.
    private static final long WINDOW_BYTES = 64 << 20;

    private final MeshRuntime runtime;
    private final long id;
    private final List<ArrayType> types;
    private final List<String> names;
    private final List<Sharding> shardings;

    /// Incarnations of all slices that the arrays lie on, at the copy's start.
    private final LossBook.Stamp stamp;

    /// By the worker's first device.
    private final Map<Integer, List<Part>> parts = new TreeMap<>();

    /// Empty for a copy that an earlier client made.
    private final Optional<Operations.Pending> copying;

    private final Release release;
    private final long bytes;

    /// One shard in a worker's host memory.
    ///
    /// @param leaf which array
    /// @param region which part of it
    /// @param number within the copy on that worker
    /// @param device one that held it
    private record Part(int leaf, Region region, int number, int device) {}

    /// Frees the workers' memory, once; knows nothing of the copy, so that it can be run when the
    /// copy is unreachable.
    private record Release(Fleet fleet, long copy, List<Integer> workers, AtomicBoolean done)
            implements Runnable {
        @Override
        public void run() {
            if (done.compareAndSet(false, true)) {
                fleet.tell(
                        workers,
                        link ->
                                link.send(
                                        Command.newBuilder()
                                                .setRelease(
                                                        HostRelease.newBuilder().setCopy(copy))));
            }
        }
    }

    private WorkerHostCopy(MeshRuntime runtime, List<PlacedArray> arrays) {
        this(
                runtime,
                runtime.operations().newId(),
                arrays.stream().map(PlacedArray::type).toList(),
                arrays.stream().map(PlacedArray::sharding).toList(),
                Optional.of(arrays));
    }

    private WorkerHostCopy(
            MeshRuntime runtime,
            long id,
            List<ArrayType> types,
            List<Sharding> shardings,
            Optional<List<PlacedArray>> arrays) {
        this.runtime = runtime;
        this.id = id;
        this.types = types;
        this.shardings = shardings;
        this.names =
                arrays.map(all -> all.stream().map(array -> array.state().name()).toList())
                        .orElseGet(() -> types.stream().map(_ -> "").toList());
        var slices = new TreeSet<Integer>();
        shardings.forEach(sharding -> slices.addAll(sharding.mesh().slices()));
        this.stamp = runtime.losses().stamp(slices);
        long sum = 0;
        for (int leaf = 0; leaf < types.size(); leaf++) {
            sum += place(leaf, ShardMap.of(types.get(leaf), shardings.get(leaf)));
        }
        this.bytes = sum;
        this.release =
                new Release(runtime.fleet(), id, List.copyOf(parts.keySet()), new AtomicBoolean());
        this.copying = arrays.map(this::start);
    }

    static WorkerHostCopy start(MeshRuntime runtime, List<PlacedArray> arrays) {
        var copy = new WorkerHostCopy(runtime, arrays);
        MeshRuntime.CLEANER.register(copy, copy.release);
        return copy;
    }

    /// A copy that an earlier client made and published: it is complete, or whoever reads it sees
    /// what is missing.
    static WorkerHostCopy adopted(
            MeshRuntime runtime, long id, List<ArrayType> types, List<Sharding> shardings) {
        var copy = new WorkerHostCopy(runtime, id, types, shardings, Optional.empty());
        if (!runtime.fleet().observing()) {
            MeshRuntime.CLEANER.register(copy, copy.release);
        }
        return copy;
    }

    static WorkerHostCopy ours(HostCopy copy) {
        if (copy instanceof WorkerHostCopy ours) {
            return ours;
        }
        throw new UsageError("%s is not one of these slices", copy);
    }

    long id() {
        return id;
    }

    HostCopyProto encoded() {
        var proto = HostCopyProto.newBuilder().setId(id);
        types.forEach(type -> proto.addTypes(ArrayCodec.toProto(type)));
        shardings.forEach(sharding -> proto.addShardings(NamesCodec.sharding(sharding)));
        return proto.build();
    }

    private long place(int leaf, ShardMap map) {
        long sum = 0;
        for (var entry : map.regions().entrySet()) {
            var workers = new TreeSet<Integer>();
            for (var device : entry.getValue()) {
                int worker = runtime.workerOf(device.id());
                if (workers.add(worker)) {
                    var here = parts.computeIfAbsent(worker, _ -> new ArrayList<>());
                    here.add(new Part(leaf, entry.getKey(), here.size(), device.id()));
                    sum += map.shardType().bytes();
                }
            }
        }
        return sum;
    }

    private Operations.Pending start(List<PlacedArray> arrays) {
        return runtime.operations()
                .dispatch(
                        false,
                        List.of(),
                        () -> runtime.losses().lost(stamp) ? List.of() : links(),
                        op ->
                                parts.forEach(
                                        (worker, here) ->
                                                runtime.fleet()
                                                        .link(worker)
                                                        .ifPresent(
                                                                link ->
                                                                        link.send(
                                                                                copy(
                                                                                        op, here,
                                                                                        arrays)))));
    }

    private List<WorkerLink> links() {
        return runtime.fleet().linksOf(parts.keySet());
    }

    private Command.Builder copy(long op, List<Part> here, List<PlacedArray> arrays) {
        var copy = CopyToHost.newBuilder().setOp(op).setCopy(id);
        for (var part : here) {
            copy.addShards(
                    HostShard.newBuilder()
                            .setDevice(part.device())
                            .setArray(arrays.get(part.leaf()).state().id())
                            .setShard(part.number()));
        }
        return Command.newBuilder().setCopy(copy);
    }

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
        if (copying.isEmpty()) {
            return true;
        }
        return await(copying.get(), timeout);
    }

    private boolean await(Operations.Pending copying, Duration timeout)
            throws InterruptedException {
        boolean over =
                runtime.progress()
                        .await(timeout, () -> copying.done() || runtime.losses().lost(stamp));
        if (!over) {
            return false;
        }
        var fault = copying.fault();
        if (fault.isPresent()) {
            throw failure(fault.get());
        }
        if (!copying.done() || !copying.sent()) {
            throw failure(
                    runtime.losses()
                            .loss(stamp)
                            .map(loss -> Fault.lost(loss.slice(), loss.cause()))
                            .orElseThrow());
        }
        return true;
    }

    private RuntimeException failure(Fault fault) {
        return runtime.failures().of("host copy of " + types.size() + " arrays", stamp, fault);
    }

    @Override
    public Set<Integer> pending() {
        var slices = new TreeSet<Integer>();
        copying.ifPresent(all -> all.waiting().forEach(link -> slices.add(link.address().slice())));
        return slices;
    }

    @Override
    public List<ArrayType> types() {
        return types;
    }

    @Override
    public List<Sharding> shardings() {
        return shardings;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public Set<Integer> readable(Set<Integer> slices) throws InterruptedException {
        requireKept();
        runtime.operations().awaitOpen();
        // 1. ask every worker of every slice that still is the one that made the copy
        var asked = new TreeMap<Integer, List<Answers.Question>>();
        for (int slice : slices) {
            var questions = new ArrayList<Answers.Question>();
            var links = runtime.fleet().links(slice);
            if (alive(slice) && !links.isEmpty()) {
                for (var link : links) {
                    if (parts.containsKey(link.firstDevice())) {
                        questions.add(runtime.answers().ask(link, this::read));
                    }
                }
            }
            if (!questions.isEmpty()) {
                asked.put(slice, questions);
            }
        }
        // 2. all must have read all
        try {
            runtime.progress()
                    .await(
                            Progress.FOREVER,
                            () ->
                                    asked.values().stream()
                                            .flatMap(List::stream)
                                            .allMatch(Answers.Question::over));
            var readable = new TreeSet<Integer>();
            asked.forEach(
                    (slice, questions) -> {
                        if (questions.stream().allMatch(WorkerHostCopy::readAll)) {
                            readable.add(slice);
                        }
                    });
            return readable;
        } finally {
            asked.values().forEach(questions -> questions.forEach(Answers.Question::close));
        }
    }

    private Command.Builder read(long number) {
        return Command.newBuilder().setRead(HostRead.newBuilder().setRequest(number).setCopy(id));
    }

    private static boolean readAll(Answers.Question question) {
        return question.answer().filter(answer -> !answer.hasFault()).isPresent();
    }

    private boolean alive(int slice) {
        return runtime.losses().loss(stamp, slice).isEmpty();
    }

    @Override
    public List<Array> load(Set<Integer> survivors, List<Sharding> targets)
            throws InterruptedException {
        requireKept();
        UsageError.require(
                targets.size() == types.size(),
                "%d arrays were copied, %d targets are given",
                types.size(),
                targets.size());
        var start = runtime.clock().elapsed();
        // 1. survivors that died since then end it before anything is sent
        requireAlive(survivors);
        // 2. every array moves from host memory to its target, not too many at a time
        var loaded = new ArrayList<Array>();
        int arrived = 0;
        long underWay = 0;
        for (int leaf = 0; leaf < types.size(); leaf++) {
            underWay += types.get(leaf).bytes();
            while (arrived < leaf && underWay > WINDOW_BYTES) {
                runtime.awaitReady(List.of(loaded.get(arrived)), Progress.FOREVER);
                underWay -= types.get(arrived++).bytes();
            }
            loaded.add(move(leaf, survivors, targets.get(leaf)));
        }
        // 3. all must arrive
        runtime.awaitReady(loaded, Progress.FOREVER);
        long moved = types.stream().mapToLong(ArrayType::bytes).sum();
        runtime.timeline().add("load", start, runtime.clock().elapsed(), moved);
        return loaded;
    }

    @Override
    public Array load(int index, Set<Integer> survivors, Sharding target)
            throws InterruptedException {
        requireKept();
        requireAlive(survivors);
        var loaded = move(index, survivors, target);
        runtime.awaitReady(List.of(loaded), Progress.FOREVER);
        return loaded;
    }

    private void requireAlive(Set<Integer> survivors) {
        for (int slice : survivors) {
            Optional<Loss> loss = runtime.losses().loss(stamp, slice);
            if (loss.isPresent()) {
                throw failure(Fault.lost(slice, loss.get().cause()));
            }
        }
    }

    private Array move(int leaf, Set<Integer> survivors, Sharding target) {
        var type = types.get(leaf);
        var plan = new MovePlan(type.dtype(), runtime::workerOf);
        parts.forEach(
                (worker, here) -> {
                    int slice = runtime.devices().get(worker).slice();
                    if (survivors.contains(slice)) {
                        here.stream()
                                .filter(part -> part.leaf() == leaf)
                                .forEach(part -> plan.holds(part.region(), holder(part)));
                    }
                });
        var loaded = runtime.move(type, target, plan, survivorStamp(survivors));
        loaded.state().named(names.get(leaf));
        return loaded;
    }

    private MovePlan.Holder holder(Part part) {
        return new MovePlan.Holder(
                part.device(),
                Source.newBuilder()
                        .setDevice(part.device())
                        .setHostCopy(id)
                        .setHostShard(part.number())
                        .build(),
                false);
    }

    private LossBook.Stamp survivorStamp(Set<Integer> survivors) {
        var slices = new ArrayList<Integer>();
        for (int slice : stamp.slices()) {
            if (survivors.contains(slice)) {
                slices.add(slice);
            }
        }
        return stamp.only(slices);
    }

    private void requireKept() {
        if (release.done().get()) {
            throw new UsageError("this host copy was released; make a new one");
        }
    }

    @Override
    public void release() {
        release.run();
    }

    @Override
    public String toString() {
        return "host copy of %d arrays, %d bytes, slices %s"
                .formatted(types.size(), bytes, sliceNames());
    }

    private Set<Integer> sliceNames() {
        var slices = new TreeSet<Integer>();
        shardings.forEach(s -> slices.addAll(s.mesh().slices()));
        return slices;
    }
}
