package org.meshbook.elastic.engine.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// From a graph to an ONNX model, node by node.
///
/// A value of the graph may be represented by a smaller tensor that broadcasts to its shape:
/// elementwise operators of ONNX stretch such tensors as they go, so a broadcast costs nothing
/// until an operation needs all elements. Types without kernels are carried by wider ones
/// ([Carriers]). Values without elements never reach the model, nor does what no result needs.
final class Translation {
    private final Graph graph;
    private final Model model;
    private final Emit emit;
    private final Carriers carriers;
    private final ElementwiseTranslation elementwise;
    private final MovementTranslation movement;
    private final ReductionTranslation reduction;
    private final ContractionTranslation contraction;
    private final IndexTranslation index;
    private final @Nullable Value[] values;

    /// All results of the operations that have more than one.
    private final Map<Integer, List<Value>> flows = new HashMap<>();

    private Translation(Graph graph, Model model) {
        this.graph = graph;
        this.model = model;
        this.emit = new Emit(model);
        this.carriers = new Carriers(emit);
        this.elementwise = new ElementwiseTranslation(emit);
        this.movement = new MovementTranslation(emit);
        this.reduction = new ReductionTranslation(emit);
        this.contraction = new ContractionTranslation(emit);
        this.index = new IndexTranslation(emit);
        this.values = new @Nullable Value[graph.parameters().size() + graph.nodes().size()];
    }

    /// A model and how to feed it.
    ///
    /// @param model bytes of the model
    /// @param inputs parameters that the model takes, by number
    /// @param inputNames their names in the model
    /// @param outputs types of the model's outputs
    /// @param outputNames their names
    /// @param results where each of the graph's results comes from
    record Compiled(
            byte[] model,
            List<Integer> inputs,
            List<String> inputNames,
            List<ArrayType> outputs,
            List<String> outputNames,
            List<Source> results) {}

    /// Where a result comes from.
    sealed interface Source {
        record Parameter(int number) implements Source {}

        record Output(int number) implements Source {}

        record Literal(HostArray value) implements Source {}
    }

    static Compiled of(Graph graph) {
        return new Translation(graph, new Model()).translate();
    }

    /// Writes a function into a model.
    ///
    /// @param inputs one value a parameter, with all its elements
    /// @return the results with all their elements
    static List<Value> write(Graph graph, Model model, List<Value> inputs) {
        var translation = new Translation(graph, model);
        for (int i = 0; i < inputs.size(); i++) {
            translation.values[i] = inputs.get(i);
        }
        translation.nodes(translation.needed());
        return graph.results().stream().map(translation::full).toList();
    }

    private Compiled translate() {
        int parameters = graph.parameters().size();
        var needed = needed();
        var inputs = new ArrayList<Integer>();
        for (int i = 0; i < parameters; i++) {
            var type = graph.parameters().get(i);
            if (type.shape().size() == 0) {
                values[i] = Value.empty(Carriers.of(type));
            } else if (needed[i]) {
                values[i] = carriers.load(model.input("p" + i, type));
                inputs.add(i);
            }
        }
        nodes(needed);
        return results(inputs);
    }

    private void nodes(boolean[] needed) {
        int parameters = graph.parameters().size();
        for (int i = 0; i < graph.nodes().size(); i++) {
            var node = graph.nodes().get(i);
            if (isEmpty(node)) {
                values[parameters + i] = Value.empty(Carriers.of(node.type()));
            } else if (needed[parameters + i]) {
                model.label(node.op() + " " + node.type());
                values[parameters + i] = fitted(node, translate(node, parameters + i));
            }
        }
    }

    /// Of several results, some may have elements.
    private static boolean isEmpty(Node node) {
        return node.type().shape().size() == 0 && node.op().bodies().isEmpty();
    }

    private Value flow(int value, int index) {
        return Objects.requireNonNull(flows.get(value)).get(index);
    }

    private Value flow(Node node, int value) {
        var operands = node.inputs().stream().map(this::full).toList();
        var results = new FlowTranslation(model).of(node.op(), operands);
        flows.put(value, results);
        return results.getFirst();
    }

    /// Marks the values that the model must compute or take in.
    private boolean[] needed() {
        int parameters = graph.parameters().size();
        var needed = new boolean[parameters + graph.nodes().size()];
        for (int result : graph.results()) {
            needed[result] |= result >= parameters && !isLiteral(result);
        }
        for (int i = graph.nodes().size() - 1; i >= 0; i--) {
            var node = graph.nodes().get(i);
            if (needed[parameters + i] && !isEmpty(node)) {
                node.inputs().forEach(input -> needed[input] = true);
            }
        }
        return needed;
    }

    private boolean isLiteral(int value) {
        int parameters = graph.parameters().size();
        return graph.type(value).shape().size() == 0
                || (value >= parameters
                        && graph.nodes().get(value - parameters).op() instanceof Op.Constant);
    }

    private Compiled results(List<Integer> inputs) {
        int parameters = graph.parameters().size();
        var sources = new ArrayList<Source>();
        var outputs = new ArrayList<Integer>();
        for (int result : graph.results()) {
            if (result < parameters) {
                sources.add(new Source.Parameter(result));
            } else if (graph.nodes().get(result - parameters).op() instanceof Op.Constant literal) {
                sources.add(new Source.Literal(literal.value()));
            } else if (isLiteral(result)) {
                sources.add(new Source.Literal(HostArray.zeros(graph.type(result))));
            } else {
                if (!outputs.contains(result)) {
                    outputs.add(result);
                }
                sources.add(new Source.Output(outputs.indexOf(result)));
            }
        }
        var names = new ArrayList<String>();
        var taken = new HashSet<String>();
        for (int output : outputs) {
            var value = carriers.store(full(output), graph.type(output).dtype());
            // An output has to be a node's own, and one node's output is no two outputs.
            if (!value.name().startsWith("v") || !taken.add(value.name())) {
                value = emit.unary("Identity", value);
            }
            model.output(value);
            names.add(value.name());
        }
        return new Compiled(
                model.bytes(),
                List.copyOf(inputs),
                inputs.stream().map(i -> "p" + i).toList(),
                outputs.stream().map(graph::type).toList(),
                names,
                sources);
    }

    private Value translate(Node node, int value) {
        var type = node.type();
        return switch (node.op()) {
            case Op.Constant(var literal) -> model.constant(Carriers.literal(literal));
            case Op.Iota iota -> movement.iota(iota);
            case Op.Unary(var kind) -> elementwise.unary(kind, any(node, 0));
            case Op.Binary(var kind) ->
                    elementwise.binary(kind, any(node, 0), any(node, 1), type.dtype());
            case Op.Compare(var kind) -> elementwise.compare(kind, any(node, 0), any(node, 1));
            case Op.Select() -> emit.where(any(node, 0), any(node, 1), any(node, 2));
            case Op.Convert(var dtype) ->
                    carriers.convert(any(node, 0), operand(node, 0).dtype(), dtype);
            case Op.BroadcastInDim op ->
                    movement.broadcast(op, any(node, 0), operand(node, 0).shape().rank());
            case Op.Reshape(var shape) -> reshape(any(node, 0), full(node, 0), shape);
            case Op.Transpose(var permutation) -> emit.transpose(full(node, 0), permutation);
            case Op.Reduce(var kind, var dims) ->
                    reduction.reduce(kind, dims, full(node, 0), type.dtype());
            case Op.ArgMax(var dim) -> reduction.argMax(dim, full(node, 0));
            case Op.DotGeneral dot ->
                    contraction.dot(dot, full(node, 0), full(node, 1), type.shape());
            case Op.Convolution conv ->
                    contraction.convolve(conv, full(node, 0), full(node, 1), type.shape());
            case Op.Slice(var start, var limit, var stride) ->
                    emit.slice(full(node, 0), start, limit, stride);
            case Op.Pad pad -> movement.pad(pad, full(node, 0), full(node, 1));
            case Op.Concatenate(var dim) -> concatenate(node, dim);
            case Op.Reverse(var dims) -> movement.reverse(dims, full(node, 0));
            case Op.Take(var dim) -> take(node, dim);
            case Op.ScatterAdd(var dim) -> scatterAdd(node, dim);
            case Op.DynamicSlice(var sizes) ->
                    index.dynamicSlice(sizes, full(node, 0), scalars(node, 1));
            case Op.DynamicUpdateSlice() -> dynamicUpdate(node);
            case Op.Gather gather ->
                    index.gather(gather, full(node, 0), full(node, 1), type.shape());
            case Op.Scatter scatter -> scatter(node, scatter);
            case Op.ArgSort sort -> index.argSort(sort, full(node, 0));
            case Op.StopGradient(), Op.ShardingConstraint(_) -> any(node, 0);
            case Op.Cond _, Op.While _, Op.Scan _ -> flow(node, value);
            case Op.Result(int index, _) -> flow(node.inputs().getFirst(), index);
            case Op.OptimizationBarrier() ->
                    new FlowTranslation(model).barrier(full(node, 0), full(node, 1));
            case Op.Remat _, Op.CustomVjp _ ->
                    throw new IllegalStateException(node.op() + " is inlined before");
            case Op.AllReduce _,
                    Op.AllGather _,
                    Op.ReduceScatter _,
                    Op.ShardOf _,
                    Op.AxisIndex _,
                    Op.AllToAll _,
                    Op.CollectivePermute _,
                    Op.FullToShard _,
                    Op.ShardToFull _ ->
                    throw new IllegalStateException("collective " + node.op());
        };
    }

    /// What computes is rounded or wrapped to its type; what only moves elements fits already.
    private Value fitted(Node node, Value value) {
        if (node.type().dtype() == DType.U32) {
            return carriers.fit(value, DType.U32);
        }
        return switch (node.op()) {
            case Op.Constant _,
                    Op.Iota _,
                    Op.Compare _,
                    Op.Select _,
                    Op.Convert _,
                    Op.BroadcastInDim _,
                    Op.Reshape _,
                    Op.Transpose _,
                    Op.ArgMax _,
                    Op.Slice _,
                    Op.Pad _,
                    Op.Concatenate _,
                    Op.Reverse _,
                    Op.Take _,
                    Op.StopGradient _,
                    Op.Cond _,
                    Op.While _,
                    Op.Scan _,
                    Op.Result _,
                    Op.OptimizationBarrier _ ->
                    value;
            default -> carriers.fit(value, node.type().dtype());
        };
    }

    /// A single element needs no reshaping: it broadcasts to any shape.
    private static boolean isSingle(Value value) {
        return value.shape().rank() == 0;
    }

    private Value reshape(Value any, Value full, Shape shape) {
        return isSingle(any) ? any : emit.reshape(full, shape);
    }

    private Value concatenate(Node node, int dim) {
        var parts = new ArrayList<Value>();
        for (int i = 0; i < node.inputs().size(); i++) {
            var part = full(node, i);
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        return emit.concatenate(dim, parts);
    }

    private Value take(Node node, int dim) {
        var x = full(node, 0);
        if (x.isEmpty()) {
            throw new UsageError(
                    "take along dimension %d of %s: there is nothing to take from", dim, x.type());
        }
        return movement.take(dim, x, full(node, 1));
    }

    private Value scatterAdd(Node node, int dim) {
        var updates = full(node, 2);
        return updates.isEmpty()
                ? full(node, 0)
                : movement.scatterAdd(dim, full(node, 0), full(node, 1), updates);
    }

    private List<Value> scalars(Node node, int first) {
        return IntStream.range(first, node.inputs().size()).mapToObj(i -> full(node, i)).toList();
    }

    private Value dynamicUpdate(Node node) {
        var update = full(node, 1);
        return update.isEmpty()
                ? full(node, 0)
                : index.dynamicUpdate(full(node, 0), update, scalars(node, 2));
    }

    private Value scatter(Node node, Op.Scatter scatter) {
        var updates = full(node, 2);
        return updates.isEmpty()
                ? full(node, 0)
                : index.scatter(scatter, full(node, 0), full(node, 1), updates);
    }

    private ArrayType operand(Node node, int operand) {
        return graph.type(node.inputs().get(operand));
    }

    private Value any(Node node, int operand) {
        return seen(node, operand, Objects.requireNonNull(values[node.inputs().get(operand)]));
    }

    private Value full(Node node, int operand) {
        return seen(node, operand, full(node.inputs().get(operand)));
    }

    /// An operand as its operation has to see it: with its sign where that matters.
    private Value seen(Node node, int operand, Value carrier) {
        var dtype = operand(node, operand).dtype();
        boolean bits =
                dtype != DType.U32
                        || Signless.is(node.op(), node.inputs().stream().map(graph::type).toList());
        return bits ? carrier : carriers.number(carrier, dtype);
    }

    /// The value with all its elements; stretched at most once.
    private Value full(int number) {
        var value = Objects.requireNonNull(values[number]);
        var shape = graph.type(number).shape();
        if (value.shape().equals(shape)) {
            return value;
        }
        var full = emit.expand(value, shape);
        values[number] = full;
        return full;
    }
}
