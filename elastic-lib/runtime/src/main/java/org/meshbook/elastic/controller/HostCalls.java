package org.meshbook.elastic.controller;

import com.google.protobuf.ByteString;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.slices.hosts.HostCall;
import org.meshbook.elastic.slices.hosts.HostParts;
import org.meshbook.elastic.slices.hosts.HostResults;
import org.meshbook.elastic.slices.hosts.Shipment;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.wire.proto.Box;
import org.meshbook.elastic.wire.proto.CallOutput;
import org.meshbook.elastic.wire.proto.CallShard;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.HostCallProto;
import org.meshbook.elastic.wire.proto.HostRelease;
import org.meshbook.elastic.wire.proto.ShippedClass;
import org.meshbook.elastic.wire.proto.Source;

/// Sends host functions to workers, with the shards that lie there.
final class HostCalls {
    private final MeshRuntime runtime;

    HostCalls(MeshRuntime runtime) {
        this.runtime = runtime;
    }

    HostResults call(HostCall call) {
        var inputs = call.arrays().stream().map(runtime::ours).toList();
        inputs.forEach(input -> input.state().requireUsable());
        var made = new ArrayList<PlacedArray>();
        for (var output : call.outputs()) {
            made.add(runtime.make(output.type(), output.sharding()));
        }
        // 1. what each worker gets
        var messages = messages(call);
        for (int i = 0; i < inputs.size(); i++) {
            addInput(messages, i, inputs.get(i).state());
        }
        for (int i = 0; i < made.size(); i++) {
            addOutput(messages, i, made.get(i).state());
        }
        // 2. poison is handed on
        Optional<Fault> fault =
                inputs.stream().flatMap(input -> input.state().fault().stream()).findFirst();
        fault.ifPresent(f -> made.forEach(output -> output.state().poison(f)));
        try {
            return send(call, messages, made, fault);
        } finally {
            Reference.reachabilityFence(inputs);
        }
    }

    private RunningCall send(
            HostCall call,
            Map<Integer, HostCallProto.Builder> messages,
            List<PlacedArray> made,
            Optional<Fault> fault) {
        var running =
                new RunningCall(
                        runtime,
                        call.function().getSimpleName(),
                        messages.keySet().stream().map(runtime.devices()::get).toList(),
                        List.copyOf(made),
                        fault);
        runtime.operations()
                .dispatch(
                        false,
                        made.stream().map(PlacedArray::state).toList(),
                        () ->
                                fault.isPresent()
                                        ? List.of()
                                        : runtime.fleet().linksOf(messages.keySet()),
                        op ->
                                messages.forEach(
                                        (worker, message) ->
                                                runtime.fleet()
                                                        .link(worker)
                                                        .ifPresent(
                                                                link ->
                                                                        running.ask(
                                                                                link,
                                                                                message.setOp(
                                                                                        op)))));
        return running;
    }

    /// One message for each worker, by its first device.
    private Map<Integer, HostCallProto.Builder> messages(HostCall call) {
        var messages = new TreeMap<Integer, HostCallProto.Builder>();
        var classes = Shipment.of(call.function());
        for (var device : call.devices()) {
            int known = runtime.devices().size();
            UsageError.require(
                    device.id() < known && runtime.devices().get(device.id()).equals(device),
                    "%s is not one of the %d devices provisioned now; make the mesh again",
                    device,
                    known);
            messages.computeIfAbsent(
                    runtime.workerOf(device.id()),
                    _ -> {
                        var message =
                                HostCallProto.newBuilder()
                                        .setFunction(call.function().getName())
                                        .setArguments(ByteString.copyFrom(call.arguments()))
                                        .setLane(call.laneName())
                                        .setArrays(call.arrays().size())
                                        .setOutputs(call.outputs().size());
                        classes.forEach(
                                (name, bytes) ->
                                        message.addClasses(
                                                ShippedClass.newBuilder()
                                                        .setName(name)
                                                        .setBytes(ByteString.copyFrom(bytes))));
                        return message;
                    });
        }
        return messages;
    }

    private void addInput(
            Map<Integer, HostCallProto.Builder> messages, int index, ArrayState state) {
        var map = ShardMap.of(state.type(), state.sharding());
        map.regions()
                .forEach(
                        (region, devices) -> {
                            var seen = new TreeSet<Integer>();
                            for (var device : devices) {
                                int worker = runtime.workerOf(device.id());
                                var message = messages.get(worker);
                                if (message != null && seen.add(worker)) {
                                    message.addInputs(
                                            CallShard.newBuilder()
                                                    .setIndex(index)
                                                    .setArray(state.id())
                                                    .setDevice(device.id())
                                                    .setBox(box(region)));
                                }
                            }
                        });
    }

    private void addOutput(
            Map<Integer, HostCallProto.Builder> messages, int index, ArrayState state) {
        var map = ShardMap.of(state.type(), state.sharding());
        map.regions()
                .forEach(
                        (region, devices) -> {
                            var here = new TreeMap<Integer, List<Integer>>();
                            devices.forEach(
                                    device ->
                                            here.computeIfAbsent(
                                                            runtime.workerOf(device.id()),
                                                            _ -> new ArrayList<>())
                                                    .add(device.id()));
                            here.forEach(
                                    (worker, ids) -> {
                                        var message = messages.get(worker);
                                        if (message != null) {
                                            message.addMade(
                                                    CallOutput.newBuilder()
                                                            .setIndex(index)
                                                            .setArray(state.id())
                                                            .setDtype(
                                                                    state.type()
                                                                            .dtype()
                                                                            .stableName())
                                                            .setBox(box(region))
                                                            .addAllDevices(ids));
                                        }
                                    });
                        });
    }

    List<Array> assemble(HostParts parts, List<Sharding> targets) throws InterruptedException {
        UsageError.require(
                targets.size() == parts.types().size(),
                "%d arrays are assembled, %d targets are given",
                parts.types().size(),
                targets.size());
        var start = runtime.clock().elapsed();
        long copy = runtime.operations().newId();
        var slices = new TreeSet<Integer>();
        parts.parts().forEach(part -> slices.add(part.device().slice()));
        var stamp = runtime.losses().stamp(slices);
        // 1. hosts make their parts in host memory
        var plans = new ArrayList<MovePlan>();
        parts.types().forEach(type -> plans.add(new MovePlan(type.dtype(), runtime::workerOf)));
        var messages = messages(parts.call());
        addParts(parts, copy, messages, plans);
        try {
            var unused = send(parts.call(), messages, List.of(), Optional.empty()).values();
            // 2. from there they move to their devices
            var placed = new ArrayList<Array>();
            for (int i = 0; i < plans.size(); i++) {
                placed.add(runtime.move(parts.types().get(i), targets.get(i), plans.get(i), stamp));
            }
            runtime.awaitReady(placed, Progress.FOREVER);
            long bytes = parts.types().stream().mapToLong(type -> type.bytes()).sum();
            runtime.timeline().add("load", start, runtime.clock().elapsed(), bytes);
            return placed;
        } finally {
            // 3. host memory is free again
            for (int worker : messages.keySet()) {
                runtime.fleet()
                        .link(worker)
                        .ifPresent(
                                link ->
                                        link.send(
                                                Command.newBuilder()
                                                        .setRelease(
                                                                HostRelease.newBuilder()
                                                                        .setCopy(copy))));
            }
        }
    }

    private void addParts(
            HostParts parts,
            long copy,
            Map<Integer, HostCallProto.Builder> messages,
            List<MovePlan> plans) {
        for (var part : parts.parts()) {
            int worker = runtime.workerOf(part.device().id());
            var message = messages.get(worker);
            if (message == null) {
                throw new UsageError("%s makes a part, but is not called", part.device());
            }
            int number = message.getMadeCount();
            message.setCopy(copy)
                    .setOutputs(parts.types().size())
                    .addMade(
                            CallOutput.newBuilder()
                                    .setIndex(part.array())
                                    .setDtype(parts.types().get(part.array()).dtype().stableName())
                                    .setBox(box(part.region()))
                                    .setHostShard(number));
            plans.get(part.array()).holds(part.region(), holder(part.device(), copy, number));
        }
    }

    private static MovePlan.Holder holder(Device device, long copy, int number) {
        return new MovePlan.Holder(
                device.id(),
                Source.newBuilder()
                        .setDevice(device.id())
                        .setHostCopy(copy)
                        .setHostShard(number)
                        .build(),
                false);
    }

    private static Box box(Region region) {
        return Box.newBuilder().addAllStart(region.start()).addAllSize(region.size()).build();
    }
}
