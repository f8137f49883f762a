package org.meshbook.elastic.controller;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.array.shard.ShardMap;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.wire.proto.Box;
import org.meshbook.elastic.wire.proto.Move;
import org.meshbook.elastic.wire.proto.Piece;
import org.meshbook.elastic.wire.proto.Receive;
import org.meshbook.elastic.wire.proto.Send;
import org.meshbook.elastic.wire.proto.Source;

/// Who sends which piece of an array to whom, so that every device gets its new shard: pure, and
/// the same for arrays on devices and for host copies.
///
/// Each worker gets a piece once, for all its devices that need it. Pieces come from the same
/// worker if it has them, else from the holder that sends least so far.
final class MovePlan {
    private final DType dtype;
    private final IntUnaryOperator workerOf;
    private final Map<Region, List<Holder>> holders = new LinkedHashMap<>();
    private final Map<Integer, Long> load = new HashMap<>();
    private final Map<Integer, Move.Builder> moves = new TreeMap<>();
    private long bytes;
    private int pieces;

    /// One copy of a part.
    ///
    /// @param device that has it, or any device of the worker whose host copy it is
    /// @param source how the worker finds it
    /// @param onDevice whether it is device memory
    record Holder(int device, Source source, boolean onDevice) {}

    /// @param dtype element type
    /// @param workerOf first device of the worker that owns a device
    MovePlan(DType dtype, IntUnaryOperator workerOf) {
        this.dtype = dtype;
        this.workerOf = workerOf;
    }

    void holds(Region region, Holder holder) {
        holders.computeIfAbsent(region, _ -> new ArrayList<>()).add(holder);
    }

    /// @param targets who needs what
    /// @return what each worker, by its first device, has to do; operation and array not filled in
    /// @throws UsageError if the holders together do not hold all of it
    Map<Integer, Move.Builder> plan(ShardMap targets) {
        for (var entry : targets.regions().entrySet()) {
            var byWorker = new TreeMap<Integer, List<Integer>>();
            for (Device device : entry.getValue()) {
                byWorker.computeIfAbsent(workerOf.applyAsInt(device.id()), _ -> new ArrayList<>())
                        .add(device.id());
            }
            byWorker.forEach((worker, devices) -> supply(worker, devices, entry.getKey()));
        }
        return moves;
    }

    /// @return bytes that go from worker to worker
    long bytes() {
        return bytes;
    }

    private void supply(int worker, List<Integer> devices, Region region) {
        // 1. devices that have the part share it under its new name
        var needy = new ArrayList<Integer>();
        for (int device : devices) {
            var own =
                    holders.getOrDefault(region, List.of()).stream()
                            .filter(h -> h.onDevice() && h.device() == device)
                            .findFirst();
            if (own.isPresent()) {
                move(worker)
                        .addReceives(
                                receive(device, region).setAlias(own.get().source().getArray()));
            } else {
                needy.add(device);
            }
        }
        // 2. the others get it in pieces
        if (!needy.isEmpty()) {
            var parts = send(worker, needy, region);
            needy.forEach(
                    device ->
                            move(worker).addReceives(receive(device, region).addAllPieces(parts)));
        }
    }

    private List<Piece> send(int worker, List<Integer> devices, Region region) {
        var parts = new ArrayList<Piece>();
        long covered = 0;
        for (var entry : holders.entrySet()) {
            var common = entry.getKey().intersect(region);
            if (common.isEmpty()) {
                continue;
            }
            var holder = choose(worker, entry.getValue());
            int from = workerOf.applyAsInt(holder.device());
            long size = common.get().shape().size() * dtype.bytes();
            covered += size;
            if (from != worker) {
                bytes += size;
                load.merge(from, size, Long::sum);
            }
            int piece = pieces++;
            move(from)
                    .addSends(
                            Send.newBuilder()
                                    .setSource(holder.source())
                                    .setBox(box(common.get().within(entry.getKey())))
                                    .setPiece(piece)
                                    .addAllTo(devices));
            parts.add(
                    Piece.newBuilder()
                            .setFrom(holder.device())
                            .setPiece(piece)
                            .setBox(box(common.get().within(region)))
                            .build());
        }
        UsageError.require(
                covered == region.shape().size() * dtype.bytes(),
                "the chosen slices hold %d of %d bytes of a shard; choose slices that together hold all",
                covered,
                region.shape().size() * dtype.bytes());
        return parts;
    }

    private Holder choose(int worker, List<Holder> candidates) {
        Optional<Holder> here =
                candidates.stream()
                        .filter(h -> workerOf.applyAsInt(h.device()) == worker)
                        .findFirst();
        return here.orElseGet(
                () ->
                        candidates.stream()
                                .min(
                                        Comparator.comparingLong(
                                                h ->
                                                        load.getOrDefault(
                                                                workerOf.applyAsInt(h.device()),
                                                                0L)))
                                .orElseThrow());
    }

    private Move.Builder move(int worker) {
        return moves.computeIfAbsent(worker, _ -> Move.newBuilder().setDtype(dtype.stableName()));
    }

    private static Receive.Builder receive(int device, Region region) {
        return Receive.newBuilder().setDevice(device).addAllDims(region.size());
    }

    private static Box box(Region region) {
        return Box.newBuilder().addAllStart(region.start()).addAllSize(region.size()).build();
    }
}
