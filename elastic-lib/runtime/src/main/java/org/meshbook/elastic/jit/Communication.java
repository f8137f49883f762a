package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.meshbook.elastic.Tabular;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;

/// What the devices say to each other in one run of a program; prints as a table.
///
/// @param kinds one entry for each collective over the same axes, in order of first use
public record Communication(List<Kind> kinds) implements Tabular {
    public Communication {
        kinds = List.copyOf(kinds);
    }

    /// Collectives of one kind.
    ///
    /// @param collective StableHLO's name
    /// @param axes whose devices speak to each other
    /// @param count how many there are
    /// @param bytes that each device sends, at the least
    public record Kind(String collective, List<String> axes, int count, long bytes) {
        public Kind {
            axes = List.copyOf(axes);
        }
    }

    private record Key(String collective, List<String> axes) {}

    static Communication of(Program program) {
        var graph = program.graph();
        var kinds = new LinkedHashMap<Key, Kind>();
        for (var node : graph.nodes()) {
            var key = key(node.op());
            int devices =
                    key.axes().stream()
                            .mapToInt(program.mesh()::size)
                            .reduce(1, Math::multiplyExact);
            if (devices > 1) {
                long bytes = bytes(node.op(), graph.type(node.inputs().getFirst()), devices);
                kinds.merge(
                        key,
                        new Kind(key.collective(), key.axes(), 1, bytes),
                        (a, b) ->
                                new Kind(
                                        a.collective(),
                                        a.axes(),
                                        a.count() + 1,
                                        a.bytes() + bytes));
            }
        }
        return new Communication(List.copyOf(kinds.values()));
    }

    private static Key key(Op op) {
        return switch (op) {
            case Op.AllReduce(_, var axes) -> new Key("all_reduce", axes);
            case Op.AllGather(var axes, _, _) -> new Key("all_gather", axes);
            case Op.ReduceScatter(var axes, _, _) -> new Key("reduce_scatter", axes);
            case Op.AllToAll(var axis, _, _, _) -> new Key("all_to_all", List.of(axis));
            case Op.CollectivePermute(var axis, _, _) ->
                    new Key("collective_permute", List.of(axis));
            default -> new Key("", List.of());
        };
    }

    /// A ring sends every piece once around to be summed, and once more to be handed out.
    private static long bytes(Op op, ArrayType operand, int devices) {
        long whole = operand.bytes();
        return switch (op) {
            case Op.AllReduce _ -> 2 * whole * (devices - 1) / devices;
            case Op.AllGather _ -> whole * (devices - 1);
            case Op.ReduceScatter _, Op.AllToAll _ -> whole * (devices - 1) / devices;
            default -> whole;
        };
    }

    /// @return bytes that each device sends in one run, at the least
    public long bytes() {
        return kinds.stream().mapToLong(Kind::bytes).sum();
    }

    @Override
    public List<List<String>> rows() {
        var rows = new ArrayList<>(List.of(List.of("collective", "over", "count", "bytes sent")));
        for (var kind : kinds) {
            rows.add(
                    List.of(
                            kind.collective(),
                            String.join("+", kind.axes()),
                            String.valueOf(kind.count()),
                            "%,d".formatted(kind.bytes())));
        }
        return rows;
    }

    @Override
    public String toString() {
        return kinds.isEmpty() ? "the devices say nothing to each other" : table();
    }
}
