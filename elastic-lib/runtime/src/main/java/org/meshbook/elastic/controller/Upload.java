package org.meshbook.elastic.controller;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.Timeline;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Put;
import org.meshbook.elastic.wire.proto.PutChunk;
import org.meshbook.elastic.wire.proto.PutShard;

/// A host array on its way to its devices: each worker gets each part that it needs once.
final class Upload {
    private final HostArray value;
    private final ShardMap map;
    private final ArrayState state;
    private final Fleet fleet;
    private final LossBook losses;

    /// By worker: parts and the devices that hold them.
    private final Map<Integer, Map<Region, List<Integer>>> needs = new TreeMap<>();

    Upload(HostArray value, ShardMap map, ArrayState state, Fleet fleet, LossBook losses) {
        this.value = value;
        this.map = map;
        this.state = state;
        this.fleet = fleet;
        this.losses = losses;
        map.regions()
                .forEach(
                        (region, devices) ->
                                devices.forEach(
                                        device ->
                                                needs.computeIfAbsent(
                                                                fleet.workerOf(device.id()),
                                                                _ -> new LinkedHashMap<>())
                                                        .computeIfAbsent(
                                                                region, _ -> new ArrayList<>())
                                                        .add(device.id())));
    }

    void start(Operations operations, Timeline timeline, Clock clock) {
        var start = clock.elapsed();
        boolean small = map.shardType().bytes() <= ArrayCodec.CHUNK_BYTES;
        // 1. announce, in order with everything else; small parts go along
        var number = new long[1];
        var links = new ArrayList<WorkerLink>();
        var operation =
                operations.dispatch(
                        false,
                        List.of(state),
                        () -> {
                            if (!losses.lost(state.stamp())) {
                                links.addAll(fleet.linksOf(needs.keySet()));
                            }
                            return links;
                        },
                        op -> {
                            number[0] = op;
                            links.forEach(link -> link.send(announce(op, link, small)));
                        });
        operation.whenDone(() -> timeline.add("put", start, clock.elapsed(), value.type().bytes()));
        // 2. the bytes of large parts follow as fast as the network takes them; nothing can use
        // the array before this returns, so other commands may go in between
        if (!small) {
            links.forEach(link -> sendChunks(number[0], link));
        }
    }

    private Command.Builder announce(long op, WorkerLink link, boolean small) {
        var put =
                Put.newBuilder()
                        .setOp(op)
                        .setArray(state.id())
                        .setShardType(ArrayCodec.toProto(map.shardType()));
        parts(link)
                .forEach(
                        (region, devices) -> {
                            var shard = PutShard.newBuilder().addAllDevices(devices);
                            if (small) {
                                shard.setData(ArrayCodec.wrap(part(region).bytes()));
                            }
                            put.addShards(shard);
                        });
        return Command.newBuilder().setPut(put);
    }

    private void sendChunks(long op, WorkerLink link) {
        int shard = 0;
        try {
            for (var region : parts(link).keySet()) {
                var bytes = part(region).bytes();
                while (bytes.hasRemaining() && link.awaitReady()) {
                    int length = Math.min(ArrayCodec.CHUNK_BYTES, bytes.remaining());
                    link.send(
                            Command.newBuilder()
                                    .setChunk(
                                            PutChunk.newBuilder()
                                                    .setOp(op)
                                                    .setShard(shard)
                                                    .setOffset(bytes.position())
                                                    .setData(
                                                            ArrayCodec.wrap(
                                                                    bytes.slice(
                                                                            bytes.position(),
                                                                            length)))));
                    bytes.position(bytes.position() + length);
                }
                shard++;
            }
        } catch (InterruptedException e) {
            state.free("when its put was stopped");
            throw new Interrupted("sending " + value.type() + " to slices", e);
        }
    }

    private Map<Region, List<Integer>> parts(WorkerLink link) {
        return needs.getOrDefault(link.firstDevice(), Map.of());
    }

    private HostArray part(Region region) {
        return region.covers(value.type().shape()) ? value : region.cut(value);
    }
}
