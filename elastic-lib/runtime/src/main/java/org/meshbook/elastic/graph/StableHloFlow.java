package org.meshbook.elastic.graph;

import static org.meshbook.elastic.graph.StableHlo.join;
import static org.meshbook.elastic.graph.StableHlo.signature;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Op;

/// The operations of [StableHlo] that hold functions: `if` and `while`. A scan is a `while` that
/// counts, cuts its elements out and writes what it stacks into place.
final class StableHloFlow {
    private static final ArrayType INDEX = ArrayType.of(DType.I32);
    private static final List<ArrayType> TRUTH = List.of(ArrayType.of(DType.BOOL));

    private final StableHlo out;

    StableHloFlow(StableHlo out) {
        this.out = out;
    }

    String cond(Op.Cond cond, List<String> in) {
        var types = cond.onTrue().resultTypes();
        var results = join(types.stream().map(StableHlo::tensor).toList());
        return out.several(
                types.size(),
                """
                "stablehlo.if"(%s) ({
                %s    }, {
                %s    }) : (tensor<i1>) -> %s"""
                        .formatted(
                                in.getFirst(),
                                branch(cond.onTrue(), in),
                                branch(cond.onFalse(), in),
                                types.size() == 1 ? results : "(" + results + ")"));
    }

    private String branch(Op.Body body, List<String> in) {
        var inner = out.inner(Graph.of(body));
        return inner.region(inner.write(in.subList(1, in.size())), body.resultTypes());
    }

    String loop(Op.While loop, List<String> in, List<ArrayType> types) {
        int consts = loop.consts();
        var carry = names(in.size() - consts);
        var arguments = joined(in.subList(0, consts), carry);
        var test = out.inner(Graph.of(loop.cond()));
        var body = out.inner(Graph.of(loop.body()));
        return repeat(
                carry,
                in.subList(consts, in.size()),
                types.subList(consts, types.size()),
                test.region(test.write(arguments), TRUTH),
                body.region(body.write(arguments), loop.body().resultTypes()));
    }

    /// Carries the carry, what is stacked so far, and the number of the step.
    String scan(Op.Scan scan, List<String> in, List<ArrayType> types) {
        int first = scan.consts() + scan.carries();
        var results = scan.inferAll(types);
        var zero = out.constant("0", INDEX);
        // 1. what the loop carries
        var state = new ArrayList<>(in.subList(scan.consts(), first));
        for (var type : results.subList(scan.carries(), results.size())) {
            state.add(zeros(type));
        }
        state.add(zero);
        var carried = new ArrayList<>(results);
        carried.add(INDEX);
        var names = names(state.size());
        var number = names.getLast();
        // 2. whether there is a step left
        var test = out.inner(Graph.of(scan.body()));
        var length = test.constant(String.valueOf(scan.length()), INDEX);
        var more =
                test.line(
                        "stablehlo.compare LT, %s, %s, SIGNED : (tensor<i32>, tensor<i32>) ->"
                                + " tensor<i1>",
                        number, length);
        // 3. one step
        var step = out.inner(Graph.of(scan.body()));
        var at = at(step, scan, number);
        var arguments = new ArrayList<>(in.subList(0, scan.consts()));
        arguments.addAll(names.subList(0, scan.carries()));
        for (int i = first; i < in.size(); i++) {
            arguments.add(element(step, in.get(i), types.get(i), at));
        }
        var yielded = step.write(arguments);
        var one = step.constant("1", INDEX);
        var next = new ArrayList<>(yielded.subList(0, scan.carries()));
        for (int i = scan.carries(); i < yielded.size(); i++) {
            next.add(put(step, names.get(i), results.get(i), yielded.get(i), at));
        }
        next.add(step.line("stablehlo.add %s, %s : tensor<i32>", number, one));
        return repeat(
                names,
                state,
                carried,
                test.region(List.of(more), TRUTH),
                step.region(next, carried));
    }

    private static String at(StableHlo step, Op.Scan scan, String number) {
        if (!scan.reverse()) {
            return number;
        }
        var last = step.constant(String.valueOf(scan.length() - 1), INDEX);
        return step.line("stablehlo.subtract %s, %s : tensor<i32>", last, number);
    }

    private String zeros(ArrayType type) {
        var scalar = ArrayType.of(type.dtype());
        var zero =
                out.constant(StableHloLiterals.identity(Op.ReduceKind.SUM, type.dtype()), scalar);
        return out.line(
                "stablehlo.broadcast_in_dim %s, dims = [] : %s",
                zero, signature(List.of(scalar), type));
    }

    private static String element(StableHlo step, String x, ArrayType type, String at) {
        var piece = new ArrayType(type.dtype(), type.shape().tail().after(1));
        var part =
                step.line(
                        "stablehlo.dynamic_slice %s, %s, sizes = %s : %s",
                        x,
                        join(starts(step, type, at)),
                        piece.shape().dims(),
                        signature(indexed(type, type), piece));
        var element = new ArrayType(type.dtype(), type.shape().tail());
        return step.line("stablehlo.reshape %s : %s", part, signature(List.of(piece), element));
    }

    private static String put(
            StableHlo step, String stacked, ArrayType type, String element, String at) {
        var tail = new ArrayType(type.dtype(), type.shape().tail());
        var piece = new ArrayType(type.dtype(), type.shape().tail().after(1));
        var part = step.line("stablehlo.reshape %s : %s", element, signature(List.of(tail), piece));
        return step.line(
                "stablehlo.dynamic_update_slice %s, %s, %s : %s",
                stacked,
                part,
                join(starts(step, type, at)),
                signature(indexed(type, type, piece), type));
    }

    private static List<String> starts(StableHlo step, ArrayType type, String at) {
        var starts = new ArrayList<String>(List.of(at));
        starts.addAll(Collections.nCopies(type.shape().rank() - 1, step.constant("0", INDEX)));
        return starts;
    }

    private static List<ArrayType> indexed(ArrayType type, ArrayType... first) {
        var types = new ArrayList<>(List.of(first));
        types.addAll(Collections.nCopies(type.shape().rank(), INDEX));
        return types;
    }

    private String repeat(
            List<String> carry,
            List<String> init,
            List<ArrayType> types,
            String test,
            String body) {
        var pairs = new StringJoiner(", ");
        for (int i = 0; i < carry.size(); i++) {
            pairs.add(carry.get(i) + " = " + init.get(i));
        }
        return out.several(
                types.size(),
                """
                stablehlo.while(%s) : %s
                     cond {
                %s    } do {
                %s    }"""
                        .formatted(
                                pairs,
                                join(types.stream().map(StableHlo::tensor).toList()),
                                test,
                                body));
    }

    private List<String> names(int count) {
        var names = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            names.add(out.fresh());
        }
        return names;
    }

    private static List<String> joined(List<String> left, List<String> right) {
        var all = new ArrayList<>(left);
        all.addAll(right);
        return all;
    }
}
