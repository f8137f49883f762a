package org.meshbook.elastic.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.elastic.UsageError;

class PromotionTest {
    private static final List<DType> ORDER =
            List.of(
                    DType.BOOL,
                    DType.U8,
                    DType.U16,
                    DType.U32,
                    DType.U64,
                    DType.I8,
                    DType.I16,
                    DType.I32,
                    DType.I64,
                    DType.BF16,
                    DType.F16,
                    DType.F32,
                    DType.F64);

    /// `jnp.promote_types` of JAX 0.10.2 with x64 on, one row a left type.
    @ParameterizedTest
    @CsvSource({
        "i1, i1 u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64",
        "u8, u8 u8 u16 u32 u64 i16 i16 i32 i64 bf16 f16 f32 f64",
        "u16, u16 u16 u16 u32 u64 i32 i32 i32 i64 bf16 f16 f32 f64",
        "u32, u32 u32 u32 u32 u64 i64 i64 i64 i64 bf16 f16 f32 f64",
        "u64, u64 u64 u64 u64 u64 f64 f64 f64 f64 bf16 f16 f32 f64",
        "i8, i8 i16 i32 i64 f64 i8 i16 i32 i64 bf16 f16 f32 f64",
        "i16, i16 i16 i32 i64 f64 i16 i16 i32 i64 bf16 f16 f32 f64",
        "i32, i32 i32 i32 i64 f64 i32 i32 i32 i64 bf16 f16 f32 f64",
        "i64, i64 i64 i64 i64 f64 i64 i64 i64 i64 bf16 f16 f32 f64",
        "bf16, bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 f32 f64",
        "f16, f16 f16 f16 f16 f16 f16 f16 f16 f16 f32 f16 f32 f64",
        "f32, f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64",
        "f64, f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64"
    })
    void twoArraysMeetInTheTypeThatJaxChooses(String left, String row) {
        var a = ORDER.stream().filter(t -> t.shortName().equals(left)).findFirst().orElseThrow();
        assertThat(ORDER.stream().map(b -> Promotion.of(a, b).shortName()).toList())
                .isEqualTo(List.of(row.split(" ")));
    }

    @Test
    void javaNumbersTakeTheArraysType() {
        assertThat(Array.zeros(DType.U8, 2).add(1).dtype()).isEqualTo(DType.U8);
        assertThat(Array.zeros(DType.BF16, 2).mul(0.5).dtype()).isEqualTo(DType.BF16);
        assertThat(Array.of(1, 2).add(0.5).toHost().floats()).containsExactly(1.5f, 2.5f);
        assertThat(Array.of(true).mul(2).toHost().ints()).containsExactly(2);
        assertThat(Array.of(1, 2).lt(1.5).toHost().booleans()).containsExactly(true, false);
        assertThat(Array.of(1, 9).cast(DType.U8).clip(-5, 300).toHost().ints())
                .containsExactly(1, 9);
        assertThatThrownBy(() -> Array.zeros(DType.U8, 2).add(300))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "300.0 is not a value of u8[2]; cast the array first, as in"
                                + " x.cast(DType.I64)");
    }

    @Test
    void everyWayOfMeetingPromotes() {
        var x = Array.of(1f, 2f);
        var i = Array.of(3, 4);
        assertThat(x.add(i).toHost().floats()).containsExactly(4, 6);
        assertThat(i.eq(x).toHost().booleans()).containsExactly(false, false);
        assertThat(Array.where(Array.of(true, false), x, i).toHost().floats())
                .containsExactly(1, 4);
        assertThat(Array.concat(0, i, x).toHost().floats()).containsExactly(3, 4, 1, 2);
        assertThat(i.matmul(x).dtype()).isEqualTo(DType.F32);
        assertThat(i.atan2(i).dtype()).isEqualTo(DType.F32);
        assertThat(i.sqrt().dtype()).isEqualTo(DType.F32);
        assertThat(Array.of(1, 2).mean().item()).isEqualTo(1.5);
        assertThat(Array.of(true, false).mean().item()).isEqualTo(0.5);
    }

    @Test
    void halfPrecisionIsAveragedInF32() {
        var x = Array.full(DType.F16, 30_000, 1000);
        assertThat(x.mean().item()).isEqualTo(30_000);
        assertThat(x.mean().dtype()).isEqualTo(DType.F16);
    }
}
