package org.meshbook.elastic.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.meshbook.elastic.array.DType.F32;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// Expected are the values of JAX 0.10.2 and Optax 0.2.8 for the same numbers.
final class LayersTest {
    @Test
    void geluAndSiluAreJaxs() {
        var x = Array.of(-2f, -0.5f, 0f, 0.5f, 3f);
        assertClose(Activations.gelu(x), -0.04540235f, -0.154286f, 0, 0.345714f, 2.99636269f);
        assertClose(Activations.silu(x), -0.23840584f, -0.18877034f, 0, 0.31122968f, 2.85772228f);
    }

    @Test
    void dropoutKeepsWhatTheNumberAllowsAndTheMean() {
        var x = Array.of(1f, 2f, 3f, 4f);
        var dropped = Activations.dropout(x, Array.of(0f, 0.74f, 0.75f, 0.9f), 0.25);
        assertClose(dropped, 1 / 0.75f, 2 / 0.75f, 0, 0);
        assertThatThrownBy(() -> Activations.dropout(x, x, 1)).isInstanceOf(UsageError.class);
    }

    @Test
    void crossEntropyDoesNotOverflow() {
        var logits = Array.of(new float[][] {{1, 2, 3}, {100, -100, 0}});
        assertClose(Losses.crossEntropy(logits, Array.of(0, 1)), 2.407606f, 200);
    }

    @Test
    void labelsThatDoNotFitAreRefusedWithBothTypes() {
        var logits = Array.zeros(2, 3);
        assertThatThrownBy(() -> Losses.crossEntropy(logits, Array.of(0, 1, 2)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("f32[2,3]")
                .hasMessageContaining("i32[3]");
        assertThatThrownBy(() -> Losses.crossEntropy(logits, Array.zeros(2, 3)))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("give integers");
    }

    @Test
    void layerNormScalesAndShiftsWhatIsCentred() {
        var norm = new LayerNorm(Array.of(1f, 2f, 0.5f), Array.of(0f, 0.1f, -0.1f));
        assertClose(
                norm.apply(counting(6).square().div(3).reshape(2, 3)),
                -0.9805792f,
                -0.6844633f,
                0.5864054f,
                -1.1706692f,
                -0.10359513f,
                0.53623307f);
    }

    @Test
    void convolutionIsJaxs() {
        var conv = new Conv(counting(36).cos().reshape(3, 3, 2, 2), Array.of(0.5f, -0.5f));
        var y = conv.apply(counting(64).sin().reshape(2, 4, 4, 2));
        assertClose(
                y.at(1, 2),
                0.87789106f,
                -0.32129893f,
                0.0857923f,
                -0.75644696f,
                0.67747599f,
                -0.13388225f,
                0.43754598f,
                -0.53788173f);
    }

    @Test
    void attentionIsJaxs() {
        assertClose(
                attention().apply(counting(12).sin().reshape(1, 3, 4)),
                -1.5840622f,
                0.25666022f,
                1.6536751f,
                -1.3497741f,
                0.9672753f,
                1.7738001f,
                -2.1603684f,
                0.3074903f,
                0.39528611f,
                -1.4610245f,
                1.1039448f,
                0.8254477f);
    }

    @Test
    void causalAttentionIsJaxs() {
        assertClose(
                attention().applyCausal(counting(12).sin().reshape(1, 3, 4)),
                1.4249845f,
                1.6617081f,
                -2.524785f,
                0.7228832f,
                1.4364245f,
                1.6244843f,
                -2.5052433f,
                0.743843f,
                0.39528611f,
                -1.4610245f,
                1.1039448f,
                0.8254477f);
    }

    @Test
    void headsThatDoNotDivideTheWidthAreRefused() {
        assertThatThrownBy(() -> Attention.init(new Random(1), 10, 4))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("4 heads do not divide a width of 10");
    }

    @Test
    void aTransformerSeesNoLaterToken() {
        var model = Transformer.init(new Random(1), new Transformer.Size(7, 6, 8, 2, 2));
        var one = model.apply(Array.of(1, 2, 3, 4, 5, 6).reshape(1, 6));
        var other = model.apply(Array.of(1, 2, 3, 0, 0, 0).reshape(1, 6));
        assertThat(one.slice(1, 0, 3)).isEqualTo(other.slice(1, 0, 3));
        assertThat(one.slice(1, 3, 6)).isNotEqualTo(other.slice(1, 3, 6));
        assertThat(model.loss(Array.of(1, 2, 3, 4).reshape(1, 4)).item())
                .as("about ln(7) when nothing is learnt")
                .isBetween(0.5, 4.0);
    }

    @Test
    void firstWeightsHaveTheVarianceOfTheirKind() {
        var random = new Random(1);
        assertVariance(Initializers.heNormal(random, 3, 3, 20, 40), 2.0 / 180);
        assertVariance(Initializers.heUniform(random, 100, 80), 2.0 / 100);
        assertVariance(Initializers.glorotNormal(random, 100, 60), 2.0 / 160);
        assertVariance(Initializers.glorotUniform(random, 3, 3, 20, 40), 2.0 / 540);
        assertThat(Initializers.heNormal(new Random(3), 2, 2))
                .isEqualTo(Initializers.heNormal(new Random(3), 2, 2));
    }

    private static void assertVariance(Array weights, double variance) {
        assertThat(weights.variance().item()).isCloseTo(variance, within(0.1 * variance));
        assertThat(weights.mean().item()).isCloseTo(0, within(0.1 * Math.sqrt(variance)));
    }

    private static Attention attention() {
        return new Attention(
                new Dense(counting(48).cos().reshape(4, 12), counting(12).mul(0.01)),
                new Dense(counting(16).mul(2).sin().reshape(4, 4), Array.full(F32, 0.1, 4)),
                2);
    }

    private static Array counting(int count) {
        return Array.arange(count).cast(F32);
    }

    private static void assertClose(Array found, float... expected) {
        assertThat(found.flatten().toHost().floats()).containsExactly(expected, within(5e-6f));
    }
}
