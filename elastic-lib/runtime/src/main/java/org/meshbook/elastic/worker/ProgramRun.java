package org.meshbook.elastic.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.engine.Segments;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.store.DeviceStore;
import org.meshbook.elastic.store.RunMemory;
import org.meshbook.elastic.store.Shard;
import org.meshbook.elastic.transport.Collectives;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;
import org.meshbook.elastic.wire.proto.Run;

/// One run of a program on one device, on the device's thread.
final class ProgramRun {
    private final Run run;
    private final int device;
    private final Layout layout;
    private final DeviceStore store;
    private final Collectives collectives;

    /// Counts exchanges, equally on every device, so that messages find each other.
    private int exchange;

    ProgramRun(Run run, int device, Layout layout, DeviceStore store, Collectives collectives) {
        this.run = run;
        this.device = device;
        this.layout = layout;
        this.store = store;
        this.collectives = collectives;
    }

    /// Leaves values, or poison, in the store.
    ///
    /// @return why the outputs are poisoned, if they are
    Optional<Fault> execute(Programs programs) throws InterruptedException {
        LoadedProgram program;
        try {
            program = programs.await(run.getFingerprint());
        } catch (FaultException e) {
            poison(e.fault());
            return Optional.of(e.fault());
        }
        try {
            compute(program);
            return Optional.empty();
        } catch (FaultException e) {
            return Optional.of(fail(program, e.fault()));
        } catch (RuntimeException | OutOfMemoryError e) {
            var what = "run of '" + program.graph().name() + "' on device " + device;
            return Optional.of(fail(program, Fault.of(e, what)));
        }
    }

    private void compute(LoadedProgram program) throws FaultException, InterruptedException {
        // 1. inputs
        program.requireRunnable();
        var segments = program.segments();
        var values = new @Nullable HostArray[segments.values()];
        var memory = new RunMemory(store);
        int parameters = run.getInputsCount();
        for (int i = 0; i < parameters; i++) {
            values[i] = memory.input(run.getInputs(i));
        }
        for (int i = 0; i < segments.places().size(); i++) {
            values[parameters + i] = place(segments.places().get(i));
        }
        // 2. steps
        int compiled = 0;
        for (var step : segments.steps()) {
            switch (step) {
                case Segments.Step.Compute compute -> {
                    var results =
                            program.executables()
                                    .get(compiled++)
                                    .run(pick(values, compute.inputs()), memory::allocate);
                    store(values, compute.outputs(), results);
                }
                case Segments.Step.Communicate communicate -> {
                    for (var node : communicate.nodes()) {
                        pick(values, node.inputs()).forEach(memory::share);
                    }
                    communicate(communicate, values);
                }
            }
            step.released().forEach(value -> values[value] = null);
        }
        // 3. outputs
        memory.put(run.getOutputsList(), pick(values, segments.results()));
    }

    /// Tells the others not to wait for this device, and poisons the outputs.
    private Fault fail(LoadedProgram program, Fault fault) throws InterruptedException {
        int begun = exchange;
        exchange = 0;
        for (var step : program.segments().steps()) {
            if (step instanceof Segments.Step.Communicate communicate) {
                for (var axes : exchanges(communicate.nodes())) {
                    // A collective that failed half-way has told its group already.
                    if (exchange >= begun) {
                        collectives.abandon(group(axes), fault);
                    } else {
                        exchange++;
                    }
                }
            }
        }
        poison(fault);
        return fault;
    }

    private void poison(Fault fault) {
        run.getOutputsList().forEach(output -> store.put(output, new Shard.Poisoned(fault)));
    }

    private void communicate(Segments.Step.Communicate step, @Nullable HostArray[] values)
            throws FaultException, InterruptedException {
        // 1. reductions over the same axes share an exchange
        for (var entry : reductions(step.nodes()).entrySet()) {
            var kinds = new ArrayList<Op.ReduceKind>();
            var operands = new ArrayList<HostArray>();
            for (int i : entry.getValue()) {
                kinds.add(((Op.AllReduce) step.nodes().get(i).op()).kind());
                operands.add(input(values, step.nodes().get(i)));
            }
            var results = collectives.allReduce(group(entry.getKey()), kinds, operands);
            for (int i = 0; i < results.size(); i++) {
                values[step.outputs().get(entry.getValue().get(i))] = results.get(i);
            }
        }
        // 2. the others, one by one
        for (int i = 0; i < step.nodes().size(); i++) {
            var node = step.nodes().get(i);
            if (!(node.op() instanceof Op.AllReduce)) {
                values[step.outputs().get(i)] = single(node, values);
            }
        }
    }

    private HostArray single(Node node, @Nullable HostArray[] values)
            throws FaultException, InterruptedException {
        return switch (node.op()) {
            case Op.AllGather(var axes, int dim, _) ->
                    collectives.allGather(
                            group(axes),
                            input(values, node),
                            dim,
                            layout.members(device, axes).pieces());
            case Op.ReduceScatter(var axes, int dim, _) ->
                    collectives.reduceScatter(
                            group(axes),
                            Op.ReduceKind.SUM,
                            input(values, node),
                            dim,
                            layout.members(device, axes).pieces());
            case Op.AllToAll(var axis, int split, int concat, _) ->
                    collectives.allToAll(group(List.of(axis)), input(values, node), split, concat);
            case Op.CollectivePermute(var axis, var sources, var targets) ->
                    collectives.permute(
                            group(List.of(axis)), input(values, node), sources, targets);
            default ->
                    throw new FaultException(
                            Fault.failed(
                                    "operation '%s' is no collective of this worker"
                                            .formatted(node.op().getClass().getSimpleName())));
        };
    }

    /// This device's piece of a dimension that is cut over axes, as a scalar.
    private HostArray place(List<String> axes) {
        var piece = HostArray.zeros(ArrayType.of(DType.I32));
        piece.bytes().putInt(layout.members(device, axes).piece());
        return piece;
    }

    /// Axes of every exchange of a step, in the order of [#communicate].
    private static List<List<String>> exchanges(List<Node> nodes) {
        var all = new ArrayList<>(reductions(nodes).keySet());
        for (var node : nodes) {
            switch (node.op()) {
                case Op.AllGather(var axes, _, _) -> all.add(axes);
                case Op.ReduceScatter(var axes, _, _) -> all.add(axes);
                case Op.AllToAll(var axis, _, _, _) -> all.add(List.of(axis));
                case Op.CollectivePermute(var axis, _, _) -> all.add(List.of(axis));
                default -> {
                    // Reductions are in already; the others need no exchange.
                }
            }
        }
        return all;
    }

    private static Map<List<String>, List<Integer>> reductions(List<Node> nodes) {
        var byAxes = new LinkedHashMap<List<String>, List<Integer>>();
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).op() instanceof Op.AllReduce(_, var axes)) {
                byAxes.computeIfAbsent(axes, _ -> new ArrayList<>()).add(i);
            }
        }
        return byAxes;
    }

    private Collectives.Group group(List<String> axes) {
        var members = layout.members(device, axes);
        return new Collectives.Group(run.getOp(), exchange++, members.devices(), members.rank());
    }

    private static HostArray input(@Nullable HostArray[] values, Node node) {
        return pick(values, node.inputs()).getFirst();
    }

    private static List<HostArray> pick(@Nullable HostArray[] values, List<Integer> numbers) {
        var picked = new ArrayList<HostArray>(numbers.size());
        for (int number : numbers) {
            var value = values[number];
            if (value == null) {
                throw new IllegalStateException("value " + number + " is used before it is made");
            }
            picked.add(value);
        }
        return picked;
    }

    private static void store(
            @Nullable HostArray[] values, List<Integer> numbers, List<HostArray> results) {
        var next = results.iterator();
        for (int number : numbers) {
            values[number] = next.next();
        }
    }
}
