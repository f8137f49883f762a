package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.trace.Trace;

/// Reverse-mode differentiation, from graph to graph.
public final class Gradient {
    private Gradient() {}

    /// Differentiates the only result of a graph.
    ///
    /// @param graph yields one float scalar
    /// @param by number of leading parameters to differentiate by
    /// @return a graph of the same parameters that yields the value, then one derivative each
    public static Graph of(Graph graph, int by) {
        return of(graph, by, Collections.nCopies(graph.parameters().size(), Set.of()));
    }

    /// Differentiates a graph that may be one device's of many.
    ///
    /// @param graph yields one float scalar
    /// @param by number of leading parameters to differentiate by
    /// @param varying for each parameter the axes along which devices hold different values
    /// @return a graph of the same parameters that yields the value, then one derivative each
    public static Graph of(Graph graph, int by, List<Set<String>> varying) {
        var result = graph.type(graph.results().getFirst());
        UsageError.require(
                graph.results().size() == 1
                        && result.shape().rank() == 0
                        && result.dtype().isFloat(),
                "a gradient is taken of one float scalar, the function yields %s; reduce it, as with"
                        + " mean()",
                graph.resultTypes());
        return Trace.of(
                        graph.name() + "_grad",
                        graph.parameters(),
                        varying,
                        in -> {
                            var trace = Trace.current();
                            var moving = Moving.leading(by, in.size());
                            var tape = Tape.of(trace, graph, in, moving);
                            var one = trace.fill(result, 1);
                            var back = tape.back(List.of(Optional.of(one)));
                            return join(tape.results(), zeroed(trace, back, in, moving));
                        })
                .graph();
    }

    /// A function and its way back in one graph.
    ///
    /// @param graph any function
    /// @param moving which parameters to differentiate by
    /// @param given for which results cotangents are given
    /// @return takes the parameters, then the cotangents; yields the results, then one cotangent
    ///   for each moving parameter
    public static Graph pullback(Graph graph, boolean[] moving, boolean[] given) {
        int first = graph.parameters().size();
        var types = new ArrayList<>(graph.parameters());
        types.addAll(Moving.chosen(graph.resultTypes(), given));
        return Trace.of(
                        graph.name() + "_vjp",
                        types,
                        all -> {
                            var trace = Trace.current();
                            var in = all.subList(0, first);
                            var tape = Tape.of(trace, graph, in, moving);
                            var cotangents = new ArrayList<Optional<Array>>();
                            int next = first;
                            for (boolean here : given) {
                                cotangents.add(
                                        here ? Optional.of(all.get(next++)) : Optional.empty());
                            }
                            var back = tape.back(cotangents);
                            return join(tape.results(), zeroed(trace, back, in, moving));
                        })
                .graph();
    }

    /// The cotangents of what moves, with zeros where there is none.
    private static List<Array> zeroed(
            Trace trace, List<Optional<Array>> cotangents, List<Array> like, boolean[] moving) {
        var all = new ArrayList<Array>();
        for (int i = 0; i < like.size(); i++) {
            var type = like.get(i).type();
            if (moving[i]) {
                all.add(cotangents.get(i).orElseGet(() -> trace.fill(type, 0)));
            }
        }
        return all;
    }

    private static List<Array> join(List<Array> left, List<Array> right) {
        var all = new ArrayList<>(left);
        all.addAll(right);
        return all;
    }
}
