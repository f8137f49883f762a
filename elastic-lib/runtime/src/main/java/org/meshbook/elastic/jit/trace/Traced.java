package org.meshbook.elastic.jit.trace;

import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;

/// An array in a function that is being traced: a type and a number in a graph, no value.
public final class Traced implements Array {
    private final Trace trace;
    private final int value;
    private final ArrayType type;

    Traced(Trace trace, int value, ArrayType type) {
        this.trace = trace;
        this.value = value;
        this.type = type;
    }

    /// @return the run that wrote it down
    public Trace trace() {
        return trace;
    }

    int value() {
        return value;
    }

    @Override
    public ArrayType type() {
        return type;
    }

    @Override
    public HostArray toHost() {
        throw new UsageError(
                "%s is being traced and has no value; choose with where(...) or cond(...) in place"
                        + " of a Java if, repeat with whileLoop(...), or return it and read the"
                        + " result",
                type);
    }

    @Override
    public int precedence() {
        return 2 + trace.depth();
    }

    @Override
    public Array apply(Op op, List<Array> operands) {
        return trace.apply(op, operands);
    }

    @Override
    public String toString() {
        return "traced " + type;
    }
}
