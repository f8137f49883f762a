package org.meshbook.elastic.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meshbook.elastic.jit.Jit.grad;
import static org.meshbook.elastic.jit.Jit.jit;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.jit.Fn1;

/// Random numbers beside those that JAX 0.10.2 printed for the same key on its CPU, with
/// `jax_threefry_partitionable` on, its default.
class KeyTest {
    private final Key key = Key.of(42);

    private static List<Long> words(Key key) {
        var words = key.data().toHost().longs();
        return List.of(words[0], words[1]);
    }

    private static void near(Array found, int units, float... wanted) {
        var floats = found.toHost().floats();
        assertThat(floats).hasSameSizeAs(wanted);
        for (int i = 0; i < wanted.length; i++) {
            assertThat(Math.abs(floats[i] - wanted[i]))
                    .as("%s beside %s", floats[i], wanted[i])
                    .isLessThanOrEqualTo(units * Math.ulp(wanted[i]));
        }
    }

    @Test
    void keysComeFromSeedsAndFromEachOther() {
        assertThat(words(key)).containsExactly(0L, 42L);
        assertThat(words(Key.of(4294967295L))).containsExactly(0L, 4294967295L);
        assertThat(words(Key.of((1L << 40) + 3))).containsExactly(256L, 3L);
        assertThat(words(Key.of(-1))).containsExactly(4294967295L, 4294967295L);
        assertThat(key.split().stream().map(KeyTest::words))
                .containsExactly(List.of(1832780943L, 270669613L), List.of(64467757L, 2916123636L));
        assertThat(words(key.split(3).get(2))).containsExactly(2465931498L, 255383827L);
        assertThat(words(key.foldIn(7))).containsExactly(2547012911L, 1371500959L);
        assertThat(words(key.foldIn(Array.scalar(7)))).containsExactly(2547012911L, 1371500959L);
        assertThatThrownBy(() -> new Key(Array.of(1, 2)))
                .isInstanceOf(UsageError.class)
                .hasMessage("a key is u32[2], i32[2] is given; use Key.of(seed)");
    }

    @Test
    void bitsOfEveryWidth() {
        assertThat(key.bits(5).toHost().longs())
                .containsExactly(2098992034L, 2919706841L, 2646866425L, 2409546199L, 1935504149L);
        assertThat(key.bits(2, 3).at(1).toHost().longs())
                .containsExactly(2409546199L, 1935504149L, 2516274904L);
        assertThat(key.bits(DType.U8, 5).toHost().ints()).containsExactly(162, 217, 249, 215, 21);
        assertThat(key.bits(DType.U16, 5).toHost().ints())
                .containsExactly(5026, 12505, 63993, 49623, 29461);
        assertThat(key.bits(DType.U64, 4).toHost())
                .hasToString(
                        "u64[4] [7871734211187709741, 276886910877598708, 10591095138341673235,"
                                + " 13462782411356743825]");
        assertThat(key.bits(0, 3).shape()).isEqualTo(Shape.of(0, 3));
    }

    @Test
    void fractionsAreJaxsToTheLastBit() {
        assertThat(key.uniform(5).toHost().floats())
                .containsExactly(0.48870957f, 0.67979717f, 0.6162715f, 0.5610161f, 0.4506446f);
        assertThat(key.uniform().item()).isEqualTo(0.48870956897735596);
        assertThat(key.uniform(DType.F32, -1, 3, 5).toHost().floats())
                .containsExactly(0.9548383f, 1.7191887f, 1.465086f, 1.2440643f, 0.80257845f);
        assertThat(key.uniform(DType.F64, 0, 1, 5).toHost().doubles())
                .containsExactly(
                        0.4267275666499091,
                        0.015010069515314584,
                        0.5741444178995352,
                        0.7298188969046309,
                        0.687800341230566);
        assertThat(key.uniform(DType.BF16, 0, 1, 3).toHost().floats())
                .containsExactly(0.6328125f, 0.84375f, 0.96875f);
        assertThat(key.uniform(DType.F16, 0, 1, 3).toHost().floats())
                .containsExactly(0.076171875f, 0.19042969f, 0.97558594f);
    }

    @Test
    void choicesAreJaxs() {
        assertThat(key.bernoulli(0.3, 10).toHost().booleans())
                .containsExactly(
                        false, false, false, false, false, false, true, false, false, false);
        assertThat(key.randint(0, 100, 10).toHost().ints())
                .containsExactly(44, 14, 71, 69, 9, 19, 77, 7, 94, 26);
        assertThat(key.randint(-5, 7, 10).toHost().ints())
                .containsExactly(-5, 1, -2, -4, 0, -2, 0, -2, 5, 1);
        assertThat(key.randint(DType.I64, 0, 1_000_000_000_000L, 3).toHost().longs())
                .containsExactly(464050701877L, 604979476158L, 848944880791L);
        assertThat(key.permutation(10).toHost().ints())
                .containsExactly(7, 4, 2, 5, 3, 6, 8, 9, 0, 1);
        assertThat(key.permutation(Array.of(10, 20, 30, 40, 50)).toHost().ints())
                .containsExactly(50, 30, 40, 10, 20);
        var thousand = key.permutation(1000).mul(Array.arange(1000)).sum();
        assertThat(thousand.item()).isEqualTo(248818605);
        assertThat(key.permutation(1).toHost().ints()).containsExactly(0);
        var logits = Array.of(0.1f, 0.2f, 0.7f).log();
        assertThat(key.categorical(logits, 12).toHost().ints())
                .containsExactly(2, 2, 2, 2, 1, 2, 1, 2, 1, 2, 2, 2);
        var rows = Array.of(new float[][] {{0.1f, 0.2f, 0.7f}, {0.5f, 0.4f, 0.1f}}).log();
        assertThat(key.categorical(rows).toHost().ints()).containsExactly(2, 0);
    }

    @Test
    void normalNumbersAreWithinFourUnitsOfTheLastPlace() {
        near(
                key.normal(12),
                4,
                -0.028304616f,
                0.46713185f,
                0.29570296f,
                0.15354592f,
                -0.12403282f,
                0.21692315f,
                -1.440879f,
                0.7558599f,
                0.52140963f,
                0.9101703f,
                -0.3844966f,
                1.1398233f);
        near(key.gumbel(3), 4, 0.3340934f, 0.95201945f, 0.72553056f);
        near(key.normal(DType.BF16, 3), 0, 0.34375f, 1.015625f, 1.890625f);
        assertThat(key.normal(DType.F64, 2).toHost().doubles()[1])
                .isCloseTo(-2.169824560397754, org.assertj.core.data.Offset.offset(1e-14));
        var many = Key.of(1).normal(4000).cast(DType.F64).toHost();
        assertThat(many.sum().item())
                .isCloseTo(-83.23419687635032, org.assertj.core.data.Offset.offset(1e-4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "onnx"})
    void aTracedFunctionDrawsTheSameOnEveryEngine(String engine) {
        Fn1<Key, List<Array>> draw =
                k -> {
                    var keys = k.split();
                    return List.of(
                            keys.get(0).data(),
                            k.bits(2, 3),
                            k.bits(DType.U64, 3),
                            k.uniform(7),
                            keys.get(1).foldIn(3).randint(0, 1000, 5),
                            k.bernoulli(0.3, 9),
                            k.permutation(20));
                };
        var graph = jit(draw).lower(key).graph();
        try (var executable = Engines.named(engine).compile(graph, 1)) {
            assertThat(executable.run(List.of(key.data().toHost())))
                    .isEqualTo(draw.apply(key).stream().map(Array::toHost).toList());
        }
    }

    @Test
    void slopesFlowThroughWhatIsDrawn() {
        var scale = Array.scalar(2f);
        var slope = grad((Array s) -> key.normal(5).mul(s).sum()).apply(scale);
        assertThat(slope.toHost()).isEqualTo((HostArray) key.normal(5).sum().toHost());
    }
}
