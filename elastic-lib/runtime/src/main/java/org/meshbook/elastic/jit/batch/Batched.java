package org.meshbook.elastic.jit.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;
import org.meshbook.elastic.jit.trace.Trace;

/// A function's results for many examples.
///
/// @param values the results; those that are mapped have the examples along dimension 0
/// @param mapped whether each differs between examples
public record Batched(List<Array> values, boolean[] mapped) {

    /// Writes a function down for many examples at once.
    ///
    /// @param trace where
    /// @param graph the function of one example
    /// @param inputs one array a parameter
    /// @param mapped which of them have the examples along dimension 0
    /// @param size number of examples
    /// @return the results
    public static Batched of(
            Trace trace, Graph graph, List<Array> inputs, boolean[] mapped, int size) {
        var all = new ArrayList<Batched>();
        for (int i = 0; i < inputs.size(); i++) {
            all.add(new Batched(List.of(inputs.get(i)), new boolean[] {mapped[i]}));
        }
        for (var node : graph.nodes()) {
            all.add(of(trace, node, all, size));
        }
        var flags = new boolean[graph.results().size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = all.get(graph.results().get(i)).mapped()[0];
        }
        return new Batched(
                graph.results().stream().map(r -> all.get(r).values().getFirst()).toList(), flags);
    }

    private static Batched of(Trace trace, Node node, List<Batched> all, int size) {
        if (node.op() instanceof Op.Result(int index, _)) {
            var made = all.get(node.inputs().getFirst());
            return new Batched(
                    List.of(made.values().get(index)), new boolean[] {made.mapped()[index]});
        }
        var in = node.inputs().stream().map(i -> all.get(i).values().getFirst()).toList();
        var mapped = new boolean[in.size()];
        for (int i = 0; i < mapped.length; i++) {
            mapped[i] = all.get(node.inputs().get(i)).mapped()[0];
        }
        boolean any = any(mapped);
        if (!node.op().bodies().isEmpty()) {
            if (any) {
                return new FlowBatch(trace, in, mapped, size).of(node.op());
            }
            var values = trace.applyAll(node.op(), in);
            return new Batched(values, new boolean[values.size()]);
        }
        var value =
                any
                        ? new BatchRule(trace, in, mapped, size).of(node.op())
                        : trace.apply(node.op(), in);
        return new Batched(List.of(value), new boolean[] {any});
    }

    /// The function as a graph of its own.
    ///
    /// @param wanted results that are to be mapped, whether they differ or not
    static Graph graph(Graph graph, boolean[] mapped, boolean[] wanted, int size) {
        var types = new ArrayList<ArrayType>();
        for (int i = 0; i < mapped.length; i++) {
            types.add(batched(graph.parameters().get(i), mapped[i], size));
        }
        return Trace.of(
                        graph.name() + "_vmap",
                        types,
                        in -> {
                            var trace = Trace.current();
                            var made = of(trace, graph, in, mapped, size);
                            return IntStream.range(0, wanted.length)
                                    .mapToObj(
                                            i ->
                                                    wanted[i] && !made.mapped()[i]
                                                            ? repeated(
                                                                    trace,
                                                                    made.values().get(i),
                                                                    size)
                                                            : made.values().get(i))
                                    .toList();
                        })
                .graph();
    }

    /// Which results differ between examples.
    static boolean[] results(Graph graph, boolean[] mapped, int size) {
        var types = new ArrayList<ArrayType>();
        for (int i = 0; i < mapped.length; i++) {
            types.add(batched(graph.parameters().get(i), mapped[i], size));
        }
        var flags = new boolean[graph.results().size()];
        Trace.of(
                graph.name(),
                types,
                in -> {
                    var made = of(Trace.current(), graph, in, mapped, size);
                    System.arraycopy(made.mapped(), 0, flags, 0, flags.length);
                    return List.of();
                });
        return flags;
    }

    /// @param trace where
    /// @param x the same for all examples
    /// @param size number of examples
    /// @return the array once for each of them, along dimension 0
    public static Array repeated(Trace trace, Array x, int size) {
        var dims = IntStream.rangeClosed(1, x.shape().rank()).boxed().toList();
        return trace.apply(new Op.BroadcastInDim(x.shape().after(size), dims), List.of(x));
    }

    private static ArrayType batched(ArrayType type, boolean mapped, int size) {
        return mapped ? new ArrayType(type.dtype(), type.shape().after(size)) : type;
    }

    static boolean any(boolean[] flags) {
        for (boolean flag : flags) {
            if (flag) {
                return true;
            }
        }
        return false;
    }
}
