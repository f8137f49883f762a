package org.meshbook.elastic.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;

class ArrayTest {
    private static float[] floats(Array x) {
        return x.toHost().floats();
    }

    @Test
    void operandsBroadcastFromTheRight() {
        var column = Array.of(1f, 2f).reshape(2, 1);
        var row = Array.of(10f, 20f, 30f);
        var sum = column.add(row);
        assertThat(sum.shape()).isEqualTo(Shape.of(2, 3));
        assertThat(floats(sum)).containsExactly(11, 21, 31, 12, 22, 32);
        assertThat(floats(row.sub(2).mul(3).div(4).pow(2))).containsExactly(36, 182.25f, 441);
        assertThat(floats(row.subFrom(1))).containsExactly(-9, -19, -29);
        assertThat(floats(row.divInto(60))).containsExactly(6, 3, 2);
        assertThat(floats(Array.of(-1f, 0f, 2f).relu())).containsExactly(0, 0, 2);
        assertThat(floats(Array.of(-1f, 0.2f, 2f).clip(0, 1))).containsExactly(0, 0.2f, 1);
    }

    @Test
    void comparisonsChoose() {
        var x = Array.of(1f, -2f, 3f);
        assertThat(x.gt(0).toHost().booleans()).containsExactly(true, false, true);
        assertThat(floats(Array.where(x.gt(0), x, 0))).containsExactly(1, 0, 3);
        assertThat(floats(Array.where(x.lt(0), 9, x))).containsExactly(1, 9, 3);
        assertThat(x.gt(0).and(x.lt(2)).or(x.eq(3)).toHost().booleans())
                .containsExactly(true, false, true);
        assertThat(x.gt(0).any().item()).isEqualTo(1);
        assertThat(x.gt(0).all().item()).isZero();
    }

    @Test
    void productsFollowNumpy() {
        var a = Array.of(new float[][] {{1, 2}, {3, 4}});
        var v = Array.of(1f, 10f);
        assertThat(floats(a.matmul(v))).containsExactly(21, 43);
        assertThat(floats(v.matmul(a))).containsExactly(31, 42);
        assertThat(v.matmul(v).item()).isEqualTo(101);
        assertThat(floats(a.matmul(a.transpose()))).containsExactly(5, 11, 11, 25);
        var batch = Array.ones(5, 1, 2, 2).matmul(Array.ones(3, 2, 4));
        assertThat(batch.shape()).isEqualTo(Shape.of(5, 3, 2, 4));
        assertThat(Array.ones(2).matmul(Array.ones(3, 2, 4)).shape()).isEqualTo(Shape.of(3, 4));
        assertThat(Array.ones(3, 5, 2).matmul(Array.ones(2)).shape()).isEqualTo(Shape.of(3, 5));
    }

    @Test
    void reductionsCountAxesFromBothEnds() {
        var x = Array.arange(6).reshape(2, 3).cast(DType.F32);
        assertThat(floats(x.sum(0))).containsExactly(3, 5, 7);
        assertThat(floats(x.mean(-1))).containsExactly(1, 4);
        assertThat(x.max().item()).isEqualTo(5);
        assertThat(x.min().item()).isZero();
        assertThat(floats(x.prod(1))).containsExactly(0, 60);
        assertThat(x.sumKeepDims(1).shape()).isEqualTo(Shape.of(2, 1));
        assertThat(x.argmax(1).toHost().ints()).containsExactly(2, 2);
        assertThat(floats(x.softmax(1).sum(1))).containsExactly(1, 1);
        assertThat(x.add(1000).logSumExp().item())
                .isCloseTo(1005.456, org.assertj.core.data.Offset.offset(1e-3));
        assertThat(floats(x.add(1000).logSoftmax(1).exp().sum(1))[0])
                .isCloseTo(1f, org.assertj.core.data.Offset.offset(1e-4f));
    }

    @Test
    void elementsMove() {
        var x = Array.arange(6).reshape(2, -1);
        assertThat(x.transpose().toHost().ints()).containsExactly(0, 3, 1, 4, 2, 5);
        assertThat(x.at(1).toHost().ints()).containsExactly(3, 4, 5);
        assertThat(x.at(-1, 0).item()).isEqualTo(3);
        assertThat(x.slice(1, 1, 3).toHost().ints()).containsExactly(1, 2, 4, 5);
        assertThat(x.slice(1, 0, -1).toHost().ints()).containsExactly(0, 1, 3, 4);
        assertThat(x.reverse(1).toHost().ints()).containsExactly(2, 1, 0, 5, 4, 3);
        assertThat(x.pad(List.of(0, 1), List.of(0, 0), 9).toHost().ints())
                .containsExactly(9, 0, 1, 2, 9, 3, 4, 5);
        assertThat(Array.concat(0, x, x).shape()).isEqualTo(Shape.of(4, 3));
        assertThat(Array.stack(0, List.of(x, x, x)).shape()).isEqualTo(Shape.of(3, 2, 3));
        assertThat(x.expandDims(-1).shape()).isEqualTo(Shape.of(2, 3, 1));
        assertThat(x.expandDims(0).squeeze().shape()).isEqualTo(Shape.of(2, 3));
        assertThat(x.take(Array.of(2, 0), 1).toHost().ints()).containsExactly(2, 0, 5, 3);
        assertThat(floats(Array.of(2, 0).oneHot(3))).containsExactly(0, 0, 1, 1, 0, 0);
        assertThat(x.broadcastTo(4, 2, 3).shape()).isEqualTo(Shape.of(4, 2, 3));
    }

    @Test
    void picturesAreConvolvedAndPooled() {
        var x = Array.arange(16).cast(DType.F32).reshape(1, 4, 4, 1);
        var kernel = Array.ones(3, 3, 1, 1);
        assertThat(floats(x.conv2d(kernel, 1, "VALID"))).containsExactly(45, 54, 81, 90);
        assertThat(x.conv2d(kernel, 1, "SAME").shape()).isEqualTo(Shape.of(1, 4, 4, 1));
        assertThat(x.conv2d(kernel, 2, "same").shape()).isEqualTo(Shape.of(1, 2, 2, 1));
        assertThat(floats(x.maxPool(2))).containsExactly(5, 7, 13, 15);
        assertThat(floats(x.avgPool(2))).containsExactly(2.5f, 4.5f, 10.5f, 12.5f);
    }

    @Test
    void randomNumbersComeFromTheirSeed() {
        assertThat(Array.normal(1, 4))
                .isEqualTo(Array.normal(1, 4))
                .isNotEqualTo(Array.normal(2, 4));
        var many = Array.normal(3, 10_000);
        assertThat(many.mean().item()).isBetween(-0.05, 0.05);
        assertThat(many.variance().item()).isBetween(0.95, 1.05);
        assertThat(Array.uniform(3, 1000).min().item()).isBetween(0.0, 0.01);
        assertThat(Array.uniform(3, 1000).max().item()).isBetween(0.99, 1.0);
    }

    @Test
    void contentIsShownCompactly() {
        assertThat(Array.scalar(1.5f)).hasToString("f32[] 1.5");
        assertThat(Array.of(new float[][] {{1, 0.25f}, {-2e-7f, 3e8f}}))
                .hasToString("f32[2,2] [[1.0, 0.25],\n [-2.00000e-07, 3.00000e+08]]");
        assertThat(Array.of(1, 2)).hasToString("i32[2] [1, 2]");
        assertThat(Array.of(true, false)).hasToString("i1[2] [true, false]");
        assertThat(Array.of(Double.NaN, Double.POSITIVE_INFINITY)).hasToString("f64[2] [nan, inf]");
        assertThat(Array.arange(2000)).hasToString("i32[2000] [0, 1, 2, ..., 1997, 1998, 1999]");
        assertThat(Array.zeros(0, 3)).hasToString("f32[0,3] []");
    }

    @TestFactory
    Stream<DynamicTest> misfitsNameTheOperationAndBothTypes() {
        var a = Array.zeros(2, 3);
        var b = Array.zeros(4);
        var i = Array.zeros(DType.I32, 2, 3);
        return Stream.of(
                bad(
                        "add",
                        () -> a.add(b),
                        MeshMismatch.class,
                        "add: f32[2,3] and f32[4] do not broadcast"),
                bad(
                        "shift of floats",
                        () -> a.shiftLeft(i),
                        UsageError.class,
                        "shift_left: is not defined for f32[2,3]; cast it, as in x.cast(DType.I32)"),
                bad(
                        "matmul",
                        () -> a.matmul(b),
                        MeshMismatch.class,
                        "matmul: f32[2,3] and f32[4] do not fit"),
                bad(
                        "reshape",
                        () -> a.reshape(4, -1),
                        MeshMismatch.class,
                        "reshape: f32[2,3] has 6 elements"),
                bad(
                        "reshape to",
                        () -> a.reshape(5),
                        MeshMismatch.class,
                        "reshape: f32[2,3] has 6 elements, [5] needs 5"),
                bad(
                        "concat",
                        () -> Array.concat(0, a, Array.zeros(2, 4)),
                        MeshMismatch.class,
                        "concatenate: f32[2,3] and f32[2,4] do not fit"),
                bad(
                        "conv",
                        () -> Array.zeros(1, 4, 4, 2).conv2d(Array.zeros(3, 3, 1, 8), 1, "SAME"),
                        MeshMismatch.class,
                        "convolution: f32[1,4,4,2] and f32[3,3,1,8] do not fit; the input has 2 channels, the kernel takes 1"),
                bad(
                        "select",
                        () -> a.select(a, a),
                        MeshMismatch.class,
                        "select: the predicate is f32[2,3]"),
                bad(
                        "axis",
                        () -> a.sum(2),
                        UsageError.class,
                        "axis 2 is not one of the 2 of f32[2,3]"),
                bad("take", () -> a.take(b, 0), MeshMismatch.class, "take: indices are f32[4]"),
                bad("item", a::item, UsageError.class, "item: f32[2,3] has 6 elements"),
                bad(
                        "dim",
                        () -> a.shape().dim(2),
                        UsageError.class,
                        "shape [2,3] has no dimension 2; it has 2 of them"),
                bad(
                        "ints of floats",
                        () -> a.toHost().ints(),
                        UsageError.class,
                        "f32[2,3] does not hold i32"),
                bad(
                        "broadcast",
                        () -> a.broadcastTo(2, 4),
                        MeshMismatch.class,
                        "broadcast_in_dim: f32[2,3] does not fit [2,4]"),
                bad(
                        "ragged",
                        () -> Array.of(new float[][] {{1}, {1, 2}}),
                        MeshMismatch.class,
                        "row 0 has 1 numbers, row 1 has 2"),
                bad(
                        "padding",
                        () -> Array.zeros(1, 4, 4, 1).conv2d(Array.zeros(3, 3, 1, 8), 1, "FULL"),
                        UsageError.class,
                        "conv2d: padding 'FULL' is unknown"));
    }

    private static DynamicTest bad(
            String name,
            ThrowingCallable call,
            Class<? extends ElasticException> type,
            String message) {
        return DynamicTest.dynamicTest(
                name,
                () ->
                        assertThatThrownBy(call)
                                .isInstanceOf(type)
                                .hasMessageStartingWith(message)
                                .hasMessageNotContaining("\n"));
    }
}
