package org.meshbook.elastic.controller;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.slices.HostCopy;
import org.meshbook.elastic.slices.Names;
import org.meshbook.elastic.slices.Published;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.HostCopyProto;
import org.meshbook.elastic.wire.proto.NamedProto;
import org.meshbook.elastic.wire.proto.PlacedProto;

/// What is published on the slices of a runtime.
///
/// The head keeps, of each array, its number, type, sharding and which processes hold it; the
/// values stay in the workers. What an earlier client published is looked at once, when the session
/// is attached to: an array is poisoned if a process that held it is another one now. Published
/// things are referred to from here, so that no collection frees them.
///
/// Changes happen under one lock, which is held while the head is asked; nothing else takes it.
final class RuntimeNames implements Names {
    private final MeshRuntime runtime;
    private final MembershipSource source;
    private final Object changing = new Object();
    private final Map<String, Published> known = new TreeMap<>();

    RuntimeNames(MeshRuntime runtime, MembershipSource source) {
        this.runtime = runtime;
        this.source = source;
    }

    /// @return how many names there are
    int adopt() {
        synchronized (changing) {
            source.names().all().forEach(named -> known.put(named.getName(), adopted(named)));
            if (!source.observes()) {
                tellWorkers(runtime.operations().first());
            }
            return known.size();
        }
    }

    @Override
    public void publish(String name, Published what) {
        runtime.fleet().requireWriter("publishing");
        settle(name, what.arrays());
        synchronized (changing) {
            source.names().publish(encoded(name, what));
            what.arrays().forEach(array -> runtime.keep(runtime.ours(array).state()));
            known.put(name, what);
            tellWorkers(0);
        }
    }

    /// What has a name must be there when this program is not: what is still on its way or being
    /// computed would die with it.
    private void settle(String name, List<Array> arrays) {
        var states = arrays.stream().map(array -> runtime.ours(array).state()).toList();
        states.forEach(ArrayState::requireUsable);
        try {
            runtime.progress()
                    .await(Progress.FOREVER, () -> states.stream().allMatch(ArrayState::settled));
        } catch (InterruptedException e) {
            throw new Interrupted("publishing '" + name + "'", e);
        }
    }

    @Override
    public Optional<Published> find(String name) {
        synchronized (changing) {
            if (source.observes()) {
                return source.names().all().stream()
                        .filter(named -> named.getName().equals(name))
                        .findFirst()
                        .map(this::adopted);
            }
            return Optional.ofNullable(known.get(name));
        }
    }

    @Override
    public void withdraw(String name) {
        runtime.fleet().requireWriter("withdrawing a name");
        synchronized (changing) {
            source.names().withdraw(name);
            known.remove(name);
            tellWorkers(0);
        }
    }

    @Override
    public List<String> list() {
        synchronized (changing) {
            return source.observes()
                    ? source.names().all().stream().map(NamedProto::getName).toList()
                    : List.copyOf(known.keySet());
        }
    }

    private void tellWorkers(long freeBefore) {
        var published =
                org.meshbook.elastic.wire.proto.Published.newBuilder().setFreeBefore(freeBefore);
        for (var one : known.values()) {
            one.arrays().forEach(array -> published.addArrays(runtime.ours(array).state().id()));
            one.copies().forEach(copy -> published.addCopies(WorkerHostCopy.ours(copy).id()));
        }
        runtime.operations()
                .between(
                        _ ->
                                runtime.fleet()
                                        .links()
                                        .forEach(
                                                link ->
                                                        link.send(
                                                                Command.newBuilder()
                                                                        .setPublished(published))));
    }

    // ---- out

    private NamedProto encoded(String name, Published what) {
        var named =
                NamedProto.newBuilder()
                        .setName(name)
                        .setKind(what.kind())
                        .setContent(ByteString.copyFrom(what.content()))
                        .setAtMicros(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        var generations = runtime.fleet().generations();
        what.arrays().forEach(array -> named.addArrays(encoded(array, generations)));
        what.copies().forEach(copy -> named.addCopies(WorkerHostCopy.ours(copy).encoded()));
        return named.build();
    }

    private PlacedProto encoded(Array array, Map<Integer, Integer> generations) {
        var state = runtime.ours(array).state();
        state.requireUsable();
        var placed =
                PlacedProto.newBuilder()
                        .setId(state.id())
                        .setType(ArrayCodec.toProto(state.type()))
                        .setSharding(NamesCodec.sharding(state.sharding()))
                        .addAllHolders(
                                NamesCodec.holders(state.sharding().mesh().slices(), generations));
        state.fault()
                .ifPresent(
                        fault ->
                                placed.setLost(fault.message())
                                        .setLostSlice(
                                                fault.slices().stream().findFirst().orElse(-1)));
        return placed.build();
    }

    // ---- in

    private Published adopted(NamedProto named) {
        var generations = runtime.fleet().generations();
        var arrays = new ArrayList<Array>();
        for (var placed : named.getArraysList()) {
            arrays.add(adopted(placed, generations));
        }
        var copies = new ArrayList<HostCopy>();
        named.getCopiesList().forEach(copy -> copies.add(adopted(copy)));
        return new Published(
                named.getKind(), named.getContent().asReadOnlyByteBuffer(), arrays, copies);
    }

    private PlacedArray adopted(PlacedProto placed, Map<Integer, Integer> generations) {
        var state =
                runtime.adoptedState(
                        placed.getId(),
                        ArrayCodec.fromProto(placed.getType()),
                        NamesCodec.sharding(placed.getSharding(), runtime.devices()));
        state.owned("an earlier program");
        if (!placed.getLost().isEmpty()) {
            state.poison(
                    placed.getLostSlice() < 0
                            ? Fault.failed(placed.getLost())
                            : Fault.lost(placed.getLostSlice(), placed.getLost()));
        }
        NamesCodec.gone(placed.getHoldersList(), generations)
                .ifPresent(
                        slice ->
                                state.poison(
                                        Fault.lost(
                                                slice,
                                                "its processes were replaced while no client was"
                                                        + " attached")));
        return runtime.adopted(state);
    }

    /// What became of its shards is seen when it is read.
    private HostCopy adopted(HostCopyProto copy) {
        return WorkerHostCopy.adopted(
                runtime,
                copy.getId(),
                copy.getTypesList().stream().map(ArrayCodec::fromProto).toList(),
                copy.getShardingsList().stream()
                        .map(one -> NamesCodec.sharding(one, runtime.devices()))
                        .toList());
    }
}
