package org.meshbook.elastic.controller;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.shard.Shards;
import org.meshbook.elastic.mesh.Sharding;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Move;
import org.meshbook.elastic.wire.proto.Receive;

/// A new array of shards that its devices hold already, under other numbers.
final class Aliases {
    private final ArrayType shardType;
    private final Sharding target;

    /// By device.
    private final Map<Integer, ArrayState> holders = new HashMap<>();

    Aliases(ArrayType type, Sharding target, List<ArrayState> sources) {
        this.shardType = Shards.type(type, target);
        this.target = target;
        for (var source : sources) {
            var held = Shards.type(source.type(), source.sharding());
            for (var device : source.sharding().mesh().devices()) {
                if (target.mesh().devices().contains(device)) {
                    UsageError.require(
                            held.equals(shardType),
                            "%s holds %s of %s, %s needs %s there; use sizes that divide alike",
                            device,
                            held,
                            source.type(),
                            type,
                            shardType);
                    UsageError.require(
                            holders.put(device.id(), source) == null,
                            "%s holds shards of two of the arrays; join arrays of disjoint meshes",
                            device);
                }
            }
        }
        for (var device : target.mesh().devices()) {
            UsageError.require(
                    holders.containsKey(device.id()),
                    "%s holds no shard of the arrays, so %s on %s cannot be made of them",
                    device,
                    type,
                    target.mesh());
        }
    }

    /// @return the loss of a slice of the target since a source that lies there was made
    Optional<Loss> loss(LossBook losses) {
        for (var device : target.mesh().devices()) {
            var holder = holders.get(device.id());
            var loss = holder == null ? null : losses.loss(holder.stamp(), device.slice());
            if (loss != null && loss.isPresent()) {
                return loss;
            }
        }
        return Optional.empty();
    }

    void send(long op, long array, Fleet fleet, IntUnaryOperator workerOf) {
        var moves = new TreeMap<Integer, Move.Builder>();
        holders.forEach(
                (device, source) ->
                        moves.computeIfAbsent(
                                        workerOf.applyAsInt(device),
                                        _ ->
                                                Move.newBuilder()
                                                        .setOp(op)
                                                        .setTarget(array)
                                                        .setDtype(shardType.dtype().stableName()))
                                .addReceives(
                                        Receive.newBuilder()
                                                .setDevice(device)
                                                .setAlias(source.id())
                                                .addAllDims(shardType.shape().dims())));
        moves.forEach(
                (worker, move) ->
                        fleet.link(worker)
                                .ifPresent(link -> link.send(Command.newBuilder().setMove(move))));
    }
}
