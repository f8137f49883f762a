package org.meshbook.elastic.array;

import java.util.List;

/// Types of results.
final class Inference {
    private Inference() {}

    static ArrayType of(Op op, List<ArrayType> operands) {
        throw new IllegalStateException(op + " of " + operands);
    }
}
