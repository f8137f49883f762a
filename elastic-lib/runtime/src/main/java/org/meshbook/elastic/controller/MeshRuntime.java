package org.meshbook.elastic.controller;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.jit.Executor;
import org.meshbook.elastic.jit.Placed;
import org.meshbook.elastic.jit.Program;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.Health;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.Names;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.slices.Timeline;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostParts;
import org.meshbook.elastic.slices.hosts.HostResults;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.FaultProto;
import org.meshbook.elastic.wire.proto.Report;
import org.meshbook.elastic.wire.proto.Source;

/// The single controller: arrays on the workers of an allocation, programs run there, and what
/// becomes of both when a slice is lost.
///
/// Nothing but [PlacedArray#toHost], [#awaitReady], [#probe] and host copies waits for a device.
/// Thread-safe; work dispatched by one thread runs in the order in which it was dispatched.
public final class MeshRuntime implements Slices, Executor, AutoCloseable {
    static final Cleaner CLEANER = Cleaner.create();

    /// Sources that a runtime of this process has linked: workers listen to one of a session, and a
    /// second would end the first.
    private static final Set<MembershipSource> LINKED =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final MembershipSource source;
    private final Clock clock = Clock.system();
    private final Timeline timeline = new Timeline(clock);
    private final Progress progress = new Progress();
    private final LossBook losses;
    private final Operations operations;
    private final Fleet fleet;
    private final Failures failures;
    private final Fetches fetches;
    private final Answers answers;
    private final Probes probes;
    private final Scopes scopes;
    private final Meshes meshes;
    private final Memory memory = new Memory();
    private final Compiles compiles;
    private final Repertoire repertoire;
    private final HostCalls hostCalls = new HostCalls(this);
    private final RuntimeNames names;

    /// Links all workers of an allocation; they may still be starting to listen.
    ///
    /// @param source where membership comes from
    /// @throws UsageError if the membership has no slices, or a runtime has linked them already
    public MeshRuntime(MembershipSource source) {
        this.source = source;
        var slices = source.now().view().slices();
        UsageError.require(
                !slices.isEmpty(),
                "no slices are provisioned; ask for some first, as in %%slices 4");
        UsageError.require(
                LINKED.add(source),
                "these slices are linked already, and a second link would end the first; use what"
                        + " is there, as CurrentSlices.get() or session.runtime(), or close it"
                        + " first");
        losses = new LossBook(slices.stream().mapToInt(s -> s.id() + 1).max().orElse(0));
        operations = new Operations(progress, source.firstNumber());
        failures = new Failures(losses, progress, memory);
        answers = new Answers(operations, progress);
        compiles = new Compiles(timeline, clock);
        repertoire = new Repertoire(compiles);
        fleet = new Fleet(source, losses, operations, progress, this::reported, repertoire::teach);
        fetches = new Fetches(fleet, operations, progress, failures);
        fleet.quietWhen(
                links -> operations.quiet(links) && fetches.quiet(links) && answers.quiet(links));
        probes = new Probes(fleet, answers, progress);
        scopes = new Scopes(fleet::flush);
        meshes = new Meshes(operations);
        names = new RuntimeNames(this, source);
    }

    // ---- slices

    @Override
    public List<Device> devices() {
        return fleet.devices();
    }

    @Override
    public ClusterView view() {
        return fleet.view();
    }

    @Override
    public Subscription watch(Consumer<SliceEvent> listener) {
        return fleet.watch(listener);
    }

    @Override
    public Map<Integer, Health> probe(Set<Integer> slices, Duration timeout)
            throws InterruptedException {
        fleet.requireWriter("a probe");
        return probes.probe(slices, timeout);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public boolean awaitRuns(Duration timeout) throws InterruptedException {
        return operations.awaitRuns(timeout);
    }

    @Override
    public void letGo(Set<Integer> slices) {
        fleet.letGo(slices);
    }

    @Override
    public void reached(long step) {
        operations.reached(step);
    }

    @Override
    public Scope openScope(String name) {
        return scopes.open(name);
    }

    // ---- arrays in, about, and out

    @Override
    public Array put(Array array, Sharding target) {
        return switch (array) {
            case HostArray host -> place(host, target);
            case PlacedArray placed -> reshard(placed, target);
            default -> throw notPlaced(array);
        };
    }

    @Override
    public Placed place(HostArray value, Sharding sharding) {
        fleet.requireWriter("putting an array");
        fleet.requireOurs(sharding.mesh());
        var map = ShardMap.of(value.type(), sharding);
        var state = newState(value.type(), sharding);
        new Upload(value, map, state, fleet, losses).start(operations, timeline, clock);
        return born(state);
    }

    @Override
    public Placed reshard(Placed array, Sharding target) {
        var source = ours(array);
        source.state().requireUsable();
        fleet.requireWriter("putting an array");
        if (source.sharding().equals(target) && !source.state().poisoned()) {
            return source;
        }
        var plan = new MovePlan(array.type().dtype(), this::workerOf);
        ShardMap.of(array.type(), source.sharding())
                .regions()
                .forEach(
                        (region, devices) ->
                                devices.forEach(
                                        device ->
                                                plan.holds(
                                                        region, holder(device, source.state()))));
        if (source.state().poisoned()) {
            return poisoned(source.state(), target);
        }
        try {
            var moved = move(array.type(), target, plan, source.state().stamp());
            moved.state().named(source.state().name());
            return moved;
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    private static MovePlan.Holder holder(Device device, ArrayState state) {
        var source = Source.newBuilder().setDevice(device.id()).setArray(state.id()).build();
        return new MovePlan.Holder(device.id(), source, true);
    }

    /// Moves what a plan's holders have; poisons the result if a source is lost by then.
    PlacedArray move(ArrayType type, Sharding target, MovePlan plan, LossBook.Stamp sources) {
        fleet.requireWriter("loading an array");
        fleet.requireOurs(target.mesh());
        var moves = plan.plan(ShardMap.of(type, target));
        var state = newState(type, target);
        var start = clock.elapsed();
        var operation =
                operations.dispatch(
                        false,
                        List.of(state),
                        () -> {
                            losses.loss(sources)
                                    .ifPresent(l -> state.poison(Fault.lost(l.slice(), l.cause())));
                            return state.poisoned() ? List.of() : fleet.linksOf(moves.keySet());
                        },
                        op ->
                                moves.forEach(
                                        (worker, move) ->
                                                fleet.link(worker)
                                                        .ifPresent(
                                                                link ->
                                                                        link.send(
                                                                                Command.newBuilder()
                                                                                        .setMove(
                                                                                                move.setOp(
                                                                                                                op)
                                                                                                        .setTarget(
                                                                                                                state
                                                                                                                        .id()))))));
        operation.whenDone(() -> timeline.add("reshard", start, clock.elapsed(), plan.bytes()));
        return born(state);
    }

    @Override
    public Array alias(ArrayType type, Sharding target, List<Array> sources) {
        fleet.requireWriter("naming shards anew");
        fleet.requireOurs(target.mesh());
        var placed = sources.stream().map(this::ours).toList();
        placed.forEach(array -> array.state().requireUsable());
        var aliases = new Aliases(type, target, placed.stream().map(PlacedArray::state).toList());
        var state = newState(type, target);
        operations.dispatch(
                false,
                List.of(state),
                () -> {
                    aliases.loss(losses)
                            .ifPresent(l -> state.poison(Fault.lost(l.slice(), l.cause())));
                    return state.poisoned() ? List.of() : fleet.links(target.mesh());
                },
                op -> aliases.send(op, state.id(), fleet, this::workerOf));
        Reference.reachabilityFence(placed);
        return born(state);
    }

    @Override
    public void free(List<Array> arrays, String why) {
        arrays.forEach(array -> ours(array).state().free(why));
    }

    HostArray fetch(PlacedArray array) {
        try {
            return fetches.fetch(array);
        } finally {
            Reference.reachabilityFence(array);
        }
    }

    @Override
    public Sharding shardingOf(Array array) {
        return ours(array).sharding();
    }

    @Override
    public boolean awaitReady(List<Array> arrays, Duration timeout) throws InterruptedException {
        var states = arrays.stream().map(array -> ours(array).state()).toList();
        states.forEach(ArrayState::requireUsable);
        boolean settled =
                progress.await(timeout, () -> states.stream().allMatch(ArrayState::settled));
        for (var state : states) {
            var fault = state.fault();
            if (fault.isPresent()) {
                throw failures.of(state, fault.get());
            }
        }
        return settled;
    }

    @Override
    public HostCopy copyToHosts(List<Array> arrays) {
        fleet.requireWriter("a copy to host memory");
        var placed = arrays.stream().map(this::ours).toList();
        placed.forEach(array -> array.state().requireUsable());
        try {
            return WorkerHostCopy.start(this, placed);
        } finally {
            Reference.reachabilityFence(placed);
        }
    }

    @Override
    public HostResults onHosts(HostCall call) {
        fleet.requireWriter("a call on hosts");
        return hostCalls.call(call);
    }

    @Override
    public List<Array> assemble(HostParts parts, List<Sharding> targets)
            throws InterruptedException {
        fleet.requireWriter("loading arrays");
        return hostCalls.assemble(parts, targets);
    }

    @Override
    public Names names() {
        fleet.requireOpen();
        return names;
    }

    /// Takes over what an earlier client of the session published, and frees what else it left.
    ///
    /// @return how many names there are
    public int adopt() {
        return names.adopt();
    }

    /// @return arrays of this program on these slices, those that wait for a collection included;
    ///   no round trip
    public int arrays() {
        return memory.arrays();
    }

    /// @return bytes that they take on all devices
    public long arrayBytes() {
        return memory.bytes();
    }

    // ---- programs

    @Override
    public List<Placed> run(Program program, List<Placed> inputs) {
        fleet.requireWriter("running a program");
        var arrays = check(program, inputs);
        operations.awaitRoom();
        // 1. outputs are there at once; poison is handed on
        var outputs = outputs(program);
        for (var input : arrays) {
            outputs.forEach(output -> output.state().poisonLike(input.state()));
        }
        // 2. one command a worker
        var states = outputs.stream().map(PlacedArray::state).toList();
        var run =
                new RunDispatch(
                        program,
                        arrays.stream().map(PlacedArray::state).toList(),
                        states,
                        meshes.of(program.mesh()),
                        repertoire);
        operations.dispatch(
                true,
                states,
                () ->
                        states.stream().anyMatch(ArrayState::poisoned)
                                ? List.of()
                                : run.links(fleet.links(program.mesh())),
                run::send);
        // What is unreachable before its run has a number would be freed before it.
        Reference.reachabilityFence(arrays);
        return List.copyOf(outputs);
    }

    private List<PlacedArray> check(Program program, List<Placed> inputs) {
        if (inputs.size() != program.inputs().size()) {
            throw new MeshMismatch(
                    "program '%s' takes %d arrays, %d are given",
                    program.graph().name(), program.inputs().size(), inputs.size());
        }
        var arrays = new ArrayList<PlacedArray>();
        for (int i = 0; i < inputs.size(); i++) {
            var array = ours(inputs.get(i));
            array.state().requireUsable();
            if (!array.sharding().equals(program.inputs().get(i))) {
                throw new MeshMismatch(
                        "argument %d of program '%s' lies as %s, it needs %s; put it there first",
                        i, program.graph().name(), array.sharding(), program.inputs().get(i));
            }
            arrays.add(array);
        }
        if (arrays.isEmpty()) {
            fleet.requireOurs(program.mesh());
        }
        return arrays;
    }

    private List<PlacedArray> outputs(Program program) {
        var outputs = new ArrayList<PlacedArray>();
        for (int i = 0; i < program.outputs().size(); i++) {
            var sharding = program.outputs().get(i);
            var shard = program.graph().type(program.graph().results().get(i));
            var dims = new ArrayList<Integer>();
            for (int dim = 0; dim < shard.shape().rank(); dim++) {
                dims.add(shard.shape().dim(dim) * sharding.pieces(dim));
            }
            var state = newState(new ArrayType(shard.dtype(), new Shape(dims)), sharding);
            if (!program.names().isEmpty()) {
                state.named(program.names().get(i));
            }
            outputs.add(born(state));
        }
        return outputs;
    }

    // ---- what all of it needs

    /// An array that the workers hold already.
    PlacedArray adopted(ArrayState state) {
        var array = new PlacedArray(this, state);
        if (!fleet.observing()) {
            memory.taken(state);
            CLEANER.register(array, state);
        }
        return array;
    }

    ArrayState adoptedState(long id, ArrayType type, Sharding sharding) {
        return new ArrayState(id, type, sharding, losses, this::freed);
    }

    /// Takes an array out of every scope: it has a name and outlives its attempt.
    void keep(ArrayState state) {
        scopes.freed(state);
    }

    PlacedArray ours(Array array) {
        if (!(array instanceof PlacedArray placed)) {
            throw notPlaced(array);
        }
        UsageError.require(
                placed.runtime() == this,
                "%s lies on slices that were released; make it again on those there are now",
                placed.type());
        return placed;
    }

    private static UsageError notPlaced(Array array) {
        return new UsageError(
                "%s lies on no device; put it on a mesh first, as in put(x, mesh.replicated())",
                array.type());
    }

    private ArrayState newState(ArrayType type, Sharding sharding) {
        var state = new ArrayState(operations.newId(), type, sharding, losses, this::freed);
        state.owned(scopes.owner());
        return state;
    }

    private PlacedArray born(ArrayState state) {
        var array = new PlacedArray(this, state);
        scopes.born(state);
        memory.taken(state);
        CLEANER.register(array, state);
        return array;
    }

    /// An array that an operation is going to make.
    PlacedArray make(ArrayType type, Sharding sharding) {
        fleet.requireOurs(sharding.mesh());
        return born(newState(type, sharding));
    }

    private PlacedArray poisoned(ArrayState source, Sharding sharding) {
        var state = newState(source.type(), sharding);
        state.named(source.name());
        state.poisonLike(source);
        return born(state);
    }

    private void freed(ArrayState state) {
        scopes.freed(state);
        memory.freed(state);
        fleet.tell(workersOf(state.sharding().mesh()), link -> link.free(state.id()));
    }

    /// On a link's thread.
    private void reported(WorkerLink link, Report report) {
        switch (report.getKindCase()) {
            case DONE -> {
                var done = report.getDone();
                operations.finished(
                        link,
                        done.getOp(),
                        done.hasFault() ? Optional.of(decode(done.getFault())) : Optional.empty());
            }
            case COMPILED -> compiles.finished(report.getCompiled());
            case CHUNK -> fetches.arrived(report.getChunk());
            case PROGRESS -> answers.progressed(report.getProgress());
            case ANSWER -> answers.arrived(report.getAnswer());
            case KIND_NOT_SET -> {
                // A newer worker may say what this client does not know.
            }
        }
    }

    static Fault decode(FaultProto fault) {
        return new Fault(
                Fault.Kind.valueOf(fault.getKind()),
                Set.copyOf(fault.getSlicesList()),
                fault.getMessage());
    }

    private Set<Integer> workersOf(Mesh mesh) {
        var workers = new TreeSet<Integer>();
        mesh.devices().forEach(device -> workers.add(workerOf(device.id())));
        return workers;
    }

    int workerOf(int device) {
        return fleet.workerOf(device);
    }

    Fleet fleet() {
        return fleet;
    }

    LossBook losses() {
        return losses;
    }

    Operations operations() {
        return operations;
    }

    Progress progress() {
        return progress;
    }

    Failures failures() {
        return failures;
    }

    Answers answers() {
        return answers;
    }

    /// Ends all links; arrays of this runtime cannot be used any more. The workers go on.
    @Override
    public void close() {
        fleet.close();
        LINKED.remove(source);
    }
}
