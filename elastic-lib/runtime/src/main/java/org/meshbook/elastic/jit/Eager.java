package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Evaluator;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.GraphBuilder;
import org.meshbook.elastic.jit.trace.Trace;

/// Single operations on placed arrays, each a program of its own: good for a look, slow for a loop.
public final class Eager {
    private static final int KEPT = 1024;

    private static final Map<Key, Placement> KNOWN =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Placement> eldest) {
                    return size() > KEPT;
                }
            };

    private record Key(Op op, List<Slot> slots) {}

    /// An operand: an input of the program, or a small literal inside it.
    private record Slot(ArrayType type, Optional<HostArray> literal) {}

    private Eager() {}

    /// Applies one operation where its operands lie; what a placed array's `apply` calls.
    ///
    /// @param op the operation
    /// @param operands placed and host arrays; host arrays are copied to every device
    /// @return the result, placed if an operand is; never waits for a device
    public static Array apply(Op op, List<Array> operands) {
        var name = op.getClass().getSimpleName();
        var mesh = Placement.mesh(name, operands);
        if (mesh.isEmpty()) {
            return Evaluator.LOCAL.evaluate(op, operands.stream().map(Array::toHost).toList());
        }
        var slots = operands.stream().map(Eager::slot).toList();
        var inputs = new ArrayList<Array>();
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i).literal().isEmpty()) {
                inputs.add(operands.get(i));
            }
        }
        return placement(new Key(op, slots), name).run(mesh.get(), inputs).getFirst();
    }

    private static Slot slot(Array operand) {
        boolean literal =
                operand instanceof HostArray host
                        && (host.type().shape().size() == 1 || Trace.uniform(host));
        return new Slot(
                operand.type(), literal ? Optional.of((HostArray) operand) : Optional.empty());
    }

    private static Placement placement(Key key, String name) {
        synchronized (KNOWN) {
            return KNOWN.computeIfAbsent(key, _ -> new Placement(build(key, name), List.of()));
        }
    }

    private static Graph build(Key key, String name) {
        var builder = new GraphBuilder(name);
        var values = new ArrayList<Integer>();
        for (var slot : key.slots()) {
            values.add(
                    slot.literal()
                            .map(literal -> Trace.constant(builder, literal))
                            .orElseGet(() -> builder.parameter(slot.type())));
        }
        return builder.build(List.of(builder.add(key.op(), values)));
    }
}
