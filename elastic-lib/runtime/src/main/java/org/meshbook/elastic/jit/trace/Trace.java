package org.meshbook.elastic.jit.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.collective.Varying;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;

/// One run of a function with arrays that write down what is asked of them.
///
/// Traces nest: a gradient that is asked for inside a traced function is a trace within a trace.
/// The inner one takes arrays of the outer as captured inputs. Used by one thread.
public final class Trace {
    private static final ScopedValue<Trace> INNERMOST = ScopedValue.newInstance();

    private final GraphBuilder builder;
    private final int depth;
    private final List<Array> captured = new ArrayList<>();
    private final Map<Array, Integer> lifted = new IdentityHashMap<>();
    private final Map<Integer, Set<String>> varying = new HashMap<>();
    private boolean open = true;

    private Trace(String name) {
        this.builder = new GraphBuilder(name);
        this.depth = INNERMOST.isBound() ? INNERMOST.get().depth + 1 : 0;
    }

    /// A function as a graph.
    ///
    /// @param graph parameters are the arguments' arrays, then the captured ones
    /// @param captured arrays that the function used and that are no arguments: placed, or of an
    ///   outer trace
    /// @param structure of the result
    public record Result(Graph graph, List<Array> captured, Structure structure) {
        /// @return whether it uses arrays of an outer trace, and so is good for one call only
        public boolean depends() {
            return captured.stream().anyMatch(Traced.class::isInstance);
        }
    }

    /// Traces a function.
    ///
    /// @param name of the graph
    /// @param parameters types of the arguments' arrays
    /// @param body takes one array a parameter, yields a tree
    /// @return the graph
    public static Result of(
            String name, List<ArrayType> parameters, Function<List<Array>, Object> body) {
        return of(name, parameters, Collections.nCopies(parameters.size(), Set.of()), body);
    }

    /// Traces a function, maybe one for a device of many.
    ///
    /// @param name of the graph
    /// @param parameters types of the arguments' arrays
    /// @param varying for each parameter the axes along which devices hold different values
    /// @param body takes one array a parameter, yields a tree
    /// @return the graph
    public static Result of(
            String name,
            List<ArrayType> parameters,
            List<Set<String>> varying,
            Function<List<Array>, Object> body) {
        var trace = new Trace(name);
        try {
            return ScopedValue.where(INNERMOST, trace)
                    .call(() -> trace.record(parameters, varying, body));
        } finally {
            trace.open = false;
        }
    }

    private Result record(
            List<ArrayType> parameters,
            List<Set<String>> varies,
            Function<List<Array>, Object> body) {
        var arguments = new ArrayList<Array>();
        for (int i = 0; i < parameters.size(); i++) {
            int value = builder.parameter(parameters.get(i));
            varying.put(value, varies.get(i));
            arguments.add(new Traced(this, value, parameters.get(i)));
        }
        var result = Tree.flatten(called(body, arguments));
        var values = result.leaves().stream().map(this::lift).toList();
        return new Result(builder.build(values), List.copyOf(captured), result.structure());
    }

    /// Java infers `HostArray` for the parameter of a method reference that is given one.
    private static Object called(Function<List<Array>, Object> body, List<Array> arguments) {
        try {
            return body.apply(arguments);
        } catch (ClassCastException e) {
            var text = String.valueOf(e.getMessage());
            if (!text.contains(Traced.class.getName()) || !text.contains("HostArray")) {
                throw e;
            }
            throw new UsageError(
                    "a traced array is no HostArray; declare the function's parameters as Array, as"
                            + " in (Array x) -> f(x), and carry Arrays, as in (Array) Array.of(1f)");
        }
    }

    int depth() {
        return depth;
    }

    /// Writes an operation down.
    ///
    /// @param op the operation
    /// @param operands its operands, of any kind
    /// @return its result, or the first of them
    public Array apply(Op op, List<Array> operands) {
        var values = operands.stream().map(this::lift).toList();
        return traced(add(op, values));
    }

    private int add(Op op, List<Integer> inputs) {
        int value = builder.add(op, inputs);
        varying.computeIfAbsent(
                value, _ -> Varying.result(op, inputs.stream().map(this::varying).toList()));
        return value;
    }

    private Set<String> varying(int value) {
        return varying.getOrDefault(value, Set.of());
    }

    /// @param array any array
    /// @return the axes along which it differs from device to device; none outside of `shardMap`
    public static Set<String> varying(Array array) {
        return array instanceof Traced traced ? traced.trace().varying(traced.value()) : Set.of();
    }

    /// Writes an operation of several results down.
    ///
    /// @param op an operation that holds functions
    /// @param operands its operands
    /// @return all its results
    public List<Array> applyAll(Op op, List<Array> operands) {
        var types = op.inferAll(operands.stream().map(Array::type).toList());
        int first = add(op, operands.stream().map(this::lift).toList());
        var results = new ArrayList<Array>();
        results.add(traced(first));
        for (int i = 1; i < types.size(); i++) {
            results.add(traced(add(new Op.Result(i, types.get(i)), List.of(first))));
        }
        return results;
    }

    /// Writes a whole graph down.
    ///
    /// @param graph the graph
    /// @param inputs one array a parameter
    /// @return its results
    public List<Array> call(Graph graph, List<Array> inputs) {
        var values = inline(graph, inputs);
        return graph.results().stream().map(values::get).toList();
    }

    /// @param type of the array
    /// @param value of each element
    /// @return the uniform array, written down here
    public Array fill(ArrayType type, double value) {
        HostArray scalar = Array.full(type.dtype(), value);
        return type.shape().rank() == 0
                ? apply(new Op.Constant(scalar), List.of())
                : apply(new Op.BroadcastInDim(type.shape(), List.of()), List.of(scalar));
    }

    /// @return the run in whose function the caller stands
    /// @throws java.util.NoSuchElementException if there is none
    public static Trace current() {
        return INNERMOST.get();
    }

    private Traced traced(int value) {
        return new Traced(this, value, builder.type(value));
    }

    /// @param array any array
    /// @return the same as one of this trace
    public Array lifted(Array array) {
        return traced(lift(array));
    }

    /// Writes a whole graph down.
    ///
    /// @param graph the graph
    /// @param inputs one array a parameter
    /// @return every value of the graph, by its number
    public List<Array> inline(Graph graph, List<Array> inputs) {
        var values = new ArrayList<Integer>(inputs.stream().map(this::lift).toList());
        for (var node : graph.nodes()) {
            values.add(add(node.op(), node.inputs().stream().map(values::get).toList()));
        }
        return values.stream().map(value -> (Array) traced(value)).toList();
    }

    /// @param arrays of this trace or another, placed, or of this host
    /// @return the same as arrays of this trace
    public List<Array> own(List<? extends Array> arrays) {
        return arrays.stream().map(array -> (Array) traced(lift(array))).toList();
    }

    private int lift(Array array) {
        require();
        return switch (array) {
            case Traced traced when traced.trace() == this -> traced.value();
            case HostArray host -> constant(host);
            case Traced outer -> {
                outer.trace().require();
                UsageError.require(
                        outer.trace().depth < depth,
                        "%s belongs to an inner function; return it from there first",
                        outer);
                yield capture(outer);
            }
            default -> capture(array);
        };
    }

    private void require() {
        UsageError.require(
                open,
                "a traced array was used after its function returned; return it in place of storing"
                        + " it");
    }

    private int capture(Array array) {
        return lifted.computeIfAbsent(
                array,
                _ -> {
                    captured.add(array);
                    int value = builder.parameter(array.type());
                    varying.put(value, varying(array));
                    return value;
                });
    }

    private int constant(HostArray host) {
        return lifted.computeIfAbsent(host, _ -> constant(builder, host));
    }

    /// A uniform array becomes a scalar that is broadcast, so that programs stay small.
    ///
    /// @param builder the graph that is being built
    /// @param host the array
    /// @return its number there
    public static int constant(GraphBuilder builder, HostArray host) {
        var type = host.type();
        if (type.shape().rank() > 0 && uniform(host)) {
            var bytes = host.bytes().limit(type.dtype().bytes());
            var scalar = HostArray.wrap(ArrayType.of(type.dtype()), bytes);
            int value = builder.add(new Op.Constant(scalar), List.of());
            return builder.add(new Op.BroadcastInDim(type.shape(), List.of()), List.of(value));
        }
        return builder.add(new Op.Constant(host), List.of());
    }

    /// @param host an array
    /// @return whether all its elements are the same bits
    public static boolean uniform(HostArray host) {
        if (host.type().shape().size() == 0) {
            return false;
        }
        var bytes = host.bytes();
        int width = host.type().dtype().bytes();
        var rest = bytes.duplicate().position(width);
        return rest.equals(bytes.duplicate().limit(bytes.limit() - width));
    }
}
