package org.meshbook.elastic.wire;

import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.wire.proto.GraphProto;
import org.meshbook.elastic.wire.proto.IntsProto;
import org.meshbook.elastic.wire.proto.NodeProto;
import org.meshbook.elastic.wire.proto.OpProto;

/// Graphs as protobuf; decoding what was encoded yields an equal graph (literals compare by value).
public final class GraphCodec {
    private GraphCodec() {}

    /// @param graph a graph
    /// @return the message
    public static GraphProto toProto(Graph graph) {
        var proto = GraphProto.newBuilder().setName(graph.name()).addAllResults(graph.results());
        graph.parameters().forEach(type -> proto.addParameters(ArrayCodec.toProto(type)));
        for (var node : graph.nodes()) {
            proto.addNodes(
                    NodeProto.newBuilder()
                            .setOp(encode(node.op()))
                            .addAllInputs(node.inputs())
                            .setType(ArrayCodec.toProto(node.type())));
        }
        return proto.build();
    }

    /// @param proto a message, from anywhere
    /// @return the graph
    /// @throws UsageError if an operation or type is unknown or a value is used before it is made
    public static Graph fromProto(GraphProto proto) {
        var parameters = proto.getParametersList().stream().map(ArrayCodec::fromProto).toList();
        var nodes = new java.util.ArrayList<Node>();
        for (var node : proto.getNodesList()) {
            check(node.getInputsList(), parameters.size() + nodes.size(), node.getOp().getName());
            nodes.add(
                    new Node(
                            decode(node.getOp()),
                            node.getInputsList(),
                            ArrayCodec.fromProto(node.getType())));
        }
        check(proto.getResultsList(), parameters.size() + nodes.size(), "return");
        return new Graph(proto.getName(), parameters, nodes, proto.getResultsList());
    }

    private static void check(List<Integer> values, int known, String user) {
        for (int value : values) {
            UsageError.require(
                    value >= 0 && value < known,
                    "'%s' uses value %d of a graph that has %d so far; the message is damaged",
                    user,
                    value,
                    known);
        }
    }

    private static OpProto encode(Op op) {
        var proto = OpProto.newBuilder().setName(op.getClass().getSimpleName());
        return switch (op) {
            case Op.Constant(var value) ->
                    proto.setType(ArrayCodec.toProto(value.type()))
                            .setLiteral(ArrayCodec.literal(value))
                            .build();
            case Op.Iota(var type, int dim) ->
                    ints(proto.setType(ArrayCodec.toProto(type)), List.of(dim));
            case Op.Unary(var kind) -> proto.setKind(kind.name()).build();
            case Op.Binary(var kind) -> proto.setKind(kind.name()).build();
            case Op.Compare(var kind) -> proto.setKind(kind.name()).build();
            case Op.Select _, Op.StopGradient _ -> proto.build();
            case Op.Convert(var dtype) -> proto.setKind(dtype.stableName()).build();
            case Op.BroadcastInDim(var shape, var dims) -> ints(proto, shape.dims(), dims);
            case Op.Reshape(var shape) -> ints(proto, shape.dims());
            case Op.Transpose(var permutation) -> ints(proto, permutation);
            case Op.Reduce(var kind, var dims) -> ints(proto.setKind(kind.name()), dims);
            case Op.ArgMax(int dim) -> ints(proto, List.of(dim));
            case Op.DotGeneral(var lb, var rb, var lc, var rc) -> ints(proto, lb, rb, lc, rc);
            case Op.Convolution(var s, var low, var high, var in, var kernel) ->
                    ints(proto, s, low, high, in, kernel);
            case Op.Slice(var start, var limit, var stride) -> ints(proto, start, limit, stride);
            case Op.Pad(var low, var high, var interior) -> ints(proto, low, high, interior);
            case Op.Concatenate(int dim) -> ints(proto, List.of(dim));
            case Op.Reverse(var dims) -> ints(proto, dims);
            case Op.Take(int dim) -> ints(proto, List.of(dim));
            case Op.ScatterAdd(int dim) -> ints(proto, List.of(dim));
            case Op.DynamicSlice(var sizes) -> ints(proto, sizes);
            case Op.DynamicUpdateSlice _ -> proto.build();
            case Op.Gather(var map, var sizes) -> map(proto, map, sizes);
            case Op.Scatter(var kind, var map) -> map(proto.setKind(kind.name()), map, List.of());
            case Op.ArgSort(int dim, boolean descending) ->
                    ints(proto, List.of(dim, descending ? 1 : 0));
            case Op.AllReduce(var kind, var axes) ->
                    proto.setKind(kind.name()).addAllAxes(axes).build();
            case Op.AllGather(var axes, int dim, int size) ->
                    ints(proto.addAllAxes(axes), List.of(dim, size));
            case Op.ReduceScatter(var axes, int dim, int size) ->
                    ints(proto.addAllAxes(axes), List.of(dim, size));
            case Op.ShardOf(var axes, int dim, int size) ->
                    ints(proto.addAllAxes(axes), List.of(dim, size));
            case Op.AxisIndex(var axis) -> proto.addAxes(axis).build();
            case Op.AllToAll _,
                    Op.CollectivePermute _,
                    Op.ShardingConstraint _,
                    Op.FullToShard _,
                    Op.ShardToFull _ ->
                    ShardingOps.encode(op, proto);
            case Op.Cond _ -> bodies(proto, op).build();
            case Op.While loop -> ints(bodies(proto, op), List.of(loop.consts()));
            case Op.Scan scan ->
                    ints(
                            bodies(proto, op),
                            List.of(
                                    scan.length(),
                                    scan.consts(),
                                    scan.carries(),
                                    scan.reverse() ? 1 : 0));
            case Op.Result(int index, var type) ->
                    ints(proto.setType(ArrayCodec.toProto(type)), List.of(index));
            case Op.OptimizationBarrier _ -> proto.build();
            case Op.Remat _, Op.CustomVjp _ ->
                    throw new IllegalStateException(op + " is inlined before it travels");
        };
    }

    private static OpProto map(OpProto.Builder proto, IndexMap map, List<Integer> sizes) {
        return ints(
                proto,
                map.window(),
                map.dropped(),
                map.batch(),
                map.indexBatch(),
                map.indexed(),
                List.of(map.vector()),
                sizes);
    }

    private static OpProto.Builder bodies(OpProto.Builder proto, Op op) {
        op.bodies().forEach(body -> proto.addBodies(toProto(Graph.of(body))));
        return proto;
    }

    @SafeVarargs
    private static OpProto ints(OpProto.Builder proto, List<Integer>... lists) {
        for (var list : lists) {
            proto.addInts(IntsProto.newBuilder().addAllValues(list));
        }
        return proto.build();
    }

    private static Op decode(OpProto proto) {
        var at = new Attributes(proto);
        return switch (proto.getName()) {
            case "Constant" -> {
                ArrayType type = ArrayCodec.fromProto(proto.getType());
                yield new Op.Constant(ArrayCodec.literal(type, proto.getLiteral()));
            }
            case "Iota" -> new Op.Iota(ArrayCodec.fromProto(proto.getType()), at.number(0));
            case "Unary" -> new Op.Unary(at.kind(Op.UnaryKind.class));
            case "Binary" -> new Op.Binary(at.kind(Op.BinaryKind.class));
            case "Compare" -> new Op.Compare(at.kind(Op.CompareKind.class));
            case "Select" -> new Op.Select();
            case "StopGradient" -> new Op.StopGradient();
            case "Convert" -> {
                DType dtype = ArrayCodec.dtype(proto.getKind());
                yield new Op.Convert(dtype);
            }
            case "BroadcastInDim" -> new Op.BroadcastInDim(new Shape(at.ints(0)), at.ints(1));
            case "Reshape" -> new Op.Reshape(new Shape(at.ints(0)));
            case "Transpose" -> new Op.Transpose(at.ints(0));
            case "Reduce" -> new Op.Reduce(at.kind(Op.ReduceKind.class), at.ints(0));
            case "ArgMax" -> new Op.ArgMax(at.number(0));
            case "DotGeneral" -> new Op.DotGeneral(at.ints(0), at.ints(1), at.ints(2), at.ints(3));
            case "Convolution" ->
                    new Op.Convolution(at.ints(0), at.ints(1), at.ints(2), at.ints(3), at.ints(4));
            case "Slice" -> new Op.Slice(at.ints(0), at.ints(1), at.ints(2));
            case "Pad" -> new Op.Pad(at.ints(0), at.ints(1), at.ints(2));
            case "Concatenate" -> new Op.Concatenate(at.number(0));
            case "Reverse" -> new Op.Reverse(at.ints(0));
            case "Take" -> new Op.Take(at.number(0));
            case "ScatterAdd" -> new Op.ScatterAdd(at.number(0));
            case "DynamicSlice" -> new Op.DynamicSlice(at.ints(0));
            case "DynamicUpdateSlice" -> new Op.DynamicUpdateSlice();
            case "Gather" -> new Op.Gather(at.map(), at.ints(6));
            case "Scatter" -> new Op.Scatter(at.kind(Op.ScatterKind.class), at.map());
            case "ArgSort" -> new Op.ArgSort(at.number(0), at.number(1) == 1);
            case "AllReduce" -> new Op.AllReduce(at.kind(Op.ReduceKind.class), at.axes());
            case "AllGather" -> new Op.AllGather(at.axes(), at.number(0), at.number(1));
            case "ReduceScatter" -> new Op.ReduceScatter(at.axes(), at.number(0), at.number(1));
            case "ShardOf" -> new Op.ShardOf(at.axes(), at.number(0), at.number(1));
            case "AxisIndex" -> new Op.AxisIndex(at.axes().getFirst());
            case "AllToAll",
                    "CollectivePermute",
                    "ShardingConstraint",
                    "FullToShard",
                    "ShardToFull" ->
                    ShardingOps.decode(proto);
            case "Cond" -> new Op.Cond(at.body(0), at.body(1));
            case "While" -> new Op.While(at.body(0), at.body(1), at.number(0));
            case "Scan" ->
                    new Op.Scan(
                            at.body(0),
                            at.number(0),
                            at.number(1),
                            at.number(2),
                            at.number(3) != 0);
            case "Result" -> new Op.Result(at.number(0), ArrayCodec.fromProto(proto.getType()));
            case "OptimizationBarrier" -> new Op.OptimizationBarrier();
            default ->
                    throw new UsageError(
                            "operation '%s' is unknown here; client and worker differ in version",
                            proto.getName());
        };
    }

    /// Attributes of one operation, checked as they are read.
    private record Attributes(OpProto proto) {
        List<Integer> ints(int i) {
            UsageError.require(
                    i < proto.getIntsCount(),
                    "operation '%s' lacks attribute %d; the message is damaged",
                    proto.getName(),
                    i);
            return proto.getInts(i).getValuesList();
        }

        int number(int i) {
            return ints(0).get(i);
        }

        IndexMap map() {
            return new IndexMap(ints(0), ints(1), ints(2), ints(3), ints(4), ints(5).getFirst());
        }

        Graph body(int i) {
            UsageError.require(
                    i < proto.getBodiesCount(),
                    "operation '%s' lacks function %d; the message is damaged",
                    proto.getName(),
                    i);
            return fromProto(proto.getBodies(i));
        }

        List<String> axes() {
            return List.copyOf(proto.getAxesList());
        }

        <E extends Enum<E>> E kind(Class<E> kinds) {
            try {
                return Enum.valueOf(kinds, proto.getKind());
            } catch (IllegalArgumentException e) {
                throw new UsageError(
                        "operation '%s' has no kind '%s'; client and worker differ in version",
                        proto.getName(), proto.getKind());
            }
        }
    }
}
