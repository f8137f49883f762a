package org.meshbook.elastic.controller;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Fetch;
import org.meshbook.elastic.wire.proto.FetchChunk;

/// Values on their way from devices to this process.
final class Fetches {
    private final Fleet fleet;
    private final Operations operations;
    private final Progress progress;
    private final Failures failures;
    private final Map<Long, Part> parts = new ConcurrentHashMap<>();

    Fetches(Fleet fleet, Operations operations, Progress progress, Failures failures) {
        this.fleet = fleet;
        this.operations = operations;
        this.progress = progress;
        this.failures = failures;
    }

    /// One distinct shard under way.
    private static final class Part {
        private final Region region;
        private final WorkerLink link;
        private final ByteBuffer data;
        private int missing;
        private volatile boolean done;
        private volatile Optional<Fault> fault = Optional.empty();

        Part(Region region, WorkerLink link, HostArray target) {
            this.region = region;
            this.link = link;
            this.data = target.bytes();
            this.missing = data.remaining();
        }

        /// On the link's thread.
        void take(FetchChunk chunk) {
            var bytes = chunk.getData();
            bytes.copyTo(data.duplicate().position(Math.toIntExact(chunk.getOffset())));
            missing -= bytes.size();
            done = missing <= 0;
        }

        boolean over() {
            return done || fault.isPresent() || link.ended();
        }
    }

    HostArray fetch(PlacedArray array) {
        var state = array.state();
        state.requireUsable();
        fleet.requireOpen();
        requireHealthy(state);
        var map = ShardMap.of(state.type(), state.sharding());
        var whole = HostArray.zeros(state.type());
        var asked = new ArrayList<Long>();
        var wanted = new ArrayList<Part>();
        try {
            // 1. ask one device for each distinct shard
            boolean single = map.regions().size() == 1;
            for (var entry : map.regions().entrySet()) {
                var target = single ? whole : HostArray.zeros(map.shardType());
                operations.ask(
                        () ->
                                wanted.add(
                                        ask(
                                                state,
                                                entry.getKey(),
                                                entry.getValue(),
                                                target,
                                                asked)));
            }
            // 2. wait, but not for what is lost
            progress.await(
                    Progress.FOREVER,
                    () -> state.poisoned() || wanted.stream().allMatch(Part::over));
        } catch (InterruptedException e) {
            throw new Interrupted("waiting for " + array, e);
        } finally {
            asked.forEach(parts::remove);
        }
        // 3. put it together
        for (var part : wanted) {
            if (!part.done) {
                part.fault.ifPresent(state::poison);
                requireHealthy(state);
                throw failures.of(
                        state, Fault.lost(part.link.address().slice(), "its link closed"));
            }
            if (map.regions().size() > 1) {
                part.region.paste(part.data, whole);
            }
        }
        return whole;
    }

    private void requireHealthy(ArrayState state) {
        var fault = state.fault();
        if (fault.isPresent()) {
            throw failures.of(state, fault.get());
        }
    }

    private Part ask(
            ArrayState state,
            Region region,
            List<Device> holders,
            HostArray target,
            List<Long> asked) {
        for (var device : holders) {
            var link = fleet.link(device.id());
            if (link.isPresent()) {
                long request = operations.newId();
                var part = new Part(region, link.get(), target);
                if (target.type().bytes() == 0) {
                    part.done = true;
                }
                parts.put(request, part);
                asked.add(request);
                link.get()
                        .send(
                                Command.newBuilder()
                                        .setFetch(
                                                Fetch.newBuilder()
                                                        .setRequest(request)
                                                        .setArray(state.id())
                                                        .setDevice(device.id())));
                return part;
            }
        }
        requireHealthy(state);
        throw failures.of(state, Fault.lost(holders.getFirst().slice(), "it is not reachable"));
    }

    /// @return whether nothing is on its way from some workers
    boolean quiet(Collection<WorkerLink> links) {
        return parts.values().stream().noneMatch(part -> !part.over() && links.contains(part.link));
    }

    /// On the link's thread.
    void arrived(FetchChunk chunk) {
        var part = parts.get(chunk.getRequest());
        if (part == null) {
            return;
        }
        if (chunk.hasFault()) {
            part.fault = Optional.of(MeshRuntime.decode(chunk.getFault()));
        } else {
            part.take(chunk);
        }
        if (part.over()) {
            progress.signal();
        }
    }
}
