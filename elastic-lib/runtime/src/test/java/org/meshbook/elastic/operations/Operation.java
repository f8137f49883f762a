package org.meshbook.elastic.operations;

import java.util.List;
import java.util.function.Function;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;

/// One operation by example.
///
/// @param name what it is called here
/// @param jax the same call in JAX, over `a`, `b` and `c`
/// @param gradient whether one can differentiate by its float operands
/// @param inputs operands to try it with; floats are F64
/// @param call the operation, fit for any shapes that it is defined for
public record Operation(
        String name,
        String jax,
        Gradient gradient,
        List<HostArray> inputs,
        Function<List<Array>, Array> call) {
    /// Why an operation has no gradient, if it has none.
    public enum Gradient {
        YES("yes"),
        NONE("not differentiable"),
        ONE_WAY("not in reverse"),
        INTEGER("integer only");

        private final String words;

        Gradient(String words) {
            this.words = words;
        }

        /// @return as the table says it
        public String words() {
            return words;
        }
    }

    public Operation {
        inputs = List.copyOf(inputs);
    }

    /// @return the operands with floats of another type
    public List<HostArray> inputs(DType floats) {
        return inputs.stream()
                .map(x -> x.dtype().isFloat() ? (HostArray) x.cast(floats) : x)
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
