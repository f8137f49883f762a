package org.meshbook.elastic.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.meshbook.elastic.array.DType.BF16;
import static org.meshbook.elastic.array.DType.BOOL;
import static org.meshbook.elastic.array.DType.F16;
import static org.meshbook.elastic.array.DType.F32;
import static org.meshbook.elastic.array.DType.F64;
import static org.meshbook.elastic.array.DType.I16;
import static org.meshbook.elastic.array.DType.I32;
import static org.meshbook.elastic.array.DType.I64;
import static org.meshbook.elastic.array.DType.I8;
import static org.meshbook.elastic.array.DType.U16;
import static org.meshbook.elastic.array.DType.U32;
import static org.meshbook.elastic.array.DType.U64;
import static org.meshbook.elastic.array.DType.U8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.CompareKind;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.array.Op.UnaryKind;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.engine.reference.ReferenceEngine;

/// What an engine does with each element type, against the reference: values at the ends of the
/// type's range, NaN and infinities, empty arrays and scalars; [Same] states the tolerance.
public abstract class TypesContract {
    private static final List<DType> NARROW = List.of(BF16, F16, I8, I16, U8, U16, U32, U64);
    private static final List<DType> ALL = List.of(DType.values());

    private final Engine reference = new ReferenceEngine();
    private final SplittableRandom random = new SplittableRandom(7);

    /// @return the engine to test
    protected abstract Engine engine();

    /// @param op an operation
    /// @param types of its operands
    /// @return why the engine computes something else, where StableHLO leaves that open; empty if
    ///   it must agree
    protected Optional<String> differs(Op op, List<ArrayType> types) {
        return Optional.empty();
    }

    private DynamicTest check(String name, Op op, HostArray... operands) {
        var types = Arrays.stream(operands).map(HostArray::type).toList();
        return DynamicTest.dynamicTest(
                name + " " + op + " " + types,
                () -> {
                    var differs = differs(op, types);
                    assumeTrue(differs.isEmpty(), () -> differs.orElse(""));
                    var type = op.infer(types);
                    Same.values(
                            Given.run(engine(), op, type, operands),
                            Given.run(reference, op, type, operands));
                });
    }

    private HostArray any(DType dtype, int... dims) {
        double low = dtype == BOOL || dtype.isUnsigned() ? 0 : -9;
        return Given.random(random, ArrayType.of(dtype, dims), low, dtype == BOOL ? 2 : 9);
    }

    private static HostArray whole(DType dtype, long... values) {
        var array = HostArray.zeros(ArrayType.of(dtype, values.length));
        for (int i = 0; i < values.length; i++) {
            Encoding.integer(array.bytes(), dtype, i, values[i]);
        }
        return array;
    }

    private static HostArray edges(DType dtype) {
        if (dtype.isFloat()) {
            double inf = Double.POSITIVE_INFINITY;
            return Given.vector(
                    dtype,
                    0,
                    -0.0,
                    1,
                    -1,
                    0.5,
                    1.5,
                    2.5,
                    -3.3,
                    1e-7,
                    20,
                    -20,
                    300,
                    6e4,
                    -7e4,
                    1e30,
                    Double.NaN,
                    inf,
                    -inf);
        }
        long least = dtype.least();
        long most = dtype.greatest();
        return dtype == BOOL
                ? whole(dtype, 0, 1)
                : whole(dtype, 0, 1, -1, 2, 7, -7, 31, least, least + 1, most, most / 2 + 1);
    }

    private static List<HostArray> pairs(HostArray x, HostArray y) {
        var shape = Shape.of(x.type().shape().dim(0), y.type().shape().dim(0));
        var reference = new ReferenceEngine();
        var left = new Op.BroadcastInDim(shape, List.of(0));
        var right = new Op.BroadcastInDim(shape, List.of(1));
        return List.of(
                Given.run(reference, left, left.infer(List.of(x.type())), x),
                Given.run(reference, right, right.infer(List.of(y.type())), y));
    }

    private static boolean defined(Op op, DType... operands) {
        try {
            op.infer(Arrays.stream(operands).map(dtype -> ArrayType.of(dtype, 1)).toList());
            return true;
        } catch (org.meshbook.elastic.UsageError e) {
            return false;
        }
    }

    @TestFactory
    Stream<DynamicTest> functionsOfOneNumber() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : NARROW) {
            for (var kind : UnaryKind.values()) {
                if (defined(new Op.Unary(kind), dtype)) {
                    boolean periodic = kind == UnaryKind.SIN || kind == UnaryKind.COS;
                    var edges = periodic ? Given.vector(dtype, 0, 1, -3, 30) : edges(dtype);
                    tests.add(check("edges", new Op.Unary(kind), edges));
                }
            }
            tests.add(check("scalar", new Op.Unary(UnaryKind.NEGATE), any(dtype)));
            tests.add(check("empty", new Op.Unary(UnaryKind.NEGATE), any(dtype, 0, 3)));
        }
        for (var dtype : List.of(F32, F64)) {
            for (var kind : List.of(UnaryKind.CBRT, UnaryKind.ERF, UnaryKind.ROUND_NEAREST_EVEN)) {
                tests.add(check("edges", new Op.Unary(kind), edges(dtype)));
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> functionsOfTwoNumbers() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : NARROW) {
            for (var kind : BinaryKind.values()) {
                if (defined(new Op.Binary(kind), dtype, dtype)) {
                    var pairs = pairs(edges(dtype), edges(dtype));
                    tests.add(check("edges", new Op.Binary(kind), pairs.get(0), pairs.get(1)));
                }
            }
            for (var kind : CompareKind.values()) {
                var pairs = pairs(edges(dtype), edges(dtype));
                tests.add(check("edges", new Op.Compare(kind), pairs.get(0), pairs.get(1)));
            }
        }
        for (var dtype : ALL) {
            for (var kind : List.of(BinaryKind.XOR, BinaryKind.ATAN2, BinaryKind.AND)) {
                if (defined(new Op.Binary(kind), dtype, dtype)) {
                    var pairs = pairs(edges(dtype), edges(dtype));
                    tests.add(check("all", new Op.Binary(kind), pairs.get(0), pairs.get(1)));
                }
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> shiftsByAnyAmount() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : ALL) {
            for (var kind :
                    List.of(
                            BinaryKind.SHIFT_LEFT,
                            BinaryKind.SHIFT_RIGHT_ARITHMETIC,
                            BinaryKind.SHIFT_RIGHT_LOGICAL)) {
                if (defined(new Op.Binary(kind), dtype, dtype)) {
                    int bits = dtype.bits();
                    var by = whole(dtype, 0, 1, 3, bits - 1, bits, bits + 1, 100, -1);
                    var pairs = pairs(edges(dtype), by);
                    tests.add(check("", new Op.Binary(kind), pairs.get(0), pairs.get(1)));
                }
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> conversions() {
        var tests = new ArrayList<DynamicTest>();
        for (var from : ALL) {
            for (var to : ALL) {
                tests.add(check("", new Op.Convert(to), edges(from)));
            }
        }
        var large = LongStream.of(1L << 24, (1L << 24) + 1, (1L << 53) + 1, (1L << 54) + 3, -2);
        var numbers = large.toArray();
        for (var to : List.of(F32, F64, BF16)) {
            tests.add(check("large", new Op.Convert(to), whole(I64, numbers)));
            tests.add(check("large", new Op.Convert(to), whole(U64, numbers)));
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> movement() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : NARROW) {
            var x = any(dtype, 2, 3, 4);
            tests.add(check("", new Op.Constant(edges(dtype))));
            tests.add(check("", new Op.Iota(ArrayType.of(dtype, 300), 0)));
            tests.add(check("", new Op.BroadcastInDim(Shape.of(5, 3), List.of(1)), any(dtype, 3)));
            tests.add(check("", new Op.Reshape(Shape.of(6, 4)), x));
            tests.add(check("", new Op.Transpose(List.of(2, 0, 1)), x));
            var slice = new Op.Slice(List.of(0, 1, 1), List.of(2, 3, 4), List.of(1, 1, 2));
            tests.add(check("", slice, x));
            tests.add(check("", new Op.Reverse(List.of(0)), edges(dtype)));
            tests.add(check("", new Op.Concatenate(0), edges(dtype), any(dtype, 2)));
            var pad = new Op.Pad(List.of(1, -1), List.of(2, 3), List.of(0, 1));
            tests.add(check("", pad, any(dtype, 3, 4), any(dtype)));
            tests.add(check("", new Op.Select(), any(BOOL, 4), any(dtype, 4), any(dtype, 4)));
            tests.add(check("", new Op.StopGradient(), edges(dtype)));
            for (var index : List.of(I32, U8, I8, U32, U64)) {
                var at = whole(index, 0, 1, -1, 99, 2);
                tests.add(check("", new Op.Take(1), x, at));
                tests.add(check("", new Op.ScatterAdd(0), any(dtype, 3), at, any(dtype, 5)));
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> reductionsAndProducts() {
        var tests = new ArrayList<DynamicTest>();
        for (var dtype : NARROW) {
            for (var kind : ReduceKind.values()) {
                tests.add(check("", new Op.Reduce(kind, List.of(1)), any(dtype, 2, 3, 4)));
                tests.add(check("empty", new Op.Reduce(kind, List.of(0)), any(dtype, 0, 3)));
                if (!dtype.isFloat()) {
                    tests.add(check("edges", new Op.Reduce(kind, List.of(0)), edges(dtype)));
                }
            }
            tests.add(check("", new Op.ArgMax(0), edges(dtype)));
            var one = List.of(1);
            var dot = new Op.DotGeneral(List.of(), List.of(), one, List.of(0));
            tests.add(check("", dot, any(dtype, 3, 4), any(dtype, 4, 5)));
            if (!dtype.isFloat()) {
                var inner = new Op.DotGeneral(List.of(), List.of(), List.of(0), List.of(0));
                tests.add(check("wraps", inner, edges(dtype), edges(dtype)));
            }
            var conv = new Op.Convolution(one, one, one, one, one);
            tests.add(check("", conv, any(dtype, 1, 5, 2), any(dtype, 3, 2, 2)));
        }
        return tests.stream();
    }
}
