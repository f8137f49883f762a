package org.meshbook.elastic.graph;

import static org.meshbook.elastic.graph.StableHlo.combiner;
import static org.meshbook.elastic.graph.StableHlo.comparison;
import static org.meshbook.elastic.graph.StableHlo.join;
import static org.meshbook.elastic.graph.StableHlo.signature;
import static org.meshbook.elastic.graph.StableHlo.tensor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.mesh.Mesh;

/// The operations of [StableHlo] that have an inner function, index maps or groups of devices.
final class StableHloRegions {
    private static final ArrayType INDEX = ArrayType.of(DType.I32);

    private final StableHlo out;
    private final Optional<Mesh> mesh;
    private int channels;

    StableHloRegions(StableHlo out, Optional<Mesh> mesh) {
        this.out = out;
        this.mesh = mesh;
    }

    StableHloRegions inside(StableHlo inner) {
        return new StableHloRegions(inner, mesh);
    }

    String argMax(int dim, String x, ArrayType type, ArrayType result) {
        var scalar = ArrayType.of(type.dtype());
        var indices = new ArrayType(DType.I32, type.shape());
        var values = new ArrayType(type.dtype(), result.shape());
        var counted = out.line("stablehlo.iota dim = %d : %s", dim, tensor(indices));
        var least = out.constant(StableHloLiterals.least(type.dtype()), scalar);
        var zero = out.constant("0", INDEX);
        var pair =
                out.pair(
                        """
                        stablehlo.reduce(%s init: %s), (%s init: %s) across dimensions = [%d] : (%s, %s, %s, %s) -> (%s, %s)
                             reducer(%%a: %s, %%b: %s) (%%i: tensor<i32>, %%j: tensor<i32>) {
                              %%gt = stablehlo.compare GT, %%a, %%b, %s : (%s, %s) -> tensor<i1>
                              %%nan = stablehlo.compare NE, %%a, %%a, %s : (%s, %s) -> tensor<i1>
                              %%left = stablehlo.or %%gt, %%nan : tensor<i1>
                              %%eq = stablehlo.compare EQ, %%a, %%b, %s : (%s, %s) -> tensor<i1>
                              %%lt = stablehlo.compare LT, %%i, %%j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                              %%tie = stablehlo.and %%eq, %%lt : tensor<i1>
                              %%first = stablehlo.or %%left, %%tie : tensor<i1>
                              %%v = stablehlo.select %%left, %%a, %%b : tensor<i1>, %s
                              %%k = stablehlo.select %%first, %%i, %%j : tensor<i1>, tensor<i32>
                              stablehlo.return %%v, %%k : %s, tensor<i32>
                            }""",
                        x,
                        least,
                        counted,
                        zero,
                        dim,
                        tensor(type),
                        tensor(indices),
                        tensor(scalar),
                        tensor(INDEX),
                        tensor(values),
                        tensor(result),
                        tensor(scalar),
                        tensor(scalar),
                        comparison(type.dtype()),
                        tensor(scalar),
                        tensor(scalar),
                        comparison(type.dtype()),
                        tensor(scalar),
                        tensor(scalar),
                        comparison(type.dtype()),
                        tensor(scalar),
                        tensor(scalar),
                        tensor(scalar),
                        tensor(scalar));
        return pair + "#1";
    }

    String gather(int dim, List<String> in, List<ArrayType> types, String signature) {
        var x = types.get(0).shape();
        int indexRank = types.get(1).shape().rank();
        var sizes = new ArrayList<>(x.dims());
        sizes.set(dim, 1);
        return out.line(
                "\"stablehlo.gather\"(%s) <{dimension_numbers = #stablehlo.gather<offset_dims = %s,"
                        + " collapsed_slice_dims = [%d], start_index_map = [%d], index_vector_dim ="
                        + " %d>, slice_sizes = array<i64: %s>, indices_are_sorted = false}> : %s",
                join(in),
                windowDims(dim, x.rank(), indexRank),
                dim,
                dim,
                indexRank,
                sizes.stream().map(String::valueOf).collect(Collectors.joining(", ")),
                signature);
    }

    String scatter(int dim, List<String> in, List<ArrayType> types, String signature) {
        int indexRank = types.get(1).shape().rank();
        return out.line(
                "\"stablehlo.scatter\"(%s) <{scatter_dimension_numbers ="
                        + " #stablehlo.scatter<update_window_dims = %s, inserted_window_dims ="
                        + " [%d], scatter_dims_to_operand_dims = [%d], index_vector_dim = %d>,"
                        + " indices_are_sorted = false, unique_indices = false}> (%s) : %s",
                join(in),
                windowDims(dim, types.get(0).shape().rank(), indexRank),
                dim,
                dim,
                indexRank,
                region(Op.ReduceKind.SUM, types.get(0).dtype()),
                signature);
    }

    /// Result dimensions that come from the array and not from the indices.
    private static List<Integer> windowDims(int dim, int rank, int indexRank) {
        return IntStream.range(0, rank - 1).map(i -> i < dim ? i : i + indexRank).boxed().toList();
    }

    private static String region(Op.ReduceKind kind, DType dtype) {
        var scalar = tensor(ArrayType.of(dtype));
        return """
        {
            ^bb0(%%a: %s, %%b: %s):
              %%r = stablehlo.%s %%a, %%b : %s
              stablehlo.return %%r : %s
            }"""
                .formatted(scalar, scalar, combiner(kind), scalar, scalar);
    }

    String allReduce(Op.AllReduce all, String x, ArrayType type) {
        return out.line(
                "\"stablehlo.all_reduce\"(%s) <{%s}> (%s) : %s",
                x,
                groups(all.axes()),
                region(all.kind(), type.dtype()),
                signature(List.of(type), type));
    }

    String allGather(Op.AllGather gather, String x, String signature) {
        return out.line(
                "\"stablehlo.all_gather\"(%s) <{all_gather_dim = %d : i64, %s}> : %s",
                x, gather.dim(), groups(gather.axes()), signature);
    }

    String reduceScatter(Op.ReduceScatter scatter, String x, ArrayType type, String signature) {
        return out.line(
                "\"stablehlo.reduce_scatter\"(%s) <{scatter_dimension = %d : i64, %s}> (%s) : %s",
                x,
                scatter.dim(),
                groups(scatter.axes()),
                region(Op.ReduceKind.SUM, type.dtype()),
                signature);
    }

    String shardOf(Op.ShardOf shard, String x, ArrayType type, ArrayType result) {
        var start = out.constant("0", INDEX);
        for (var axis : shard.axes()) {
            var size = out.constant(String.valueOf(mesh().size(axis)), INDEX);
            start = out.line("stablehlo.multiply %s, %s : tensor<i32>", start, size);
            start = out.line("stablehlo.add %s, %s : tensor<i32>", start, axisIndex(axis));
        }
        var piece = out.constant(String.valueOf(result.shape().dim(shard.dim())), INDEX);
        start = out.line("stablehlo.multiply %s, %s : tensor<i32>", start, piece);
        var zero = out.constant("0", INDEX);
        var starts = new ArrayList<String>();
        var types = new ArrayList<>(List.of(type));
        for (int i = 0; i < type.shape().rank(); i++) {
            starts.add(i == shard.dim() ? start : zero);
            types.add(INDEX);
        }
        return out.line(
                "stablehlo.dynamic_slice %s, %s, sizes = %s : %s",
                x, join(starts), result.shape().dims(), signature(types, result));
    }

    String allToAll(Op.AllToAll all, String x, String signature) {
        return out.line(
                "\"stablehlo.all_to_all\"(%s) <{split_dimension = %d : i64, concat_dimension = %d :"
                        + " i64, split_count = %d : i64, %s}> : %s",
                x,
                all.splitDim(),
                all.concatDim(),
                all.size(),
                channel() + ", " + replicas(List.of(all.axis())),
                signature);
    }

    /// The same permutation in each group of devices that differ only along the axis.
    String permute(Op.CollectivePermute permute, String x, String signature) {
        var pairs = new ArrayList<List<Integer>>();
        for (var group : members(List.of(permute.axis()))) {
            for (int i = 0; i < permute.sources().size(); i++) {
                int from = group.get(permute.sources().get(i));
                pairs.add(List.of(from, group.get(permute.targets().get(i))));
            }
        }
        return out.line(
                "\"stablehlo.collective_permute\"(%s) <{%s, source_target_pairs = dense<%s> :"
                        + " tensor<%dx2xi64>}> : %s",
                x, channel(), pairs, pairs.size(), signature);
    }

    String axisIndex(String axis) {
        int below = 1;
        for (int i = mesh().position(axis) + 1; i < mesh().axes().size(); i++) {
            below *= mesh().axes().get(i).size();
        }
        var id = out.line("stablehlo.partition_id : tensor<ui32>");
        var place = out.line("stablehlo.convert %s : (tensor<ui32>) -> tensor<i32>", id);
        var divisor = out.constant(String.valueOf(below), INDEX);
        var row = out.line("stablehlo.divide %s, %s : tensor<i32>", place, divisor);
        var size = out.constant(String.valueOf(mesh().size(axis)), INDEX);
        return out.line("stablehlo.remainder %s, %s : tensor<i32>", row, size);
    }

    private String groups(List<String> axes) {
        return channel() + ", " + replicas(axes) + ", use_global_device_ids";
    }

    private String channel() {
        return "channel_handle = #stablehlo.channel_handle<handle = %d, type = 1>"
                .formatted(++channels);
    }

    private String replicas(List<String> axes) {
        var groups = members(axes);
        return "replica_groups = dense<%s> : tensor<%dx%dxi64>"
                .formatted(groups, groups.size(), groups.getFirst().size());
    }

    private LinkedHashSet<List<Integer>> members(List<String> axes) {
        var groups = new LinkedHashSet<List<Integer>>();
        for (int place = 0; place < mesh().devices().size(); place++) {
            groups.add(mesh().group(place, axes));
        }
        return groups;
    }

    private Mesh mesh() {
        return mesh.orElseThrow(
                () ->
                        new UsageError(
                                "a graph with collectives is shown for a mesh; use text(graph,"
                                        + " mesh)"));
    }
}
