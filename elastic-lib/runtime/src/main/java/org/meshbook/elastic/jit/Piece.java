package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.array.ArrayType;

/// A value of the per-device graph while it is built.
///
/// @param value its number there
/// @param type type of the device's shard
/// @param cuts for each dimension the axes that cut it, outermost first
record Piece(int value, ArrayType type, List<List<String>> cuts) {
    Piece {
        cuts = List.copyOf(cuts);
    }

    int size(int dim) {
        return type.shape().dim(dim);
    }
}
