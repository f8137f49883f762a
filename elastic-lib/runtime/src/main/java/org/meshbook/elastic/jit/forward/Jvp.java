package org.meshbook.elastic.jit.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.GraphBuilder;
import org.meshbook.elastic.jit.reverse.Gradient;
import org.meshbook.elastic.jit.reverse.Tape;
import org.meshbook.elastic.jit.reverse.Vjp;
import org.meshbook.elastic.jit.trace.Trace;

/// How a change of one operation's result comes from changes of its operands, forwards.
///
/// Three ways cover all operations, so that each has one rule to get right, its [Vjp]: what is
/// linear is applied to the tangents; what works element by element has a diagonal derivative,
/// whose way back is its way forward; all else transposes its way back, which is linear in the
/// cotangent.
final class Jvp {
    private final Trace trace;
    private final List<Array> in;
    private final Array out;
    private final List<Optional<Array>> tangents;

    Jvp(Trace trace, List<Array> in, Array out, List<Optional<Array>> tangents) {
        this.trace = trace;
        this.in = in;
        this.out = out;
        this.tangents = tangents;
    }

    /// The result's tangent; none for zero. At least one operand has one.
    Optional<Array> of(Op op) {
        return switch (op) {
            case Op.Unary _, Op.Binary _ -> diagonal(op);
            case Op.Select _, Op.Concatenate _, Op.Pad _, Op.DynamicUpdateSlice _ ->
                    Optional.of(linear(op));
            case Op.Convert _,
                    Op.BroadcastInDim _,
                    Op.Reshape _,
                    Op.Transpose _,
                    Op.Slice _,
                    Op.Reverse _,
                    Op.Take _,
                    Op.DynamicSlice _,
                    Op.Gather _,
                    Op.OptimizationBarrier _,
                    Op.AllGather _,
                    Op.ReduceScatter _,
                    Op.ShardOf _,
                    Op.AllToAll _,
                    Op.CollectivePermute _,
                    Op.ShardingConstraint _,
                    Op.FullToShard _,
                    Op.ShardToFull _ ->
                    tangents.getFirst().map(t -> trace.apply(op, with(0, t)));
            case Op.Reduce(var kind, _) when kind == Op.ReduceKind.SUM ->
                    tangents.getFirst().map(t -> trace.apply(op, with(0, t)));
            case Op.AllReduce(var kind, _) when kind == Op.ReduceKind.SUM ->
                    tangents.getFirst().map(t -> trace.apply(op, with(0, t)));
            case Op.DotGeneral _, Op.Convolution _ -> product(op);
            case Op.ScatterAdd _ -> Optional.of(scatter(op));
            case Op.Scatter(var kind, _) when kind == Op.ScatterKind.ADD ->
                    Optional.of(scatter(op));
            case Op.Reduce _, Op.AllReduce _, Op.Scatter _ -> Optional.of(transposed(op));
            case Op.Constant _,
                    Op.Iota _,
                    Op.Compare _,
                    Op.ArgMax _,
                    Op.ArgSort _,
                    Op.StopGradient _,
                    Op.AxisIndex _ ->
                    Optional.empty();
            case Op.Cond _, Op.While _, Op.Scan _, Op.Remat _, Op.CustomVjp _, Op.Result _ ->
                    throw new IllegalStateException(op + " has its way forward in FlowJvp");
        };
    }

    private List<Array> with(int operand, Array tangent) {
        var all = new ArrayList<>(in);
        all.set(operand, tangent);
        return all;
    }

    private Array filled(int operand) {
        return tangents.get(operand).orElseGet(() -> trace.fill(in.get(operand).type(), 0));
    }

    /// Linear in all float operands together.
    private Array linear(Op op) {
        var all = new ArrayList<Array>();
        for (int i = 0; i < in.size(); i++) {
            all.add(in.get(i).dtype().isFloat() ? filled(i) : in.get(i));
        }
        return trace.apply(op, all);
    }

    private Array scatter(Op op) {
        return trace.apply(op, List.of(filled(0), in.get(1), filled(2)));
    }

    private Optional<Array> product(Op op) {
        return IntStream.range(0, in.size())
                .boxed()
                .flatMap(i -> tangents.get(i).map(t -> trace.apply(op, with(i, t))).stream())
                .reduce(Array::add);
    }

    private Optional<Array> diagonal(Op op) {
        var parts = new ArrayList<Array>();
        for (int i = 0; i < in.size(); i++) {
            int operand = i;
            tangents.get(i)
                    .ifPresent(
                            t ->
                                    new Vjp(
                                                    in,
                                                    out,
                                                    t,
                                                    (to, part) -> {
                                                        if (to == operand) {
                                                            parts.add(part);
                                                        }
                                                    })
                                            .of(op));
        }
        return parts.stream().reduce(Array::add);
    }

    /// The way back, from cotangent to cotangents, is linear: its own way back takes tangents to
    /// the tangent.
    private Array transposed(Op op) {
        // 1. the operation as a graph, and its way back
        var single = new GraphBuilder("op");
        var numbers = in.stream().map(x -> single.parameter(x.type())).toList();
        var graph = single.build(List.of(single.add(op, numbers)));
        var moving = new boolean[in.size()];
        for (int i = 0; i < moving.length; i++) {
            moving[i] = tangents.get(i).isPresent();
        }
        return transposed(
                        trace, Gradient.pullback(graph, moving, new boolean[] {true}), in, tangents)
                .getFirst();
    }

    /// @param pullback of a function of the inputs by those that have tangents, for all results
    /// @return one tangent a result
    static List<Array> transposed(
            Trace trace,
            org.meshbook.elastic.graph.Graph pullback,
            List<Array> in,
            List<Optional<Array>> tangents) {
        // 2. any cotangents do, the way back is linear in them
        var all = new ArrayList<>(in);
        var moving = new boolean[pullback.parameters().size()];
        for (int i = in.size(); i < moving.length; i++) {
            all.add(trace.fill(pullback.parameters().get(i), 0));
            moving[i] = true;
        }
        // 3. back over the way back
        var given = new ArrayList<Optional<Array>>();
        var parts = tangents.stream().filter(Optional::isPresent).toList();
        for (int i = 0; i < pullback.results().size() - parts.size(); i++) {
            given.add(Optional.empty());
        }
        given.addAll(parts);
        var back = Tape.of(trace, pullback, all, moving).back(given);
        var results = new ArrayList<Array>();
        for (int i = in.size(); i < moving.length; i++) {
            var type = pullback.parameters().get(i);
            results.add(back.get(i).orElseGet(() -> trace.fill(type, 0)));
        }
        return results;
    }
}
