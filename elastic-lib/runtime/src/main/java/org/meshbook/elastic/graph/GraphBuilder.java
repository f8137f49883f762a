package org.meshbook.elastic.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;

/// Collects operations and builds a [Graph] of those that its results need.
///
/// An operation that was added before yields the earlier value. Parameters may be added at any
/// time; the finished graph numbers them first. Used by one thread.
public final class GraphBuilder {
    private final String name;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Integer> parameters = new ArrayList<>();
    private final Map<Key, Integer> known = new HashMap<>();

    private record Key(Op op, List<Integer> inputs) {}

    private sealed interface Entry {
        ArrayType type();
    }

    private record Parameter(ArrayType type) implements Entry {}

    private record Computed(Op op, List<Integer> inputs, ArrayType type) implements Entry {}

    /// @param name of the graph
    public GraphBuilder(String name) {
        this.name = name;
    }

    /// @param type the parameter's type
    /// @return the value's number in this builder
    public int parameter(ArrayType type) {
        entries.add(new Parameter(type));
        parameters.add(entries.size() - 1);
        return entries.size() - 1;
    }

    /// @param op the operation
    /// @param inputs numbers of its operands in this builder
    /// @return the result's number in this builder
    /// @throws org.meshbook.elastic.MeshMismatch if the operands do not fit
    public int add(Op op, List<Integer> inputs) {
        var key = new Key(op, List.copyOf(inputs));
        var before = known.get(key);
        if (before != null) {
            return before;
        }
        var type = op.infer(inputs.stream().map(this::type).toList());
        entries.add(new Computed(op, key.inputs(), type));
        known.put(key, entries.size() - 1);
        return entries.size() - 1;
    }

    /// @param value a number in this builder
    /// @return the value's type
    public ArrayType type(int value) {
        return entries.get(value).type();
    }

    /// Builds the graph; operations that no result needs are left out, parameters never.
    ///
    /// @param results numbers in this builder
    /// @return the graph
    public Graph build(List<Integer> results) {
        var needed = needed(results);
        var numbers = new HashMap<Integer, Integer>();
        for (int parameter : parameters) {
            numbers.put(parameter, numbers.size());
        }
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < entries.size(); i++) {
            if (needed.get(i) && entries.get(i) instanceof Computed(var op, var inputs, var type)) {
                nodes.add(new Node(op, inputs.stream().map(numbers::get).toList(), type));
                numbers.put(i, numbers.size());
            }
        }
        return new Graph(
                name,
                parameters.stream().map(this::type).toList(),
                nodes,
                results.stream().map(numbers::get).toList());
    }

    private BitSet needed(List<Integer> results) {
        var needed = new BitSet();
        var open = new ArrayDeque<>(results);
        while (!open.isEmpty()) {
            int value = open.pop();
            if (!needed.get(value)) {
                needed.set(value);
                if (entries.get(value) instanceof Computed computed) {
                    open.addAll(computed.inputs());
                }
            }
        }
        return needed;
    }
}
