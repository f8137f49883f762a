package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.shard.Shards;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// Turns a graph of whole arrays into the graph that each device of a mesh runs on its shards.
///
/// Shardings of the inputs spread forward, one operation after another. Sums over a cut dimension
/// become a local sum and an AllReduce, so that a mean over a cut batch is the mean of the whole
/// batch. An operand that is whole where its partner is cut is cut without communication; where
/// cuts conflict, or an operation has no rule for a cut dimension, that dimension is gathered
/// first. Where a sum over devices is only wanted in pieces, each device gets its piece of it
/// ([ScatteredSums]). `withSharding` says how a value is to be cut where the inputs' shardings do
/// not lead there.
///
/// Source: GSPMD, https://arxiv.org/abs/2105.04663, section 3; only its forward pass.
final class Partitioner {
    private final Graph graph;
    private final LocalGraph local;
    private final Mesh mesh;
    private final List<Piece> pieces = new ArrayList<>();

    /// All results of the operations that have more than one.
    private final Map<Integer, List<Piece>> flows = new HashMap<>();

    private Partitioner(Graph graph, Mesh mesh) {
        this.graph = graph;
        this.mesh = mesh;
        this.local = new LocalGraph(graph.name(), mesh);
    }

    /// @param graph a graph whose collectives, if any, stand in a `shardMap`
    /// @param mesh its axes matter, its devices do not
    /// @param inputs for each parameter the axes that cut each dimension
    /// @return the per-device graph and how its results are cut
    /// @throws org.meshbook.elastic.MeshMismatch if a cut does not divide
    static Partitioned partition(Graph graph, Mesh mesh, List<List<List<String>>> inputs) {
        var partitioner = new Partitioner(graph, mesh);
        for (int i = 0; i < graph.parameters().size(); i++) {
            var whole = graph.parameters().get(i);
            var sharding = new Sharding(mesh, inputs.get(i));
            partitioner.pieces.add(
                    partitioner.local.parameter(Shards.type(whole, sharding), sharding));
        }
        for (var node : graph.nodes()) {
            partitioner.pieces.add(partitioner.node(node));
        }
        var results = graph.results().stream().map(partitioner.pieces::get).toList();
        return new Partitioned(
                partitioner.local.build(results), results.stream().map(Piece::cuts).toList());
    }

    private Piece node(Node node) {
        var in = node.inputs().stream().map(pieces::get).toList();
        var whole = node.type().shape();
        return switch (node.op()) {
            case Op.Constant _, Op.Iota _ -> local.add(node.op(), Cuts.none(whole.rank()));
            case Op.Unary _, Op.Convert _, Op.Binary _, Op.Compare _, Op.Select _ ->
                    elementwise(node.op(), in);
            case Op.StopGradient _ -> in.getFirst();
            case Op.BroadcastInDim(_, var dims) -> broadcast(in.getFirst(), whole, dims);
            case Op.Reshape _ -> reshape(in.getFirst(), operand(node, 0), whole);
            case Op.Transpose(var permutation) ->
                    local.add(
                            node.op(),
                            permutation.stream().map(in.getFirst().cuts()::get).toList(),
                            in.getFirst());
            case Op.Reduce reduce -> reduce(reduce, in.getFirst());
            case Op.ArgMax(int dim) -> {
                var x = local.gather(in.getFirst(), dim);
                yield local.add(node.op(), Cuts.without(x.cuts(), List.of(dim)), x);
            }
            case Op.DotGeneral dot -> new Contraction(local, in.get(0), in.get(1)).dot(dot);
            case Op.Convolution conv ->
                    new Contraction(local, in.get(0), in.get(1)).convolution(conv);
            case Op.Slice slice -> slice(slice, in.getFirst(), operand(node, 0));
            case Op.Pad pad -> {
                var x = in.getFirst();
                for (int i = 0; i < whole.rank(); i++) {
                    boolean same =
                            pad.low().get(i) == 0
                                    && pad.high().get(i) == 0
                                    && pad.interior().get(i) == 0;
                    x = same ? x : local.gather(x, i);
                }
                yield local.add(pad, x.cuts(), x, in.get(1));
            }
            case Op.Concatenate(int dim) ->
                    elementwise(node.op(), in.stream().map(x -> local.gather(x, dim)).toList());
            case Op.Reverse(var dims) -> {
                var x = in.getFirst();
                for (int dim : dims) {
                    x = local.gather(x, dim);
                }
                yield local.add(node.op(), x.cuts(), x);
            }
            case Op.Take(int dim) -> take(dim, in.get(0), in.get(1));
            case Op.ScatterAdd(int dim) -> scatter(dim, in, operand(node, 0));
            case Op.DynamicSlice slice -> index().dynamicSlice(slice, in, operand(node, 0));
            case Op.DynamicUpdateSlice op ->
                    index().dynamicUpdate(op, in, operand(node, 0), operand(node, 1));
            case Op.Gather gather -> index().gather(gather, in, operand(node, 0));
            case Op.Scatter scatter ->
                    index().scatter(scatter, in, operand(node, 0), operand(node, 2));
            case Op.ArgSort sort -> index().argSort(sort, in.getFirst());
            case Op.Cond _, Op.While _, Op.Scan _ -> {
                var results = new FlowPartition(local, mesh).of(node.op(), in);
                flows.put(pieces.size(), results);
                yield results.getFirst();
            }
            case Op.Result(int index, _) -> {
                var results = flows.getOrDefault(node.inputs().getFirst(), List.of());
                yield results.get(index);
            }
            case Op.OptimizationBarrier _ ->
                    local.add(node.op(), in.getFirst().cuts(), in.toArray(Piece[]::new));
            case Op.Remat _, Op.CustomVjp _ ->
                    throw new IllegalStateException(node.op() + " is inlined before");
            case Op.AllReduce _,
                    Op.AllGather _,
                    Op.ReduceScatter _,
                    Op.ShardOf _,
                    Op.AxisIndex _,
                    Op.AllToAll _,
                    Op.CollectivePermute _ ->
                    new Constraints(local).collective(node, in);
            case Op.ShardingConstraint(var spec) ->
                    new Constraints(local).constrained(spec, node.type(), in.getFirst());
            case Op.FullToShard(var axes, var spec) ->
                    new Constraints(local).toShard(axes, spec, in.getFirst());
            case Op.ShardToFull(_, var spec) ->
                    local.relabeled(in.getFirst(), Cuts.of(spec, whole.rank()));
        };
    }

    private IndexPartition index() {
        return new IndexPartition(local);
    }

    private Shape operand(Node node, int i) {
        return graph.type(node.inputs().get(i)).shape();
    }

    private Piece elementwise(Op op, List<Piece> in) {
        var cuts = Cuts.merge(in.stream().map(Piece::cuts).toList());
        return local.add(
                op, cuts, in.stream().map(x -> local.recut(x, cuts)).toArray(Piece[]::new));
    }

    private Piece broadcast(Piece x, Shape whole, List<Integer> dims) {
        var cuts = new ArrayList<>(Cuts.none(whole.rank()));
        for (int i = 0; i < dims.size(); i++) {
            cuts.set(dims.get(i), x.cuts().get(i));
        }
        return local.add(new Op.BroadcastInDim(local.shape(whole, cuts), dims), cuts, x);
    }

    /// Dimensions fall into groups of equal product; a cut of a group's first dimension stays.
    private Piece reshape(Piece x, Shape from, Shape to) {
        var cuts = new ArrayList<>(Cuts.none(to.rank()));
        var kept = new boolean[from.rank()];
        int i = 0;
        int j = 0;
        while (i < from.rank() && j < to.rank()) {
            int start = i;
            long a = from.dim(i++);
            int target = j;
            long b = to.dim(j++);
            if (a == 1 && i < from.rank() && b != 1) {
                j--;
                continue;
            }
            if (b == 1 && a != 1 && j < to.rank()) {
                i--;
                continue;
            }
            while (a != b && (a < b ? i < from.rank() : j < to.rank())) {
                if (a < b) {
                    a *= from.dim(i++);
                } else {
                    b *= to.dim(j++);
                }
            }
            if (a == b && to.dim(target) % local.count(x.cuts().get(start)) == 0) {
                cuts.set(target, x.cuts().get(start));
                kept[start] = true;
            }
        }
        for (int dim = 0; dim < from.rank(); dim++) {
            x = kept[dim] ? x : local.gather(x, dim);
        }
        return local.add(new Op.Reshape(local.shape(to, cuts)), cuts, x);
    }

    private Piece reduce(Op.Reduce reduce, Piece x) {
        var cuts = Cuts.without(x.cuts(), reduce.dims());
        var axes = reduce.dims().stream().flatMap(dim -> x.cuts().get(dim).stream()).toList();
        return local.allReduce(reduce.kind(), axes, local.add(reduce, cuts, x));
    }

    private Piece slice(Op.Slice slice, Piece x, Shape from) {
        var limit = new ArrayList<>(slice.limit());
        for (int i = 0; i < from.rank(); i++) {
            boolean whole =
                    slice.start().get(i) == 0
                            && slice.limit().get(i) == from.dim(i)
                            && slice.stride().get(i) == 1;
            if (whole) {
                limit.set(i, x.size(i));
            } else {
                x = local.gather(x, i);
            }
        }
        return local.add(new Op.Slice(slice.start(), limit, slice.stride()), x.cuts(), x);
    }

    private Piece take(int dim, Piece array, Piece indices) {
        var x = local.gather(array, dim);
        var used = indices.cuts().stream().flatMap(List::stream).toList();
        x = local.gatherAxes(x, used);
        var cuts = new ArrayList<>(x.cuts().subList(0, dim));
        cuts.addAll(indices.cuts());
        cuts.addAll(x.cuts().subList(dim + 1, x.cuts().size()));
        return local.add(new Op.Take(dim), cuts, x, indices);
    }

    /// Where the updates are cut, each device adds its own into zeros, and the sums are added up.
    private Piece scatter(int dim, List<Piece> in, Shape whole) {
        var x = local.gather(in.get(0), dim);
        int count = in.get(1).cuts().size();
        int rank = whole.rank();
        var updateCuts = in.get(2).cuts();
        // 1. how indices are cut, and with which axes
        var indexCuts = Cuts.merge(List.of(in.get(1).cuts(), updateCuts.subList(dim, dim + count)));
        var axes = indexCuts.stream().flatMap(List::stream).toList();
        // 2. how the other dimensions are cut, free of those axes
        var around = new ArrayList<List<String>>(updateCuts.subList(0, dim));
        around.add(List.of());
        around.addAll(updateCuts.subList(dim + count, updateCuts.size()));
        var cuts =
                Cuts.merge(List.of(x.cuts(), around)).stream()
                        .map(cut -> cut.stream().anyMatch(axes::contains) ? List.<String>of() : cut)
                        .toList();
        var wanted = new ArrayList<>(cuts.subList(0, dim));
        wanted.addAll(indexCuts);
        wanted.addAll(cuts.subList(dim + 1, rank));
        // 3. cut all three alike
        x = local.recut(x, cuts);
        var indices = local.recut(in.get(1), indexCuts);
        var updates = local.recut(in.get(2), wanted);
        if (axes.isEmpty()) {
            return local.add(new Op.ScatterAdd(dim), cuts, x, indices, updates);
        }
        var zero = local.add(new Op.Constant(Array.zeros(local.type(x).dtype())), List.of());
        var zeros = local.add(new Op.BroadcastInDim(local.type(x).shape(), List.of()), cuts, zero);
        var own = local.add(new Op.ScatterAdd(dim), cuts, zeros, indices, updates);
        var sum = local.allReduce(Op.ReduceKind.SUM, axes, own);
        return local.add(new Op.Binary(Op.BinaryKind.ADD), cuts, x, sum);
    }

    static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
