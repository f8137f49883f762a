package org.meshbook.elastic.engine.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.array.DType.BOOL;
import static org.meshbook.elastic.array.DType.F32;
import static org.meshbook.elastic.array.DType.F64;
import static org.meshbook.elastic.array.DType.I32;
import static org.meshbook.elastic.array.DType.I64;
import static org.meshbook.elastic.engine.Given.array;
import static org.meshbook.elastic.engine.Given.f32;
import static org.meshbook.elastic.engine.Given.values;
import static org.meshbook.elastic.engine.Given.vector;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
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
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.engine.Given;
import org.meshbook.elastic.graph.Graph;

class ReferenceEngineTest {
    private static final double NAN = Double.NaN;
    private static final double INF = Double.POSITIVE_INFINITY;

    private static double[] run(Op op, ArrayType type, HostArray... operands) {
        return values(Given.run(new ReferenceEngine(), op, type, operands));
    }

    private static double[] unary(UnaryKind kind, HostArray in) {
        return run(new Op.Unary(kind), in.type(), in);
    }

    private static double[] binary(BinaryKind kind, DType dtype, double[] lhs, double[] rhs) {
        var left = vector(dtype, lhs);
        return run(new Op.Binary(kind), left.type(), left, vector(dtype, rhs));
    }

    private static double[] of(double... values) {
        return values;
    }

    @Test
    void unaryFollowsIeee() {
        assertThat(unary(UnaryKind.SIGN, vector(F32, -3, -0.0, 0, 2, NAN)))
                .containsExactly(-1, -0.0, 0, 1, NAN);
        assertThat(unary(UnaryKind.LOGISTIC, vector(F64, -INF, 0, INF))).containsExactly(0, 0.5, 1);
        assertThat(unary(UnaryKind.EXPM1, vector(F32, 1e-20))).containsExactly((float) 1e-20);
        assertThat(unary(UnaryKind.RSQRT, vector(F32, 4, 0, -1))).containsExactly(0.5, INF, NAN);
        assertThat(unary(UnaryKind.ABS, vector(I32, Integer.MIN_VALUE, -2)))
                .containsExactly(Integer.MIN_VALUE, 2);
        assertThat(unary(UnaryKind.NOT, vector(BOOL, 0, 1))).containsExactly(1, 0);
    }

    @Test
    void floatsRoundOnceAnOperation() {
        assertThat(binary(BinaryKind.ADD, F32, of(16777216), of(1))).containsExactly(16777216);
        assertThat(binary(BinaryKind.MULTIPLY, F32, of(1e30), of(1e30))).containsExactly(INF);
    }

    @Test
    void nanPassesThroughMaximumAndMinimum() {
        assertThat(binary(BinaryKind.MAXIMUM, F32, of(NAN, 1, -0.0), of(1, NAN, 0)))
                .containsExactly(NAN, NAN, 0);
        assertThat(binary(BinaryKind.MINIMUM, F64, of(NAN, 1), of(1, NAN)))
                .containsExactly(NAN, NAN);
        assertThat(
                        run(
                                new Op.Reduce(ReduceKind.MAX, List.of(0)),
                                ArrayType.of(F32),
                                vector(F32, 1, NAN, 3)))
                .containsExactly(NAN);
    }

    @Test
    void powerAndRemainderFollowIeeeAndXla() {
        assertThat(binary(BinaryKind.POWER, F64, of(1, -1, 2, NAN), of(NAN, INF, -1, 0)))
                .containsExactly(1, 1, 0.5, 1);
        assertThat(binary(BinaryKind.POWER, I32, of(3, -1, 2, 2), of(4, -3, -1, 31)))
                .containsExactly(81, -1, 0, Integer.MIN_VALUE);
        assertThat(binary(BinaryKind.REMAINDER, F32, of(-7, 7, 5), of(3, -3, 0)))
                .containsExactly(-1, 1, NAN);
        assertThat(binary(BinaryKind.REMAINDER, I32, of(-7, 7, 5), of(3, -3, 0)))
                .containsExactly(-1, 1, 5);
    }

    @Test
    void integersWrapAndDivideTowardsZero() {
        assertThat(binary(BinaryKind.ADD, I32, of(Integer.MAX_VALUE), of(1)))
                .containsExactly(Integer.MIN_VALUE);
        assertThat(binary(BinaryKind.DIVIDE, I32, of(-7, 5, Integer.MIN_VALUE), of(2, 0, -1)))
                .containsExactly(-3, -1, Integer.MIN_VALUE);
        assertThat(binary(BinaryKind.ADD, BOOL, of(0, 1, 1), of(0, 0, 1))).containsExactly(0, 1, 1);
        assertThat(binary(BinaryKind.AND, BOOL, of(0, 1, 1), of(0, 0, 1))).containsExactly(0, 0, 1);
    }

    @Test
    void compareAndSelect() {
        var x = vector(F32, 1, NAN, 3);
        var y = vector(F32, 1, NAN, 2);
        var bools = ArrayType.of(BOOL, 3);
        assertThat(run(new Op.Compare(CompareKind.EQ), bools, x, y)).containsExactly(1, 0, 0);
        assertThat(run(new Op.Compare(CompareKind.NE), bools, x, y)).containsExactly(0, 1, 1);
        assertThat(run(new Op.Compare(CompareKind.GT), bools, x, y)).containsExactly(0, 0, 1);
        assertThat(run(new Op.Select(), x.type(), vector(BOOL, 0, 1, 0), x, y))
                .containsExactly(1, NAN, 2);
    }

    @Test
    void convertSaturatesAndTruncates() {
        assertThat(
                        run(
                                new Op.Convert(I32),
                                ArrayType.of(I32, 4),
                                vector(F32, -1.9, 1e20, NAN, -INF)))
                .containsExactly(-1, Integer.MAX_VALUE, 0, Integer.MIN_VALUE);
        assertThat(run(new Op.Convert(BOOL), ArrayType.of(BOOL, 3), vector(F64, 0, 0.5, NAN)))
                .containsExactly(0, 1, 1);
        assertThat(run(new Op.Convert(I32), ArrayType.of(I32, 1), Given.longs((1L << 32) + 7)))
                .containsExactly(7);
        // 2^54 + 2^30 + 1 rounds up in one step, and to even (down) by way of double.
        assertThat(
                        run(
                                new Op.Convert(F32),
                                ArrayType.of(F32, 1),
                                Given.longs((1L << 54) + (1L << 30) + 1)))
                .containsExactly((float) ((1L << 54) + (1L << 30) + 1));
    }

    @Test
    void movesElements() {
        var x = f32(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
        assertThat(run(new Op.Transpose(List.of(1, 0)), ArrayType.of(F32, 3, 2), x))
                .containsExactly(1, 4, 2, 5, 3, 6);
        assertThat(run(new Op.Reverse(List.of(1)), x.type(), x)).containsExactly(3, 2, 1, 6, 5, 4);
        assertThat(
                        run(
                                new Op.Slice(List.of(0, 0), List.of(2, 3), List.of(1, 2)),
                                ArrayType.of(F32, 2, 2),
                                x))
                .containsExactly(1, 3, 4, 6);
        assertThat(
                        run(
                                new Op.BroadcastInDim(Shape.of(2, 2), List.of(1)),
                                ArrayType.of(F32, 2, 2),
                                vector(F32, 7, 8)))
                .containsExactly(7, 8, 7, 8);
        assertThat(
                        run(
                                new Op.BroadcastInDim(Shape.of(2, 2), List.of(0, 1)),
                                ArrayType.of(F32, 2, 2),
                                f32(Shape.of(2, 1), 7, 8)))
                .containsExactly(7, 7, 8, 8);
        assertThat(
                        run(
                                new Op.Concatenate(1),
                                ArrayType.of(F32, 2, 4),
                                x,
                                f32(Shape.of(2, 1), 9, 10)))
                .containsExactly(1, 2, 3, 9, 4, 5, 6, 10);
        assertThat(run(new Op.Iota(ArrayType.of(I32, 2, 3), 1), ArrayType.of(I32, 2, 3)))
                .containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void padsBothWaysAndInside() {
        var x = vector(F32, 1, 2, 3);
        var zero = f32(Shape.SCALAR, 9);
        assertThat(
                        run(
                                new Op.Pad(List.of(1), List.of(2), List.of(1)),
                                ArrayType.of(F32, 8),
                                x,
                                zero))
                .containsExactly(9, 1, 9, 2, 9, 3, 9, 9);
        assertThat(
                        run(
                                new Op.Pad(List.of(-1), List.of(-1), List.of(1)),
                                ArrayType.of(F32, 3),
                                x,
                                zero))
                .containsExactly(9, 2, 9);
        assertThat(
                        run(
                                new Op.Pad(List.of(-2), List.of(1), List.of(0)),
                                ArrayType.of(F32, 2),
                                x,
                                zero))
                .containsExactly(3, 9);
    }

    @Test
    void reducesAndFindsTheGreatest() {
        var x = array(I32, Shape.of(2, 3), 1, 5, 5, -4, -9, -4);
        assertThat(run(new Op.Reduce(ReduceKind.SUM, List.of(0)), ArrayType.of(I32, 3), x))
                .containsExactly(-3, -4, 1);
        assertThat(run(new Op.Reduce(ReduceKind.MIN, List.of(1)), ArrayType.of(I32, 2), x))
                .containsExactly(1, -9);
        assertThat(run(new Op.Reduce(ReduceKind.PRODUCT, List.of(0, 1)), ArrayType.of(I32), x))
                .containsExactly(25 * -144);
        assertThat(run(new Op.Reduce(ReduceKind.MAX, List.of(0)), ArrayType.of(F32), vector(F32)))
                .containsExactly(-INF);
        assertThat(run(new Op.ArgMax(1), ArrayType.of(I32, 2), x)).containsExactly(1, 0);
        assertThat(run(new Op.ArgMax(0), ArrayType.of(I32), vector(F32, 3, NAN, INF, NAN)))
                .containsExactly(1);
    }

    @Test
    void multipliesMatricesByBatch() {
        var dot = new Op.DotGeneral(List.of(0), List.of(2), List.of(2), List.of(0));
        // left [batch, i, k], right [k, j, batch]
        var left = f32(Shape.of(2, 1, 2), 1, 2, 3, 4);
        var right = f32(Shape.of(2, 1, 2), 5, 6, 7, 8);
        assertThat(run(dot, ArrayType.of(F32, 2, 1, 1), left, right))
                .containsExactly(1 * 5 + 2 * 7, 3 * 6 + 4 * 8);
    }

    @Test
    void convolvesWithStridesPaddingAndDilation() {
        var x = f32(Shape.of(1, 4, 1), 1, 2, 3, 4);
        var kernel = f32(Shape.of(2, 1, 2), 1, 10, 100, 1000);
        var plain = conv(1, 0, 0, 1, 1);
        assertThat(run(plain, ArrayType.of(F32, 1, 3, 2), x, kernel))
                .containsExactly(201, 2010, 302, 3020, 403, 4030);
        assertThat(run(conv(2, 1, 1, 1, 1), ArrayType.of(F32, 1, 3, 2), x, kernel))
                .containsExactly(100, 1000, 302, 3020, 4, 40);
        assertThat(run(conv(1, 0, -1, 2, 3), ArrayType.of(F32, 1, 3, 2), x, kernel))
                .containsExactly(1, 10, 300, 3000, 2, 20);
    }

    private static Op conv(int stride, int low, int high, int inputDilation, int kernelDilation) {
        return new Op.Convolution(
                List.of(stride),
                List.of(low),
                List.of(high),
                List.of(inputDilation),
                List.of(kernelDilation));
    }

    @Test
    void takeClampsAndScatterDrops() {
        var x = f32(Shape.of(3, 2), 1, 2, 3, 4, 5, 6);
        var at = vector(I32, 2, -5, 99);
        assertThat(run(new Op.Take(0), ArrayType.of(F32, 3, 2), x, at))
                .containsExactly(5, 6, 1, 2, 5, 6);
        assertThat(
                        run(
                                new Op.ScatterAdd(0),
                                x.type(),
                                x,
                                vector(I64, 1, -1, 1),
                                f32(Shape.of(3, 2), 10, 20, 30, 40, 50, 60)))
                .containsExactly(1, 2, 63, 84, 5, 6);
    }

    @Test
    void enginesAreFoundByName() {
        assertThat(Engines.named("reference")).isInstanceOf(ReferenceEngine.class);
        assertThat(Engines.available()).contains("reference");
        assertThatThrownBy(() -> Engines.named("referense"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("referense")
                .hasMessageContaining("reference");
    }

    @Test
    void refusesWhatItCannotRun() {
        var type = ArrayType.of(F32, 2);
        var psum =
                Given.single(new Op.AllReduce(ReduceKind.SUM, List.of("r")), type, List.of(type));
        assertThatThrownBy(() -> new ReferenceEngine().compile(psum, 1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("AllReduce");
        var echo = new Graph("echo", List.of(type), List.of(), List.of(0));
        try (var executable = new ReferenceEngine().compile(echo, 1)) {
            assertThatThrownBy(() -> executable.run(List.of(vector(F32, 1, 2, 3))))
                    .isInstanceOf(MeshMismatch.class)
                    .hasMessageContaining("f32[2]")
                    .hasMessageContaining("f32[3]");
        }
    }
}
