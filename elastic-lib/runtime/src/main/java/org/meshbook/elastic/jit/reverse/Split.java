package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;

/// A function and its way back, cut in two where cotangents come in: what crosses the cut is kept.
///
/// Literals, broadcasts, reshapes and transposes are done again in place of being kept, and so is
/// all that depends only on what never changes.
///
/// @param forward takes the parameters; yields the results, then the residuals
/// @param backward takes the kept parameters, the residuals, and the cotangents; yields one
///   cotangent for each moving parameter
/// @param kept numbers of the parameters that the way back takes as they are
/// @param residuals their types
public record Split(Graph forward, Graph backward, List<Integer> kept, List<ArrayType> residuals) {

    /// Cuts a function.
    ///
    /// @param graph the function
    /// @param moving parameters to differentiate by
    /// @param given results for which cotangents are given
    /// @param later parameters that are still there on the way back
    /// @param steady parameters that are the same each time, as the constants of a loop
    /// @return both ways
    public static Split of(
            Graph graph, boolean[] moving, boolean[] given, boolean[] later, boolean[] steady) {
        return new Cut(graph, Gradient.pullback(graph, moving, given), later, steady).split();
    }

    private static final class Cut {
        private final Graph joint;
        private final int primal;
        private final int first;
        private final int results;
        private final boolean[] later;
        private final BitSet back = new BitSet();
        private final BitSet again = new BitSet();

        Cut(Graph graph, Graph joint, boolean[] later, boolean[] steady) {
            this.joint = joint;
            this.primal = graph.parameters().size();
            this.first = joint.parameters().size();
            this.results = graph.results().size();
            this.later = later;
            back.set(primal, first);
            var same = new BitSet();
            for (int i = 0; i < primal; i++) {
                same.set(i, steady[i]);
            }
            for (int value = first; value < first + joint.nodes().size(); value++) {
                var inputs = joint.nodes().get(value - first).inputs();
                back.set(value, inputs.stream().anyMatch(back::get));
                same.set(value, inputs.stream().allMatch(same::get));
                again.set(value, same.get(value) || moves(joint.nodes().get(value - first).op()));
            }
        }

        private static boolean moves(Op op) {
            return switch (op) {
                case Op.BroadcastInDim _, Op.Reshape _, Op.Transpose _ -> true;
                default -> false;
            };
        }

        Split split() {
            // 1. what the way back needs, and of that, what has to be kept
            var needed = new BitSet();
            joint.results().subList(results, joint.results().size()).forEach(needed::set);
            var crossing = new BitSet();
            for (int value = first + joint.nodes().size() - 1; value >= first; value--) {
                if (needed.get(value) && (back.get(value) || again.get(value))) {
                    joint.nodes().get(value - first).inputs().forEach(needed::set);
                } else if (needed.get(value)) {
                    crossing.set(value);
                }
            }
            var kept = IntStream.range(0, primal).filter(p -> needed.get(p) && later[p]);
            IntStream.range(0, primal)
                    .filter(p -> needed.get(p) && !later[p])
                    .forEach(crossing::set);
            var residuals = crossing.stream().boxed().toList();
            // 2. both graphs
            var keptList = kept.boxed().toList();
            return new Split(
                    forward(residuals),
                    backward(keptList, residuals, needed),
                    keptList,
                    residuals.stream().map(joint::type).toList());
        }

        private Graph forward(List<Integer> residuals) {
            var builder = new GraphBuilder(joint.name().replace("_vjp", "_forward"));
            Map<Integer, Integer> numbers = new HashMap<>();
            for (int i = 0; i < primal; i++) {
                numbers.put(i, builder.parameter(joint.type(i)));
            }
            for (int value = first; value < first + joint.nodes().size(); value++) {
                if (!back.get(value)) {
                    add(builder, numbers, value);
                }
            }
            var yielded = new ArrayList<>(joint.results().subList(0, results));
            yielded.addAll(residuals);
            return builder.build(yielded.stream().map(numbers::get).toList());
        }

        private Graph backward(List<Integer> kept, List<Integer> residuals, BitSet needed) {
            var builder = new GraphBuilder(joint.name().replace("_vjp", "_backward"));
            Map<Integer, Integer> numbers = new HashMap<>();
            var taken = new ArrayList<>(kept);
            taken.addAll(residuals);
            IntStream.range(primal, first).forEach(taken::add);
            taken.forEach(value -> numbers.put(value, builder.parameter(joint.type(value))));
            for (int value = first; value < first + joint.nodes().size(); value++) {
                if (needed.get(value) && (back.get(value) || again.get(value))) {
                    add(builder, numbers, value);
                }
            }
            var cotangents = joint.results().subList(results, joint.results().size());
            return builder.build(cotangents.stream().map(numbers::get).toList());
        }

        private void add(GraphBuilder builder, Map<Integer, Integer> numbers, int value) {
            var node = joint.nodes().get(value - first);
            var inputs = node.inputs().stream().map(numbers::get).toList();
            numbers.put(value, builder.add(node.op(), inputs));
        }
    }
}
