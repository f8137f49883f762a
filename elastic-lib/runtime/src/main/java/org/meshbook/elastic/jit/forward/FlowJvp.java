package org.meshbook.elastic.jit.forward;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.jit.reverse.Gradient;
import org.meshbook.elastic.jit.reverse.Moving;
import org.meshbook.elastic.jit.trace.Trace;

/// Operations that hold functions, forwards: the functions carry tangents, too.
final class FlowJvp {
    private final Trace trace;
    private final List<Array> in;
    private final List<Optional<Array>> tangents;
    private final boolean[] moving;

    private FlowJvp(Trace trace, List<Array> in, List<Optional<Array>> tangents) {
        this.trace = trace;
        this.in = in;
        this.tangents = tangents;
        this.moving = new boolean[in.size()];
        for (int i = 0; i < moving.length; i++) {
            moving[i] = tangents.get(i).isPresent();
        }
    }

    static Tangents of(Trace trace, Op op, List<Array> in, List<Optional<Array>> tangents) {
        if (tangents.stream().noneMatch(Optional::isPresent)) {
            var values = trace.applyAll(op, in);
            return new Tangents(values, values.stream().map(_ -> Optional.<Array>empty()).toList());
        }
        var flow = new FlowJvp(trace, in, tangents);
        return switch (op) {
            case Op.Cond cond -> flow.cond(cond);
            case Op.While loop -> flow.loop(loop);
            case Op.Scan scan -> flow.scan(scan);
            case Op.Remat remat -> flow.remat(remat);
            case Op.CustomVjp call -> flow.custom(call);
            default -> throw new IllegalArgumentException("no function in " + op);
        };
    }

    private Tangents cond(Op.Cond cond) {
        var by = Arrays.copyOfRange(moving, 1, moving.length);
        var yes = Graph.of(cond.onTrue());
        var no = Graph.of(cond.onFalse());
        var moved = Moving.results(yes, by);
        var other = Moving.results(no, by);
        for (int i = 0; i < moved.length; i++) {
            moved[i] |= other[i];
        }
        var op = new Op.Cond(derived(yes, by, moved), derived(no, by, moved));
        return taken(trace.applyAll(op, with(in, direction(0, in.size()))), moved);
    }

    private Tangents remat(Op.Remat remat) {
        var body = Graph.of(remat.body());
        var moved = Moving.results(body, moving);
        var op = new Op.Remat(derived(body, moving, moved));
        return taken(trace.applyAll(op, with(in, direction(0, in.size()))), moved);
    }

    /// The only derivative there is goes back: it is transposed.
    private Tangents custom(Op.CustomVjp call) {
        var body =
                Graph.of(
                        Trace.of(
                                        "custom",
                                        in.stream().map(Array::type).toList(),
                                        all -> Trace.current().applyAll(call, all))
                                .graph());
        var given = Moving.results(body, moving);
        var pullback = Gradient.pullback(body, moving, given);
        var parts = Jvp.transposed(trace, pullback, in, tangents);
        return taken(with(trace.applyAll(call, in), parts), given);
    }

    /// Operands: constants, their tangents, carry, its tangents.
    private Tangents loop(Op.While loop) {
        int consts = loop.consts();
        var body = Graph.of(loop.body());
        var flags = steady(body, consts, in.size() - consts);
        var moved = Arrays.copyOfRange(flags, consts, flags.length);
        var operands = new ArrayList<>(with(in.subList(0, consts), direction(0, consts)));
        int all = operands.size();
        operands.addAll(with(in.subList(consts, in.size()), filled(flags, consts, in.size())));
        var types = operands.stream().map(Array::type).toList();
        var places = places(flags, consts, in.size());
        var cond = Graph.of(loop.cond()).widened(types, places.subList(0, in.size()));
        var next = derived(body, flags, moved).widened(types, places);
        return taken(trace.applyAll(new Op.While(cond, next, all), operands), moved);
    }

    /// Operands: constants, their tangents, carry, its tangents, elements, their tangents.
    private Tangents scan(Op.Scan scan) {
        int consts = scan.consts();
        int first = consts + scan.carries();
        var body = Graph.of(scan.body());
        var flags = steady(body, consts, scan.carries());
        var moved = Moving.results(body, flags);
        System.arraycopy(flags, consts, moved, 0, scan.carries());
        // 1. operands
        var operands = new ArrayList<>(with(in.subList(0, consts), direction(0, consts)));
        int constants = operands.size();
        operands.addAll(with(in.subList(consts, first), filled(flags, consts, first)));
        int carries = operands.size() - constants;
        operands.addAll(with(in.subList(first, in.size()), direction(first, in.size())));
        // 2. the body, with its results in the order of a scan's
        var types = new ArrayList<ArrayType>();
        for (int i = 0; i < operands.size(); i++) {
            var type = operands.get(i).type();
            boolean element = i >= constants + carries;
            types.add(element ? new ArrayType(type.dtype(), type.shape().tail()) : type);
        }
        var derived = derived(body, flags, moved).widened(types, places(flags, consts, first));
        var order = new ArrayList<Integer>();
        order(order, moved, 0, scan.carries());
        order(order, moved, scan.carries(), moved.length);
        var results = order.stream().map(derived.results()::get).toList();
        var next = new Graph(derived.name(), derived.parameters(), derived.nodes(), results);
        var op = new Op.Scan(next, scan.length(), constants, carries, scan.reverse());
        // 3. results, then tangents
        var made = trace.applyAll(op, operands);
        var sorted = new ArrayList<Array>();
        for (int i = 0; i < order.size(); i++) {
            sorted.add(made.get(order.indexOf(i)));
        }
        return taken(sorted, moved);
    }

    /// Results `from` to `to`, then their tangents, in a list of all results, then all tangents.
    private static void order(List<Integer> order, boolean[] moved, int from, int to) {
        for (int i = from; i < to; i++) {
            order.add(i);
        }
        int next = moved.length;
        for (int i = 0; i < to; i++) {
            if (moved[i]) {
                if (i >= from) {
                    order.add(next);
                }
                next++;
            }
        }
    }

    /// Where operands and then tangents stand, when both stand group by group.
    private static List<Integer> places(boolean[] flags, int... ends) {
        var values = new ArrayList<Integer>();
        var tangents = new ArrayList<Integer>();
        int at = 0;
        int from = 0;
        for (int group = 0; group <= ends.length; group++) {
            int to = group < ends.length ? ends[group] : flags.length;
            for (int i = from; i < to; i++) {
                values.add(at++);
            }
            for (int i = from; i < to; i++) {
                if (flags[i]) {
                    tangents.add(at++);
                }
            }
            from = to;
        }
        values.addAll(tangents);
        return values;
    }

    /// Which operands move at any step.
    private boolean[] steady(Graph body, int consts, int carries) {
        var flags = moving.clone();
        var carry = Moving.steady(body, moving, consts, carries);
        System.arraycopy(carry, 0, flags, consts, carries);
        return flags;
    }

    private List<Array> direction(int from, int to) {
        return filled(moving, from, to);
    }

    private List<Array> filled(boolean[] flags, int from, int to) {
        var all = new ArrayList<Array>();
        for (int i = from; i < to; i++) {
            if (flags[i]) {
                var type = in.get(i).type();
                all.add(tangents.get(i).orElseGet(() -> trace.fill(type, 0)));
            }
        }
        return all;
    }

    /// A function and its derivative: takes the parameters, then the tangents of those that move;
    /// yields the results, then their tangents.
    private static Graph derived(Graph graph, boolean[] moving, boolean[] moved) {
        var types = new ArrayList<>(graph.parameters());
        types.addAll(Moving.chosen(graph.parameters(), moving));
        return Trace.of(
                        graph.name() + "_jvp",
                        types,
                        all -> {
                            var trace = Trace.current();
                            int first = graph.parameters().size();
                            var by = new ArrayList<Optional<Array>>();
                            int next = first;
                            for (boolean here : moving) {
                                by.add(here ? Optional.of(all.get(next++)) : Optional.empty());
                            }
                            var made = Tangents.of(trace, graph, all.subList(0, first), by);
                            var filled = Tangents.filled(trace, made.tangents(), made.values());
                            return with(made.values(), Moving.chosen(filled, moved));
                        })
                .graph();
    }

    private static List<Array> with(List<Array> values, List<Array> tangents) {
        var all = new ArrayList<>(values);
        all.addAll(tangents);
        return all;
    }

    /// Results and, after them, the tangents of those that move.
    private static Tangents taken(List<Array> made, boolean[] moved) {
        var by = new ArrayList<Optional<Array>>();
        int next = moved.length;
        for (boolean here : moved) {
            by.add(here ? Optional.of(made.get(next++)) : Optional.empty());
        }
        return new Tangents(made.subList(0, moved.length), by);
    }
}
