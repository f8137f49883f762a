package org.meshbook.elastic.wire;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.mesh.Axis;
import org.meshbook.elastic.mesh.PartitionSpec;
import org.meshbook.elastic.wire.proto.IntsProto;
import org.meshbook.elastic.wire.proto.OpProto;

/// The operations of [GraphCodec] that say how values are cut or change places.
///
/// A spec is one text a dimension in `axes`; the mesh of `shardMap` follows it there, its sizes in
/// `ints`.
final class ShardingOps {
    private ShardingOps() {}

    static OpProto encode(Op op, OpProto.Builder proto) {
        return switch (op) {
            case Op.AllToAll(var axis, int split, int concat, int size) ->
                    proto.addAxes(axis).addInts(ints(List.of(split, concat, size))).build();
            case Op.CollectivePermute(var axis, var sources, var targets) ->
                    proto.addAxes(axis).addInts(ints(sources)).addInts(ints(targets)).build();
            case Op.ShardingConstraint(var spec) -> proto.addAllAxes(texts(spec)).build();
            case Op.FullToShard(var mesh, var spec) -> mapped(proto, mesh, spec);
            case Op.ShardToFull(var mesh, var spec) -> mapped(proto, mesh, spec);
            default -> throw new IllegalArgumentException(op + " is encoded elsewhere");
        };
    }

    private static OpProto mapped(OpProto.Builder proto, List<Axis> mesh, PartitionSpec spec) {
        return proto.addAllAxes(texts(spec))
                .addAllAxes(mesh.stream().map(Axis::name).toList())
                .addInts(ints(mesh.stream().map(Axis::size).toList()))
                .build();
    }

    private static List<String> texts(PartitionSpec spec) {
        return spec.dims().stream().map(axes -> String.join("+", axes)).toList();
    }

    private static IntsProto.Builder ints(List<Integer> values) {
        return IntsProto.newBuilder().addAllValues(values);
    }

    static Op decode(OpProto proto) {
        return switch (proto.getName()) {
            case "AllToAll" -> {
                var at = ints(proto, 0, 3);
                yield new Op.AllToAll(axis(proto), at.get(0), at.get(1), at.get(2));
            }
            case "CollectivePermute" ->
                    new Op.CollectivePermute(axis(proto), ints(proto, 0, 0), ints(proto, 1, 0));
            case "ShardingConstraint" ->
                    new Op.ShardingConstraint(spec(proto, proto.getAxesCount()));
            case "FullToShard" -> new Op.FullToShard(mesh(proto), spec(proto, cut(proto)));
            case "ShardToFull" -> new Op.ShardToFull(mesh(proto), spec(proto, cut(proto)));
            default -> throw new IllegalArgumentException(proto.getName() + " is read elsewhere");
        };
    }

    private static PartitionSpec spec(OpProto proto, int dims) {
        return PartitionSpec.spec(proto.getAxesList().subList(0, dims).toArray(new String[0]));
    }

    private static List<Axis> mesh(OpProto proto) {
        var sizes = ints(proto, 0, 1);
        var axes = new ArrayList<Axis>();
        for (int i = 0; i < sizes.size(); i++) {
            axes.add(new Axis(proto.getAxes(cut(proto) + i), sizes.get(i)));
        }
        return axes;
    }

    /// How many dimensions the spec names.
    private static int cut(OpProto proto) {
        int dims = proto.getAxesCount() - ints(proto, 0, 1).size();
        require(dims >= 0, proto);
        return dims;
    }

    private static String axis(OpProto proto) {
        require(proto.getAxesCount() == 1, proto);
        return proto.getAxes(0);
    }

    private static List<Integer> ints(OpProto proto, int i, int least) {
        require(i < proto.getIntsCount() && proto.getInts(i).getValuesCount() >= least, proto);
        return List.copyOf(proto.getInts(i).getValuesList());
    }

    private static void require(boolean whole, OpProto proto) {
        UsageError.require(
                whole,
                "operation '%s' lacks an attribute; the message is damaged",
                proto.getName());
    }
}
