package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.trace.Trace;

/// Control flow as one operation in the trace that is running: the functions become graphs that it
/// holds, arrays that they use from around them become its constants.
final class FlowTrace {
    private FlowTrace() {}

    /// Arrays that the functions of one operation use from around them, each once.
    static final class Constants {
        private final List<Array> arrays = new ArrayList<>();
        private final Map<Array, Integer> known = new IdentityHashMap<>();

        void add(Trace.Result result) {
            for (var array : result.captured()) {
                known.computeIfAbsent(
                        array,
                        _ -> {
                            arrays.add(array);
                            return arrays.size() - 1;
                        });
            }
        }

        List<Array> arrays() {
            return arrays;
        }

        /// A function of constants and arguments that yields what `later` uses from around it, too.
        Graph kept(Trace.Result result, List<ArrayType> arguments, Trace.Result later) {
            var graph = graph(result, arguments);
            var results = new ArrayList<>(graph.results());
            later.captured().forEach(array -> results.add(known.getOrDefault(array, 0)));
            return new Graph(graph.name(), graph.parameters(), graph.nodes(), results);
        }

        /// The function as one of all constants, then of its own arguments.
        Graph graph(Trace.Result result, List<ArrayType> arguments) {
            var types = new ArrayList<>(arrays.stream().map(Array::type).toList());
            var places = new ArrayList<Integer>();
            for (int i = 0; i < arguments.size(); i++) {
                places.add(types.size() + i);
            }
            result.captured().forEach(array -> places.add(known.getOrDefault(array, 0)));
            types.addAll(arguments);
            return result.graph().widened(types, places);
        }
    }

    static Object cond(Array predicate, Object operand, Compiled.Body yes, Compiled.Body no) {
        var flat = Tree.flatten(operand);
        var types = types(flat);
        var onTrue = trace("cond_true", List.of(flat.structure()), types, yes);
        var onFalse = trace("cond_false", List.of(flat.structure()), types, no);
        new Matching(
                        "cond",
                        "result where true",
                        "result where false",
                        "both functions must yield the same types")
                .check(
                        onTrue.structure(),
                        onTrue.graph().resultTypes(),
                        onFalse.structure(),
                        onFalse.graph().resultTypes());
        predicate("cond", List.of(predicate.type()));
        var constants = new Constants();
        constants.add(onTrue);
        constants.add(onFalse);
        var operands = new ArrayList<>(List.of(predicate));
        operands.addAll(constants.arrays);
        operands.addAll(flat.leaves());
        var op = new Op.Cond(constants.graph(onTrue, types), constants.graph(onFalse, types));
        return onTrue.structure().rebuild(Trace.current().applyAll(op, operands));
    }

    static Object whileLoop(Compiled.Body cond, Compiled.Body body, Object init) {
        var flat = Tree.flatten(init);
        var types = types(flat);
        var test = trace("while_cond", List.of(flat.structure()), types, cond);
        var next = trace("while_body", List.of(flat.structure()), types, body);
        predicate("whileLoop", test.graph().resultTypes());
        carry("whileLoop", flat, next.structure(), next.graph().resultTypes());
        var constants = new Constants();
        constants.add(test);
        constants.add(next);
        var operands = new ArrayList<>(constants.arrays);
        operands.addAll(flat.leaves());
        var op =
                new Op.While(
                        constants.graph(test, types),
                        constants.graph(next, types),
                        constants.arrays.size());
        return flat.structure().rebuild(Trace.current().applyAll(op, operands));
    }

    static Object foriLoop(int lower, int upper, Compiled.Body body, List<?> init) {
        var type = ArrayType.of(DType.I32, Math.max(0, upper - lower));
        var numbers = Trace.current().apply(new Op.Iota(type, 0), List.of()).add(lower);
        var both =
                (List<?>)
                        scan(
                                "foriLoop",
                                args ->
                                        List.of(
                                                body.apply(List.of(args.get(1), args.get(0))),
                                                List.of()),
                                init.getFirst(),
                                numbers);
        return both.getFirst();
    }

    /// @param body yields two things, the next carry first
    static Object scan(String asker, Compiled.Body body, Object init, Object xs) {
        // 1. what each step takes
        var carry = Tree.flatten(init);
        var elements = Tree.flatten(xs);
        int length = length(asker, elements);
        var types = new ArrayList<>(types(carry));
        for (var x : elements.leaves()) {
            types.add(new ArrayType(x.dtype(), x.shape().tail()));
        }
        // 2. the step as a graph
        int carries = carry.leaves().size();
        var both = List.of(carry.structure(), elements.structure());
        var step = trace(asker + "_body", both, types, body);
        var yielded = step.structure().children();
        carry(
                asker,
                carry,
                yielded.getFirst(),
                step.graph()
                        .resultTypes()
                        .subList(0, Math.min(carries, step.graph().results().size())));
        var trace = Trace.current();
        if (length == 0) {
            var none = new ArrayList<>(carry.leaves());
            for (var type :
                    step.graph().resultTypes().subList(carries, step.graph().results().size())) {
                none.add(trace.fill(new ArrayType(type.dtype(), type.shape().after(0)), 0));
            }
            return step.structure().rebuild(none);
        }
        // 3. one operation
        var constants = new Constants();
        constants.add(step);
        var operands = new ArrayList<>(constants.arrays);
        operands.addAll(carry.leaves());
        operands.addAll(elements.leaves());
        var op =
                new Op.Scan(
                        constants.graph(step, types),
                        length,
                        constants.arrays.size(),
                        carries,
                        false);
        return step.structure().rebuild(trace.applyAll(op, operands));
    }

    private static int length(String asker, Tree.Flat xs) {
        UsageError.require(
                !xs.leaves().isEmpty(),
                "%s: there is no array to go over; use foriLoop to count steps",
                asker);
        var first = xs.leaves().getFirst();
        for (int i = 0; i < xs.leaves().size(); i++) {
            var x = xs.leaves().get(i);
            if (x.shape().rank() == 0 || x.shape().dim(0) != first.shape().dim(0)) {
                throw new MeshMismatch(
                        "%s: leaf '%s' of xs is %s, leaf '%s' is %s; all need the same first"
                                + " dimension, the steps",
                        asker,
                        xs.structure().paths().getFirst(),
                        first.type(),
                        xs.structure().paths().get(i),
                        x.type());
            }
        }
        return first.shape().dim(0);
    }

    private static void carry(
            String asker, Tree.Flat before, Structure after, List<ArrayType> types) {
        new Matching(
                        asker,
                        "carry that goes in",
                        "carry that comes out",
                        "a carry keeps its type: cast or reshape it in the body, or start with"
                                + " another")
                .check(before.structure(), types(before), after, types);
    }

    private static void predicate(String asker, List<ArrayType> types) {
        if (!types.equals(List.of(ArrayType.of(DType.BOOL)))) {
            throw new MeshMismatch(
                    "%s: the predicate is %s; it must be one truth value, as x.sum().gt(0) yields",
                    asker, types.size() == 1 ? types.getFirst() : types);
        }
    }

    private static Trace.Result trace(
            String name, List<Structure> arguments, List<ArrayType> types, Compiled.Body body) {
        var structure = new Structure.Items(arguments);
        return Trace.of(name, types, leaves -> body.apply(structure.<List<?>>rebuild(leaves)));
    }

    private static List<ArrayType> types(Tree.Flat flat) {
        return flat.leaves().stream().map(Array::type).toList();
    }
}
