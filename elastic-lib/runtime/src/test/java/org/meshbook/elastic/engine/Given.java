package org.meshbook.elastic.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// Makers of arrays and graphs for tests.
public final class Given {
    private Given() {}

    /// @return an array of the given values in row-major order
    public static HostArray array(DType dtype, Shape shape, double... values) {
        var array = HostArray.zeros(new ArrayType(dtype, shape));
        for (int i = 0; i < values.length; i++) {
            put(array, i, values[i]);
        }
        return array;
    }

    public static HostArray vector(DType dtype, double... values) {
        return array(dtype, Shape.of(values.length), values);
    }

    public static HostArray f32(Shape shape, double... values) {
        return array(DType.F32, shape, values);
    }

    public static HostArray longs(long... values) {
        var array = HostArray.zeros(ArrayType.of(DType.I64, values.length));
        array.bytes().asLongBuffer().put(values);
        return array;
    }

    /// Fills an array with random values between `low` and `high`, whole ones for integers.
    public static HostArray random(
            RandomGenerator random, ArrayType type, double low, double high) {
        var array = HostArray.zeros(type);
        for (int i = 0; i < type.shape().size(); i++) {
            double value = low + (high - low) * random.nextDouble();
            put(array, i, type.dtype().isFloat() ? value : Math.floor(value));
        }
        return array;
    }

    private static void put(HostArray array, int i, double value) {
        Encoding.number(array.bytes(), array.type().dtype(), i, value);
    }

    public static double[] values(HostArray array) {
        var values = new double[(int) array.type().shape().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i);
        }
        return values;
    }

    /// @return a graph of one operation
    public static Graph single(Op op, ArrayType result, List<ArrayType> operands) {
        var numbers = new ArrayList<Integer>();
        for (int i = 0; i < operands.size(); i++) {
            numbers.add(i);
        }
        return new Graph(
                "single",
                operands,
                List.of(new Node(op, numbers, result)),
                List.of(operands.size()));
    }

    /// Runs one operation on an engine.
    public static HostArray run(Engine engine, Op op, ArrayType result, HostArray... operands) {
        var graph = single(op, result, List.of(operands).stream().map(HostArray::type).toList());
        try (var executable = engine.compile(graph, 1)) {
            return executable.run(List.of(operands)).getFirst();
        }
    }
}
