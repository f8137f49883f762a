package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.shard.Shards;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.PartitionSpec;
import org.meshbook.elastic.mesh.Sharding;

/// What a user says about cuts: `withSharding`, and the ways into `shardMap`.
///
/// Inside of `shardMap` a value is each device's own. It counts as whole here: it is not cut, so
/// all other rules leave it as it is.
record Constraints(LocalGraph local) {
    Piece constrained(PartitionSpec spec, ArrayType whole, Piece x) {
        Sharding sharding;
        try {
            sharding = spec.on(local.mesh());
            Shards.type(whole, sharding);
        } catch (UsageError | MeshMismatch e) {
            throw new MeshMismatch(
                    "withSharding %s of %s: %s", spec, whole, String.valueOf(e.getMessage()));
        }
        return local.recut(x, Cuts.of(spec, whole.shape().rank()));
    }

    Piece toShard(List<Axis> axes, PartitionSpec spec, Piece x) {
        for (var axis : axes) {
            if (!local.mesh().axes().contains(axis)) {
                throw new MeshMismatch(
                        "shardMap was made for axes %s, its arguments lie on %s; make it again for"
                                + " their mesh",
                        axes, local.mesh());
            }
        }
        int rank = x.cuts().size();
        return local.relabeled(local.recut(x, Cuts.of(spec, rank)), Cuts.none(rank));
    }

    Piece collective(Node node, List<Piece> in) {
        UsageError.require(
                in.stream().flatMap(x -> x.cuts().stream()).allMatch(List::isEmpty),
                "%s over axes stands in a function of whole arrays; put it in a function given to"
                        + " shardMap",
                node.op());
        return local.add(
                node.op(), Cuts.none(node.type().shape().rank()), in.toArray(Piece[]::new));
    }
}
