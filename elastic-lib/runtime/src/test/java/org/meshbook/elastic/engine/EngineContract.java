package org.meshbook.elastic.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.DType.BOOL;
import static org.meshbook.elastic.array.DType.F32;
import static org.meshbook.elastic.array.DType.F64;
import static org.meshbook.elastic.array.DType.I32;
import static org.meshbook.elastic.array.DType.I64;
import static org.meshbook.elastic.engine.Given.array;
import static org.meshbook.elastic.engine.Given.f32;
import static org.meshbook.elastic.engine.Given.vector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.CompareKind;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.array.Op.UnaryKind;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.engine.reference.ReferenceEngine;

/// What every engine must compute: each operation, type by type, as the reference does; [Same]
/// states the tolerance.
public abstract class EngineContract {
    private static final double NAN = Double.NaN;
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final List<DType> NUMBERS = List.of(F32, F64, I32, I64);
    private static final List<DType> ALL = List.of(F32, F64, I32, I64, BOOL);

    private final Engine engine;
    private final Engine reference = new ReferenceEngine();
    private final SplittableRandom random = new SplittableRandom(42);

    /// @param engine the engine that is held to it
    protected EngineContract(Engine engine) {
        this.engine = engine;
    }

    private DynamicTest check(String name, Op op, HostArray... operands) {
        return DynamicTest.dynamicTest(
                name + " " + op + " " + Arrays.stream(operands).map(HostArray::type).toList(),
                () -> {
                    var types = Arrays.stream(operands).map(HostArray::type).toList();
                    var type = op.infer(types);
                    Same.values(
                            Given.run(engine, op, type, operands),
                            Given.run(reference, op, type, operands));
                });
    }

    private HostArray any(DType dtype, int... dims) {
        var type = ArrayType.of(dtype, dims);
        return dtype == BOOL ? Given.random(random, type, 0, 2) : Given.random(random, type, -9, 9);
    }

    /// Small enough that sums of products stay near 1, where the tolerance is absolute.
    private HostArray small(DType dtype, int... dims) {
        var type = ArrayType.of(dtype, dims);
        return Given.random(random, type, dtype.isFloat() ? -1 : -9, dtype.isFloat() ? 1 : 9);
    }

    private static HostArray edges(DType dtype) {
        return switch (dtype) {
            case F32, F64 ->
                    vector(
                            dtype, 0, -0.0, 1, -1, 0.5, 1e-7, -1e-7, 3.3, -3.3, 20, -20, 50, -50,
                            85, -85, 1e9, -1e9, NAN, INF, -INF);
            case I32 -> vector(I32, 0, 1, -1, 7, -7, Integer.MAX_VALUE, Integer.MIN_VALUE);
            case I64 -> Given.longs(0, 1, -1, 7, -7, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53);
            case BOOL -> vector(BOOL, 0, 1);
            case BF16, F16, I8, I16, U8, U16, U32, U64 ->
                    throw new IllegalArgumentException(dtype + " is TypesContract's");
        };
    }

    /// XLA looks at the lowest six bits of an integer's exponent only; beyond them all but the
    /// powers of 0, 1 and -1 have overflowed.
    private static HostArray exponents(DType dtype) {
        return vector(dtype, 0, 1, -1, 2, 7, -7, 31, 63);
    }

    /// Every pair of two vectors' elements.
    private static List<HostArray> pairs(HostArray x) {
        int n = x.type().shape().dim(0);
        var reference = new ReferenceEngine();
        var shape = Shape.of(n, n);
        var type = new ArrayType(x.type().dtype(), shape);
        return List.of(
                Given.run(reference, new Op.BroadcastInDim(shape, List.of(0)), type, x),
                Given.run(reference, new Op.BroadcastInDim(shape, List.of(1)), type, x));
    }

    @TestFactory
    Stream<DynamicTest> unary() {
        var tests = new ArrayList<DynamicTest>();
        for (var kind : UnaryKind.values()) {
            for (var dtype : ALL) {
                boolean defined =
                        switch (kind) {
                            case NOT -> !dtype.isFloat();
                            case NEGATE, ABS, SIGN -> dtype != BOOL;
                            default -> dtype.isFloat();
                        };
                if (!defined) {
                    continue;
                }
                boolean periodic = kind == UnaryKind.SIN || kind == UnaryKind.COS;
                var edges = periodic ? vector(dtype, 0, 1, -3, 1.5707963, 30, NAN) : edges(dtype);
                tests.add(check("edges", new Op.Unary(kind), edges));
                tests.add(check("random", new Op.Unary(kind), any(dtype, 3, 1, 7)));
                tests.add(check("scalar", new Op.Unary(kind), any(dtype)));
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> binary() {
        var tests = new ArrayList<DynamicTest>();
        for (var kind : BinaryKind.values()) {
            for (var dtype : ALL) {
                boolean defined =
                        switch (kind) {
                            case ADD, MULTIPLY, MAXIMUM, MINIMUM -> true;
                            case AND, OR, XOR -> !dtype.isFloat();
                            case ATAN2 -> dtype.isFloat();
                            case SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL ->
                                    dtype.isInteger();
                            case SUBTRACT, DIVIDE, POWER, REMAINDER -> dtype != BOOL;
                        };
                if (!defined || (dtype == BOOL && !infers(new Op.Binary(kind)))) {
                    continue;
                }
                boolean integer = dtype == I32 || dtype == I64;
                var pairs =
                        pairs(
                                kind == BinaryKind.POWER && integer
                                        ? exponents(dtype)
                                        : edges(dtype));
                tests.add(check("edges", new Op.Binary(kind), pairs.get(0), pairs.get(1)));
                tests.add(check("random", new Op.Binary(kind), any(dtype, 2, 5), any(dtype, 2, 5)));
            }
        }
        return tests.stream();
    }

    private static boolean infers(Op op) {
        try {
            op.infer(List.of(ArrayType.of(BOOL, 1), ArrayType.of(BOOL, 1)));
            return true;
        } catch (ElasticException e) {
            return false;
        }
    }

    @TestFactory
    Stream<DynamicTest> compareSelectAndConvert() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : ALL) {
            var pairs = pairs(edges(dtype));
            for (var kind : CompareKind.values()) {
                tests.add(check("edges", new Op.Compare(kind), pairs.get(0), pairs.get(1)));
            }
            tests.add(
                    check(
                            "",
                            new Op.Select(),
                            any(BOOL, 4, 3),
                            any(dtype, 4, 3),
                            any(dtype, 4, 3)));
            for (var to : ALL) {
                tests.add(check("edges", new Op.Convert(to), edges(dtype)));
            }
            tests.add(check("", new Op.StopGradient(), any(dtype, 2)));
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> movement() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : ALL) {
            var x = any(dtype, 2, 3, 4);
            tests.add(check("", new Op.Constant(x)));
            for (int dim = 0; dim < 3 && dtype != BOOL; dim++) {
                tests.add(check("", new Op.Iota(ArrayType.of(dtype, 2, 3, 4), dim)));
            }
            tests.add(check("", new Op.BroadcastInDim(Shape.of(5, 2, 3, 4), List.of(1, 2, 3)), x));
            tests.add(check("", new Op.BroadcastInDim(Shape.of(3, 4), List.of()), any(dtype)));
            tests.add(check("", new Op.BroadcastInDim(Shape.of(3, 4), List.of(0)), any(dtype, 3)));
            tests.add(
                    check(
                            "",
                            new Op.BroadcastInDim(Shape.of(3, 5, 4), List.of(0, 2)),
                            any(dtype, 3, 1)));
            tests.add(check("", new Op.Reshape(Shape.of(6, 1, 4)), x));
            tests.add(check("", new Op.Reshape(Shape.SCALAR), any(dtype, 1, 1)));
            tests.add(check("", new Op.Reshape(Shape.of(1)), any(dtype)));
            tests.add(check("", new Op.Transpose(List.of(2, 0, 1)), x));
            tests.add(check("", new Op.Transpose(List.of(1, 0, 2)), any(dtype, 1, 3, 4)));
            tests.add(
                    check(
                            "",
                            new Op.Slice(List.of(0, 1, 1), List.of(2, 3, 4), List.of(1, 1, 2)),
                            x));
            tests.add(
                    check(
                            "empty",
                            new Op.Slice(List.of(0, 1, 1), List.of(2, 1, 4), List.of(1, 1, 2)),
                            x));
            tests.add(check("", new Op.Reverse(List.of(0, 2)), x));
            tests.add(
                    check("", new Op.Concatenate(1), x, any(dtype, 2, 0, 4), any(dtype, 2, 1, 4)));
            tests.addAll(pads(dtype));
        }
        return tests.stream();
    }

    private List<DynamicTest> pads(DType dtype) {
        var x = any(dtype, 3, 4);
        var value = any(dtype);
        return List.of(
                check("", new Op.Pad(List.of(1, 0), List.of(2, 3), List.of(0, 0)), x, value),
                check("", new Op.Pad(List.of(-1, 2), List.of(0, -3), List.of(2, 1)), x, value),
                check("", new Op.Pad(List.of(-1, -1), List.of(-1, 0), List.of(0, 0)), x, value),
                check("", new Op.Pad(List.of(-3, 0), List.of(4, 0), List.of(0, 0)), x, value),
                check(
                        "empty",
                        new Op.Pad(List.of(1, 0), List.of(1, 0), List.of(0, 0)),
                        any(dtype, 0, 4),
                        value));
    }

    @TestFactory
    Stream<DynamicTest> reductions() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : ALL) {
            for (var kind : ReduceKind.values()) {
                if (dtype == BOOL && !reduces(kind)) {
                    continue;
                }
                tests.add(check("", new Op.Reduce(kind, List.of(1)), any(dtype, 2, 3, 4)));
                tests.add(check("", new Op.Reduce(kind, List.of(0, 2)), any(dtype, 2, 3, 4)));
                tests.add(check("all", new Op.Reduce(kind, List.of(0, 1)), any(dtype, 3, 4)));
                tests.add(check("none", new Op.Reduce(kind, List.of()), any(dtype, 3)));
                tests.add(check("empty", new Op.Reduce(kind, List.of(0)), any(dtype, 0, 3)));
                tests.add(check("edges", new Op.Reduce(kind, List.of(0)), edges(dtype)));
            }
            if (dtype != BOOL) {
                tests.add(check("", new Op.ArgMax(1), any(dtype, 5, 4)));
                tests.add(check("edges", new Op.ArgMax(0), edges(dtype)));
                tests.add(check("ties", new Op.ArgMax(0), vector(dtype, 1, 3, 3, 2)));
            }
        }
        for (var kind : ReduceKind.values()) {
            var reduce = new Op.Reduce(kind, List.of(0));
            tests.add(check("wraps", reduce, vector(I32, Integer.MAX_VALUE, 65537, 3)));
            tests.add(check("near", reduce, Given.longs((1L << 53) + 1, (1L << 53) + 2)));
            tests.add(check("wraps", reduce, Given.longs(Long.MAX_VALUE, (1L << 53) + 1, 3)));
            tests.add(
                    check(
                            "wraps",
                            new Op.Reduce(kind, List.of(0)),
                            array(I32, Shape.of(2, 2), Integer.MAX_VALUE, 1, 5, 1 << 25)));
        }
        tests.add(check("NaN", new Op.ArgMax(0), vector(F32, 1, INF, NAN, NAN, INF)));
        tests.add(
                check(
                        "NaN",
                        new Op.Reduce(ReduceKind.MAX, List.of(1)),
                        f32(Shape.of(2, 3), 1, NAN, 2, 3, 4, -INF)));
        return tests.stream();
    }

    private static boolean reduces(ReduceKind kind) {
        try {
            new Op.Reduce(kind, List.of(0)).infer(List.of(ArrayType.of(BOOL, 1)));
            return true;
        } catch (ElasticException e) {
            return false;
        }
    }

    @TestFactory
    Stream<DynamicTest> dots() {
        var tests = new ArrayList<DynamicTest>();
        var none = List.<Integer>of();
        for (var dtype : NUMBERS) {
            tests.add(check("ab", dot(none, none, 1, 0), small(dtype, 3, 4), small(dtype, 4, 5)));
            tests.add(check("a'b", dot(none, none, 0, 0), small(dtype, 4, 3), small(dtype, 4, 5)));
            tests.add(check("ab'", dot(none, none, 1, 1), small(dtype, 3, 4), small(dtype, 5, 4)));
            tests.add(check("a'b'", dot(none, none, 0, 1), small(dtype, 4, 3), small(dtype, 5, 4)));
            tests.add(check("wraps", dot(none, none, 0, 0), edges(dtype), edges(dtype)));
            tests.add(check("inner", dot(none, none, 0, 0), small(dtype, 4), small(dtype, 4)));
            tests.add(check("row", dot(none, none, 0, 0), small(dtype, 4), small(dtype, 4, 2)));
            tests.add(
                    check(
                            "outer",
                            new Op.DotGeneral(none, none, none, none),
                            small(dtype, 3),
                            small(dtype, 2)));
            tests.add(
                    check(
                            "batch",
                            dot(List.of(1), List.of(0), 2, 1),
                            small(dtype, 3, 2, 4),
                            small(dtype, 2, 4, 5)));
            tests.add(
                    check(
                            "two",
                            new Op.DotGeneral(none, none, List.of(0, 2), List.of(2, 0)),
                            small(dtype, 3, 2, 4),
                            small(dtype, 4, 2, 3)));
            tests.add(check("k=0", dot(none, none, 1, 0), small(dtype, 3, 0), small(dtype, 0, 5)));
        }
        return tests.stream();
    }

    private static Op dot(List<Integer> lb, List<Integer> rb, int lc, int rc) {
        return new Op.DotGeneral(lb, rb, List.of(lc), List.of(rc));
    }

    @TestFactory
    Stream<DynamicTest> convolutions() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : NUMBERS) {
            var image = small(dtype, 2, 6, 5, 3);
            var kernel = small(dtype, 3, 2, 3, 4);
            tests.add(check("plain", conv2(1, 0, 0, 1, 1), image, kernel));
            tests.add(check("strided", conv2(2, 1, 2, 1, 1), image, kernel));
            tests.add(check("kernel dilated", conv2(1, 2, 1, 1, 2), image, kernel));
            tests.add(check("input dilated", conv2(1, 1, 0, 3, 1), image, kernel));
            tests.add(check("cut", conv2(1, -1, 1, 2, 1), image, kernel));
            tests.add(check("big kernel", conv2(1, 0, 0, 1, 1), image, small(dtype, 6, 4, 3, 2)));
            tests.add(check("tap", conv2(1, 0, 0, 1, 1), image, small(dtype, 1, 1, 3, 2)));
            var one =
                    new Op.Convolution(List.of(2), List.of(1), List.of(0), List.of(1), List.of(2));
            tests.add(check("1-d", one, small(dtype, 2, 7, 3), small(dtype, 2, 3, 2)));
            var none = new Op.Convolution(List.of(), List.of(), List.of(), List.of(), List.of());
            tests.add(check("0-d", none, small(dtype, 2, 3), small(dtype, 3, 4)));
        }
        return tests.stream();
    }

    private static Op conv2(int stride, int low, int high, int inputDilation, int kernelDilation) {
        return new Op.Convolution(
                List.of(stride, 1),
                List.of(low, low),
                List.of(high, high),
                List.of(inputDilation, 1),
                List.of(kernelDilation, 1));
    }

    @TestFactory
    Stream<DynamicTest> indexing() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : ALL) {
            for (var index : List.of(I32, I64)) {
                var at = array(index, Shape.of(2, 3), 0, 1, -1, 99, 1, 2);
                tests.add(check("", new Op.Take(1), any(dtype, 2, 3, 4), at));
                tests.add(check("", new Op.Take(0), any(dtype, 3), array(index, Shape.SCALAR, 2)));
                if (dtype != BOOL) {
                    tests.add(
                            check(
                                    "",
                                    new Op.ScatterAdd(1),
                                    any(dtype, 2, 3, 4),
                                    at,
                                    any(dtype, 2, 2, 3, 4)));
                    tests.add(
                            check(
                                    "empty",
                                    new Op.ScatterAdd(0),
                                    any(dtype, 3),
                                    any(index, 0),
                                    any(dtype, 0)));
                }
            }
        }
        return tests.stream();
    }

    @Test
    void saysThatAnArrayIsTooLarge() {
        var type = ArrayType.of(F32, 1 << 15, 1 << 15);
        var graph = Given.single(new Op.Unary(UnaryKind.ABS), type, List.of(type));
        assertThatThrownBy(() -> engine.compile(graph, 1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("2 GiB")
                .hasMessageContaining("f32[32768,32768]");
    }
}
