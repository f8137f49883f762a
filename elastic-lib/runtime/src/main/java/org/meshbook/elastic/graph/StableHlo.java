package org.meshbook.elastic.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.mesh.Mesh;

/// Shows a graph as StableHLO text, which JAX's and OpenXLA's tools can read.
///
/// Source: https://openxla.org/stablehlo/spec, pretty forms as MLIR prints them.
public final class StableHlo {
    private final Graph graph;
    private final StableHloRegions regions;
    private final StableHloIndexing indexing = new StableHloIndexing(this);
    private final StableHloFlow flow;
    private final List<String> names = new ArrayList<>();
    private final Map<String, String> literals = new HashMap<>();
    private final StringBuilder body = new StringBuilder();
    private final AtomicInteger fresh;

    private StableHlo(Graph graph, Optional<Mesh> mesh) {
        this.graph = graph;
        this.regions = new StableHloRegions(this, mesh);
        this.flow = new StableHloFlow(this);
        this.fresh = new AtomicInteger();
    }

    private StableHlo(Graph graph, StableHlo outer) {
        this.graph = graph;
        this.regions = outer.regions.inside(this);
        this.flow = new StableHloFlow(this);
        this.fresh = outer.fresh;
    }

    /// A function inside an operation: it sees the values around it.
    StableHlo inner(Graph body) {
        return new StableHlo(body, this);
    }

    /// Writes the function's operations.
    ///
    /// @param arguments names of what it takes
    /// @return names of its results
    List<String> write(List<String> arguments) {
        names.addAll(arguments);
        graph.nodes().forEach(node -> names.add(node(node)));
        return graph.results().stream().map(names::get).toList();
    }

    /// What was written so far, and what a region ends with.
    String region(List<String> results, List<ArrayType> types) {
        var tensors = join(types.stream().map(StableHlo::tensor).toList());
        return body + "    stablehlo.return " + join(results) + " : " + tensors + "\n";
    }

    /// A name that nothing has yet.
    String fresh() {
        return "%" + fresh.getAndIncrement();
    }

    /// @param graph a graph whose collectives, if any, stand in a `shardMap`
    /// @return one module with one function
    public static String text(Graph graph) {
        return new StableHlo(Inlined.of(graph), graph.shardMapped().map(Mesh::numbered)).module("");
    }

    /// @param graph a per-device graph
    /// @param mesh the devices that its collectives join
    /// @return one module with one function, to be run by each device
    public static String text(Graph graph, Mesh mesh) {
        var attributes =
                " attributes {mhlo.num_partitions = %d : i32, mhlo.num_replicas = 1 : i32}"
                        .formatted(mesh.devices().size());
        return new StableHlo(graph, Optional.of(mesh)).module(attributes);
    }

    private String module(String attributes) {
        var arguments = new StringJoiner(", ");
        for (int i = 0; i < graph.parameters().size(); i++) {
            names.add("%arg" + i);
            arguments.add("%arg" + i + ": " + tensor(graph.parameters().get(i)));
        }
        var results = join(write(List.of()));
        var types = join(graph.resultTypes().stream().map(StableHlo::tensor).toList());
        return """
        module @%s%s {
          func.func public @main(%s) -> (%s) {
        %s    return%s
          }
        }
        """
                .formatted(
                        graph.name().replaceAll("[^A-Za-z0-9_]", "_"),
                        attributes,
                        arguments,
                        types,
                        body,
                        graph.results().isEmpty() ? "" : " " + results + " : " + types);
    }

    /// Writes one operation and yields the name of its result.
    String line(String format, Object... facts) {
        return write("", format.formatted(facts));
    }

    /// Writes one operation with two results and yields the name of both.
    String pair(String format, Object... facts) {
        return write(":2", format.formatted(facts));
    }

    /// Writes one operation of some results and yields the name of the first.
    String several(int count, String operation) {
        return count == 1 ? write("", operation) : write(":" + count, operation) + "#0";
    }

    private String write(String count, String operation) {
        var name = fresh();
        body.append("    ").append(name).append(count).append(" = ").append(operation).append('\n');
        return name;
    }

    /// Writes a node and yields the name of its value.
    private String node(Node node) {
        var in = node.inputs().stream().map(names::get).toList();
        var types = node.inputs().stream().map(graph::type).toList();
        var out = tensor(node.type());
        var signature = signature(types, node.type());
        return switch (node.op()) {
            case Op.Constant(var value) -> constant(StableHloLiterals.dense(value), node.type());
            case Op.Iota(_, int dim) -> line("stablehlo.iota dim = %d : %s", dim, out);
            case Op.Unary(var kind) when kind == Op.UnaryKind.ERF ->
                    line("chlo.erf %s : %s -> %s", in.get(0), out, out);
            case Op.Unary(var kind) when kind == Op.UnaryKind.ABS && isUnsigned(node) -> in.get(0);
            case Op.Unary(var kind) when kind == Op.UnaryKind.SIGN && isUnsigned(node) ->
                    line("stablehlo.minimum %s, %s : %s", in.get(0), one(node), out);
            case Op.Unary(var kind) -> line("stablehlo.%s %s : %s", word(kind), in.get(0), out);
            case Op.Binary(var kind) -> line("stablehlo.%s %s : %s", lower(kind), join(in), out);
            case Op.Compare(var kind) ->
                    line(
                            "stablehlo.compare %s, %s, %s : %s",
                            kind, join(in), comparison(types.get(0).dtype()), signature);
            case Op.Select _ ->
                    line("stablehlo.select %s : %s, %s", join(in), tensor(types.get(0)), out);
            case Op.Convert _ -> line("stablehlo.convert %s : %s", in.get(0), signature);
            case Op.BroadcastInDim(_, var dims) ->
                    line(
                            "stablehlo.broadcast_in_dim %s, dims = %s : %s",
                            in.get(0), dims, signature);
            case Op.Reshape _ -> line("stablehlo.reshape %s : %s", in.get(0), signature);
            case Op.Transpose(var dims) ->
                    line("stablehlo.transpose %s, dims = %s : %s", in.get(0), dims, signature);
            case Op.Reduce reduce -> reduce(reduce, in.get(0), types.get(0), node.type());
            case Op.DotGeneral dot -> dot(dot, in, signature);
            case Op.Convolution conv -> convolution(conv, in, signature);
            case Op.Slice slice -> slice(slice, in.get(0), signature);
            case Op.Pad(var low, var high, var interior) ->
                    line(
                            "stablehlo.pad %s, low = %s, high = %s, interior = %s : %s",
                            join(in), low, high, interior, signature);
            case Op.Concatenate(int dim) ->
                    line("stablehlo.concatenate %s, dim = %d : %s", join(in), dim, signature);
            case Op.Reverse(var dims) ->
                    line("stablehlo.reverse %s, dims = %s : %s", in.get(0), dims, out);
            case Op.StopGradient _, Op.ShardingConstraint _ -> in.get(0);
            case Op.ArgMax(int dim) -> regions.argMax(dim, in.get(0), types.get(0), node.type());
            case Op.Take(int dim) -> regions.gather(dim, in, types, signature);
            case Op.ScatterAdd(int dim) -> regions.scatter(dim, in, types, signature);
            case Op.DynamicSlice(var sizes) -> indexing.dynamicSlice(sizes, in, signature);
            case Op.DynamicUpdateSlice _ ->
                    line("stablehlo.dynamic_update_slice %s : %s", join(in), signature);
            case Op.Gather gather -> indexing.gather(gather, in, signature);
            case Op.Scatter scatter ->
                    indexing.scatter(scatter, in, types.get(0).dtype(), signature);
            case Op.ArgSort sort -> indexing.argSort(sort, in.get(0), types.get(0), node.type());
            case Op.AllReduce all -> regions.allReduce(all, in.get(0), types.get(0));
            case Op.AllGather gather -> regions.allGather(gather, in.get(0), signature);
            case Op.ReduceScatter scatter ->
                    regions.reduceScatter(scatter, in.get(0), types.get(0), signature);
            case Op.ShardOf shard -> regions.shardOf(shard, in.get(0), types.get(0), node.type());
            case Op.AxisIndex(var axis) -> regions.axisIndex(axis);
            case Op.AllToAll all -> regions.allToAll(all, in.get(0), signature);
            case Op.CollectivePermute permute -> regions.permute(permute, in.get(0), signature);
            case Op.FullToShard _ -> shape("SPMDFullToShardShape", in.get(0), signature);
            case Op.ShardToFull _ -> shape("SPMDShardToFullShape", in.get(0), signature);
            case Op.Cond cond -> flow.cond(cond, in);
            case Op.While loop -> flow.loop(loop, in, types);
            case Op.Scan scan -> flow.scan(scan, in, types);
            case Op.Result(int index, _) ->
                    in.getFirst().substring(0, in.getFirst().lastIndexOf('#') + 1) + index;
            case Op.OptimizationBarrier _ ->
                    several(
                            in.size(),
                            "stablehlo.optimization_barrier %s : %s"
                                    .formatted(
                                            join(in),
                                            join(types.stream().map(StableHlo::tensor).toList())));
            case Op.Remat _, Op.CustomVjp _ ->
                    throw new IllegalStateException(node.op() + " is inlined before it is shown");
        };
    }

    /// Into or out of `shardMap`, as XLA's partitioner calls it.
    private String shape(String target, String x, String signature) {
        return line("stablehlo.custom_call @%s(%s) : %s", target, x, signature);
    }

    /// StableHLO has neither abs nor sign of unsigned integers.
    private static boolean isUnsigned(Node node) {
        return node.type().dtype().isUnsigned();
    }

    private String one(Node node) {
        return constant("1", node.type());
    }

    String constant(String dense, ArrayType type) {
        var literal = "stablehlo.constant dense<" + dense + "> : " + tensor(type);
        return literals.computeIfAbsent(literal, text -> write("", text));
    }

    private String reduce(Op.Reduce reduce, String x, ArrayType type, ArrayType result) {
        var scalar = ArrayType.of(type.dtype());
        var init = constant(StableHloLiterals.identity(reduce.kind(), type.dtype()), scalar);
        return line(
                "stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = %s : %s",
                x,
                init,
                combiner(reduce.kind()),
                reduce.dims(),
                signature(List.of(type, scalar), result));
    }

    private String dot(Op.DotGeneral dot, List<String> in, String signature) {
        var batch =
                dot.lhsBatch().isEmpty()
                        ? ""
                        : " batching_dims = %s x %s,".formatted(dot.lhsBatch(), dot.rhsBatch());
        return line(
                "stablehlo.dot_general %s,%s contracting_dims = %s x %s : %s",
                join(in), batch, dot.lhsContract(), dot.rhsContract(), signature);
    }

    private String convolution(Op.Convolution conv, List<String> in, String signature) {
        // Each spatial dimension brings its comma, so that there may be none.
        var spatial = new StringBuilder();
        var pads = new StringJoiner(", ", "[", "]");
        for (int i = 0; i < conv.strides().size(); i++) {
            spatial.append(i).append(", ");
            pads.add("[" + conv.low().get(i) + ", " + conv.high().get(i) + "]");
        }
        return line(
                "stablehlo.convolution(%s) dim_numbers = [b, %sf]x[%si, o]->[b, %sf], window ="
                        + " {stride = %s, pad = %s, lhs_dilate = %s, rhs_dilate = %s}"
                        + " {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : %s",
                join(in),
                spatial,
                spatial,
                spatial,
                conv.strides(),
                pads,
                conv.inputDilation(),
                conv.kernelDilation(),
                signature);
    }

    private String slice(Op.Slice slice, String x, String signature) {
        var parts = new StringJoiner(", ", "[", "]");
        for (int i = 0; i < slice.start().size(); i++) {
            int stride = slice.stride().get(i);
            parts.add(
                    slice.start().get(i)
                            + ":"
                            + slice.limit().get(i)
                            + (stride == 1 ? "" : ":" + stride));
        }
        return line("stablehlo.slice %s %s : %s", x, parts, signature);
    }

    static String tensor(ArrayType type) {
        return type.shape().dims().stream()
                .map(dim -> dim + "x")
                .collect(Collectors.joining("", "tensor<", type.dtype().stableName() + ">"));
    }

    static String signature(List<ArrayType> operands, ArrayType result) {
        return "("
                + join(operands.stream().map(StableHlo::tensor).toList())
                + ") -> "
                + tensor(result);
    }

    static String join(List<String> parts) {
        return String.join(", ", parts);
    }

    static String comparison(DType dtype) {
        boolean unsigned = dtype == DType.BOOL || dtype.isUnsigned();
        return dtype.isFloat() ? "FLOAT" : unsigned ? "UNSIGNED" : "SIGNED";
    }

    static String combiner(Op.ReduceKind kind) {
        return switch (kind) {
            case SUM -> "add";
            case MAX -> "maximum";
            case MIN -> "minimum";
            case PRODUCT -> "multiply";
        };
    }

    private static String lower(Enum<?> kind) {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String word(Op.UnaryKind kind) {
        return switch (kind) {
            case EXP -> "exponential";
            case EXPM1 -> "exponential_minus_one";
            case LOG1P -> "log_plus_one";
            case SIN -> "sine";
            case COS -> "cosine";
            default -> lower(kind);
        };
    }
}
