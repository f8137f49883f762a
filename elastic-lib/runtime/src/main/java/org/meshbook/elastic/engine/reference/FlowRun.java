package org.meshbook.elastic.engine.reference;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;

/// Graphs, and the operations that hold them, step by step.
final class FlowRun {
    private FlowRun() {}

    static List<HostArray> of(Graph graph, List<HostArray> inputs) {
        var values = new ArrayList<List<HostArray>>();
        inputs.forEach(input -> values.add(List.of(input)));
        for (var node : graph.nodes()) {
            var from = node.inputs().stream().map(values::get).toList();
            var operands = from.stream().map(List::getFirst).toList();
            values.add(
                    node.op() instanceof Op.Result(int index, _)
                            ? List.of(from.getFirst().get(index))
                            : node.op().bodies().isEmpty()
                                    ? List.of(
                                            Interpreter.evaluate(node.op(), operands, node.type()))
                                    : of(node.op(), operands));
        }
        return graph.results().stream().map(result -> values.get(result).getFirst()).toList();
    }

    static List<HostArray> of(Op op, List<HostArray> operands) {
        return switch (op) {
            case Op.Cond(var onTrue, var onFalse) -> {
                boolean yes = operands.getFirst().get(0) != 0;
                yield of(Graph.of(yes ? onTrue : onFalse), operands.subList(1, operands.size()));
            }
            case Op.While loop -> loop(loop, operands);
            case Op.Scan scan -> scan(scan, operands);
            case Op.Remat(var body) -> of(Graph.of(body), operands);
            case Op.CustomVjp call -> of(Graph.of(call.body()), operands);
            default -> throw new IllegalArgumentException("no function in " + op);
        };
    }

    private static List<HostArray> loop(Op.While loop, List<HostArray> operands) {
        var consts = operands.subList(0, loop.consts());
        var carry = operands.subList(loop.consts(), operands.size());
        while (of(Graph.of(loop.cond()), joined(consts, carry)).getFirst().get(0) != 0) {
            goOn(loop);
            carry = of(Graph.of(loop.body()), joined(consts, carry));
        }
        return carry;
    }

    private static List<HostArray> scan(Op.Scan scan, List<HostArray> operands) {
        int first = scan.consts() + scan.carries();
        var consts = operands.subList(0, scan.consts());
        var carry = operands.subList(scan.consts(), first);
        var stacked = new ArrayList<HostArray>();
        for (var type : scan.inferAll(operands.stream().map(HostArray::type).toList())) {
            stacked.add(HostArray.zeros(type));
        }
        for (int step = 0; step < scan.length(); step++) {
            goOn(scan);
            int at = scan.reverse() ? scan.length() - 1 - step : step;
            var elements =
                    operands.subList(first, operands.size()).stream()
                            .map(x -> element(x, at))
                            .toList();
            var out = of(Graph.of(scan.body()), joined(joined(consts, carry), elements));
            carry = out.subList(0, scan.carries());
            for (int i = scan.carries(); i < out.size(); i++) {
                var bytes = out.get(i).bytes();
                stacked.get(i).bytes().position(at * bytes.remaining()).put(bytes);
            }
        }
        return joined(carry, stacked.subList(scan.carries(), stacked.size()));
    }

    /// A loop may never end; a person may.
    private static void goOn(Op op) {
        if (Thread.currentThread().isInterrupted()) {
            throw new Interrupted(
                    "running a loop (" + op + ")",
                    new InterruptedException("interrupt flag is set"));
        }
    }

    private static HostArray element(HostArray x, int at) {
        var type = new ArrayType(x.type().dtype(), x.type().shape().tail());
        int size = Math.toIntExact(type.bytes());
        return HostArray.wrap(type, x.bytes().slice(at * size, size));
    }

    private static List<HostArray> joined(List<HostArray> left, List<HostArray> right) {
        var all = new ArrayList<>(left);
        all.addAll(right);
        return all;
    }
}
