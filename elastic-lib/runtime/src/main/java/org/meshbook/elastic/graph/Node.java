package org.meshbook.elastic.graph;

import java.util.List;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;

/// One operation of a [Graph].
///
/// @param op what it computes
/// @param inputs value numbers of its operands, each smaller than the node's own
/// @param type what it yields
public record Node(Op op, List<Integer> inputs, ArrayType type) {
    public Node {
        inputs = List.copyOf(inputs);
    }
}
