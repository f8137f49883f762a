package org.meshbook.elastic.operations;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.operations.Operation.Gradient;

/// How operations are written down.
final class Catalogue {
    private final List<Operation> operations = new ArrayList<>();
    private Gradient gradient = Gradient.YES;

    /// Operands that are far from kinks, with 4 or 6 along each dimension, so that meshes can cut
    /// them.
    static final HostArray MATRIX = f64(Array.normal(11, 4, 6));

    static final HostArray OTHER = f64(Array.normal(12, 4, 6));
    static final HostArray ROW = f64(Array.normal(13, 6));
    static final HostArray CUBE = f64(Array.normal(14, 4, 6, 2));
    static final HostArray INTS =
            (HostArray) Array.uniform(15, 4, 6).mul(19).sub(9).cast(DType.I32);
    static final HostArray COUNTS = (HostArray) Array.uniform(16, 4, 6).mul(7).cast(DType.I32);
    static final HostArray TRUTHS = (HostArray) Array.uniform(17, 4, 6).gt(0.5);

    static HostArray f64(Array x) {
        return (HostArray) x.cast(DType.F64);
    }

    /// Operations from here on have this gradient.
    Catalogue with(Gradient other) {
        gradient = other;
        return this;
    }

    Catalogue one(String name, String jax, UnaryOperator<Array> call, HostArray input) {
        operations.add(
                new Operation(name, jax, gradient, List.of(input), in -> call.apply(in.get(0))));
        return this;
    }

    Catalogue one(String name, String jax, UnaryOperator<Array> call) {
        return one(name, jax, call, MATRIX);
    }

    Catalogue two(String name, String jax, BinaryOperator<Array> call, HostArray a, HostArray b) {
        operations.add(
                new Operation(
                        name,
                        jax,
                        gradient,
                        List.of(a, b),
                        in -> call.apply(in.get(0), in.get(1))));
        return this;
    }

    Catalogue two(String name, String jax, BinaryOperator<Array> call) {
        return two(name, jax, call, MATRIX, OTHER);
    }

    Catalogue many(
            String name,
            String jax,
            java.util.function.Function<List<Array>, Array> call,
            HostArray... inputs) {
        operations.add(new Operation(name, jax, gradient, Arrays.asList(inputs), call));
        return this;
    }

    List<Operation> operations() {
        return operations;
    }
}
