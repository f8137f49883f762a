package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.trace.Trace;

/// An operation that holds functions on a tape: its way forward, and how cotangents go back.
///
/// @param results of the operation
/// @param way from one cotangent a result to one an operand
record FlowVjp(List<Array> results, Way way) {
    /// None stands for zero.
    interface Way extends Function<List<Optional<Array>>, List<Optional<Array>>> {}

    /// Goes forward.
    ///
    /// @param in operands
    /// @param moving which of them move
    /// @param moved which results move
    static FlowVjp of(Trace trace, Op op, List<Array> in, boolean[] moving, boolean[] moved) {
        return switch (op) {
            case Op.Cond cond -> cond(trace, cond, in, moving, moved);
            case Op.Scan scan -> new ScanVjp(trace, scan, in, moving, moved).forward();
            case Op.While loop -> loop(trace, loop, in);
            case Op.Remat remat -> remat(trace, remat, in, moving);
            case Op.CustomVjp call -> custom(trace, call, in);
            default -> throw new IllegalArgumentException("no function in " + op);
        };
    }

    List<Optional<Array>> back(List<Optional<Array>> cotangents) {
        return way.apply(cotangents);
    }

    /// Each branch keeps its residuals; those of the other are zeros.
    private static FlowVjp cond(
            Trace trace, Op.Cond cond, List<Array> in, boolean[] moving, boolean[] moved) {
        var operands = in.subList(1, in.size());
        var by = Moving.part(moving, 1, moving.length);
        var all = new boolean[by.length];
        java.util.Arrays.fill(all, true);
        var never = new boolean[by.length];
        var yes = Split.of(Graph.of(cond.onTrue()), by, moved, all, never);
        var no = Split.of(Graph.of(cond.onFalse()), by, moved, all, never);
        int count = cond.onTrue().resultTypes().size();
        var forward =
                new Op.Cond(
                        keeping(yes.forward(), count, List.of(), no.residuals()),
                        keeping(no.forward(), count, yes.residuals(), List.of()));
        var made = trace.applyAll(forward, in);
        var residuals = made.subList(count, made.size());
        return new FlowVjp(
                made.subList(0, count),
                cotangents -> {
                    var given = given(trace, cotangents, made, moved);
                    var taken = joined(List.of(in.getFirst()), operands, residuals, given);
                    var types = taken.stream().skip(1).map(Array::type).toList();
                    var backward =
                            new Op.Cond(
                                    branch(yes, types, operands.size(), 0, given.size()),
                                    branch(
                                            no,
                                            types,
                                            operands.size(),
                                            yes.residuals().size(),
                                            given.size()));
                    return spread(trace.applyAll(backward, taken), moving);
                });
    }

    /// The function with zeros before and after its own residuals.
    private static Graph keeping(
            Graph forward, int results, List<ArrayType> before, List<ArrayType> after) {
        return Trace.of(
                        forward.name(),
                        forward.parameters(),
                        in -> {
                            var trace = Trace.current();
                            var made = trace.call(forward, in);
                            return joined(
                                    made.subList(0, results),
                                    before.stream().map(t -> trace.fill(t, 0)).toList(),
                                    made.subList(results, made.size()),
                                    after.stream().map(t -> trace.fill(t, 0)).toList());
                        })
                .graph();
    }

    /// One branch's way back, as a function of all that the two branches need.
    private static Graph branch(
            Split split, List<ArrayType> types, int operands, int skipped, int given) {
        var places = new ArrayList<>(split.kept());
        for (int i = 0; i < split.residuals().size(); i++) {
            places.add(operands + skipped + i);
        }
        for (int i = types.size() - given; i < types.size(); i++) {
            places.add(i);
        }
        return split.backward().widened(types, places);
    }

    private static FlowVjp loop(Trace trace, Op.While loop, List<Array> in) {
        return new FlowVjp(
                trace.applyAll(loop, in),
                _ -> {
                    throw new UsageError(
                            "whileLoop: is not differentiable backwards, its number of steps is not"
                                    + " known; use scan, or foriLoop between two ints");
                });
    }

    /// The way back computes the body again, from operands that the forward way's are not shared
    /// with.
    private static FlowVjp remat(Trace trace, Op.Remat remat, List<Array> in, boolean[] moving) {
        var results = trace.applyAll(remat, in);
        return new FlowVjp(
                results,
                cotangents -> {
                    var first = cotangents.stream().flatMap(Optional::stream).findFirst();
                    var after =
                            in.stream()
                                    .map(
                                            x ->
                                                    trace.apply(
                                                            new Op.OptimizationBarrier(),
                                                            List.of(x, first.orElseThrow())))
                                    .toList();
                    return Tape.of(trace, Graph.of(remat.body()), after, moving).back(cotangents);
                });
    }

    private static FlowVjp custom(Trace trace, Op.CustomVjp call, List<Array> in) {
        var made = trace.call(Graph.of(call.forward()), in);
        int count = call.body().resultTypes().size();
        return new FlowVjp(
                made.subList(0, count),
                cotangents -> {
                    var taken = new ArrayList<>(made.subList(count, made.size()));
                    for (int i = 0; i < count; i++) {
                        var type = made.get(i).type();
                        taken.add(cotangents.get(i).orElseGet(() -> trace.fill(type, 0)));
                    }
                    var back =
                            new ArrayList<Optional<Array>>(
                                    Collections.nCopies(call.consts(), Optional.empty()));
                    trace.call(Graph.of(call.backward()), taken)
                            .forEach(part -> back.add(Optional.of(part)));
                    return back;
                });
    }

    /// The cotangents of the results that move, zeros where there is none.
    static List<Array> given(
            Trace trace, List<Optional<Array>> cotangents, List<Array> like, boolean[] moved) {
        var given = new ArrayList<Array>();
        for (int i = 0; i < moved.length; i++) {
            var type = like.get(i).type();
            if (moved[i]) {
                given.add(cotangents.get(i).orElseGet(() -> trace.fill(type, 0)));
            }
        }
        return given;
    }

    /// One place an operand, filled where it moves.
    static List<Optional<Array>> spread(List<Array> parts, boolean[] moving) {
        var all = new ArrayList<Optional<Array>>();
        int next = 0;
        for (boolean here : moving) {
            all.add(here ? Optional.of(parts.get(next++)) : Optional.empty());
        }
        return all;
    }

    @SafeVarargs
    static List<Array> joined(List<? extends Array>... parts) {
        var all = new ArrayList<Array>();
        for (var part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
