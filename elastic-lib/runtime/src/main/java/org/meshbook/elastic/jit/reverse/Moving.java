package org.meshbook.elastic.jit.reverse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;

/// Which values change, smoothly, with some of a graph's parameters.
public final class Moving {
    private Moving() {}

    /// @param graph a function
    /// @param parameters which parameters move
    /// @return for each result whether it moves
    public static boolean[] results(Graph graph, boolean[] parameters) {
        var values = values(graph, parameters);
        var moving = new boolean[graph.results().size()];
        for (int i = 0; i < moving.length; i++) {
            moving[i] = values.get(graph.results().get(i))[0];
        }
        return moving;
    }

    /// @return for each value whether each result of its operation moves
    static List<boolean[]> values(Graph graph, boolean[] parameters) {
        var moves = new ArrayList<boolean[]>();
        for (boolean moving : parameters) {
            moves.add(new boolean[] {moving});
        }
        for (var node : graph.nodes()) {
            var in = new boolean[node.inputs().size()];
            for (int i = 0; i < in.length; i++) {
                in[i] = moves.get(node.inputs().get(i))[0];
            }
            if (node.op() instanceof Op.Result(int index, _)) {
                moves.add(new boolean[] {moves.get(node.inputs().getFirst())[index]});
            } else if (node.op().bodies().isEmpty()) {
                boolean stops = node.op() instanceof Op.StopGradient;
                moves.add(new boolean[] {smooth(node.type()) && !stops && any(in)});
            } else {
                moves.add(flow(node.op(), in));
            }
        }
        return moves;
    }

    private static boolean[] flow(Op op, boolean[] in) {
        return switch (op) {
            case Op.Cond(var onTrue, var onFalse) -> {
                var operands = part(in, 1, in.length);
                yield either(
                        results(Graph.of(onTrue), operands), results(Graph.of(onFalse), operands));
            }
            case Op.While(_, var body, int consts) ->
                    steady(Graph.of(body), in, consts, in.length - consts);
            case Op.Scan scan -> {
                var body = Graph.of(scan.body());
                var all = in.clone();
                var carry = steady(body, in, scan.consts(), scan.carries());
                System.arraycopy(carry, 0, all, scan.consts(), carry.length);
                var yielded = results(body, all);
                System.arraycopy(carry, 0, yielded, 0, carry.length);
                yield yielded;
            }
            case Op.Remat(var body) -> results(Graph.of(body), in);
            case Op.CustomVjp call -> {
                var types = call.body().resultTypes();
                var moving = new boolean[types.size()];
                for (int i = 0; i < moving.length; i++) {
                    boolean by = any(part(in, call.consts(), in.length));
                    moving[i] = by && smooth(types.get(i));
                }
                yield moving;
            }
            default -> throw new IllegalArgumentException("no function in " + op);
        };
    }

    /// Which arrays of a carry move, now or after some steps.
    ///
    /// @param body takes constants, carry and more; yields the next carry, and more
    /// @param in which of its operands move
    /// @param consts how many constants
    /// @param carries how many arrays the carry has
    /// @return one an array of the carry
    public static boolean[] steady(Graph body, boolean[] in, int consts, int carries) {
        var all = in.clone();
        while (true) {
            var before = part(all, consts, consts + carries);
            var after = either(before, part(results(body, all), 0, carries));
            if (Arrays.equals(before, after)) {
                return after;
            }
            System.arraycopy(after, 0, all, consts, carries);
        }
    }

    private static boolean[] either(boolean[] a, boolean[] b) {
        var both = a.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] |= b[i];
        }
        return both;
    }

    static boolean[] part(boolean[] flags, int from, int to) {
        return Arrays.copyOfRange(flags, from, to);
    }

    static boolean any(boolean[] flags) {
        for (boolean flag : flags) {
            if (flag) {
                return true;
            }
        }
        return false;
    }

    private static boolean smooth(ArrayType type) {
        return type.dtype().isFloat();
    }

    /// @param count how many
    /// @param size of all
    /// @return true for the leading ones
    public static boolean[] leading(int count, int size) {
        var flags = new boolean[size];
        Arrays.fill(flags, 0, count, true);
        return flags;
    }

    /// @param items one a flag
    /// @param flags which to take
    /// @return those whose flag is set
    /// @param <T> of the items
    public static <T> List<T> chosen(List<? extends T> items, boolean[] flags) {
        var some = new ArrayList<T>();
        for (int i = 0; i < flags.length; i++) {
            if (flags[i]) {
                some.add(items.get(i));
            }
        }
        return some;
    }
}
