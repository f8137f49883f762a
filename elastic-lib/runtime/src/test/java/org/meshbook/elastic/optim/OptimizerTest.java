package org.meshbook.elastic.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.meshbook.elastic.jit.Jit.jit;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Tree;

/// Three steps from the same numbers; expected are Optax 0.2.8's on JAX 0.10.2.
final class OptimizerTest {
    record Params(Array b, Array w) {}

    private static final Params START = params(0.5f, 1, -2, 3);
    private static final List<Params> GRADIENTS =
            List.of(
                    params(0.3f, 0.1f, -0.2f, 0.4f),
                    params(-0.6f, 0.5f, 0.25f, -1),
                    params(0.05f, 0, 0.7f, 0.2f));

    static List<Arguments> optimisers() {
        var warmUp = Schedule.cosine(0.2, 4, 0.1).warmUp(2);
        return List.of(
                Arguments.of("sgd", Optimizer.sgd(0.1), params(0.525f, 0.94f, -2.075f, 3.04f)),
                Arguments.of(
                        "sgd with a schedule",
                        Optimizer.sgd(warmUp),
                        params(0.55f, 0.95f, -2.165f, 3.06f)),
                Arguments.of(
                        "momentum",
                        Optimizer.momentum(0.1, 0.9),
                        params(0.5277f, 0.8779f, -2.0633f, 3.0616f)),
                Arguments.of(
                        "Nesterov",
                        Optimizer.momentum(0.1, 0.9).lookingAhead(),
                        params(0.54993f, 0.83011f, -2.13197f, 3.09544f)),
                Arguments.of(
                        "adam",
                        Optimizer.adam(0.1),
                        params(0.46008098f, 0.74733806f, -1.97960305f, 2.9661603f)),
                Arguments.of(
                        "adamw",
                        Optimizer.adamw(0.1, 0.05),
                        params(0.45343289f, 0.733841f, -1.95066902f, 2.92216134f)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("optimisers")
    void threeStepsEndWhereOptaxDoes(String name, Optimizer optimizer, Params expected) {
        var step = jit((TrainState<Params> s, Params g) -> optimizer.step(s, g));
        var state = optimizer.init(START);
        for (var gradient : GRADIENTS) {
            state = step.apply(state, gradient);
        }
        assertThat(state.step().item()).isEqualTo(3);
        assertThat(step.traces()).as("traced once").isEqualTo(1);
        assertThat(state.params().b().toHost().floats())
                .containsExactly(expected.b().toHost().floats(), within(2e-6f));
        assertThat(state.params().w().toHost().floats())
                .containsExactly(expected.w().toHost().floats(), within(2e-6f));
    }

    @Test
    void doublesStayDoubles() {
        var start = Array.of(1.0, 2.0);
        var adam = Optimizer.adamw(0.1, 0.01);
        var state = adam.step(adam.init(start), Array.of(0.5, -0.5));
        assertThat(state.params().dtype()).isEqualTo(DType.F64);
        assertThat(state.moments()).allMatch(moment -> moment.dtype() == DType.F64);
    }

    @Test
    void aGradientOfAnotherShapeIsRefusedWithBoth() {
        var sgd = Optimizer.sgd(0.1);
        var state = sgd.init(params(0, 1, 2));
        assertThatThrownBy(() -> sgd.step(state, params(0, 1, 2, 3)))
                .isInstanceOf(MeshMismatch.class)
                .hasMessageContaining("f32[2]")
                .hasMessageContaining("f32[3]");
    }

    @Test
    void decaysThatNeverForgetAreRefused() {
        assertThatThrownBy(() -> Optimizer.momentum(0.1, 1))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("give 0 to below 1");
    }

    @Test
    void globalNormIsOverAllLeaves() {
        assertThat(Gradients.globalNorm(GRADIENTS.get(1)).item())
                .isCloseTo(1.2932517528533936, within(1e-6));
    }

    @Test
    void clippingShortensWhatIsTooLongAndLeavesTheRest() {
        var gradient = GRADIENTS.get(1);
        var clipped = Gradients.clipByGlobalNorm(gradient, 0.5);
        assertThat(clipped.b().toHost().floats())
                .containsExactly(new float[] {-0.23197341f}, within(1e-6f));
        assertThat(clipped.w().toHost().floats())
                .containsExactly(
                        new float[] {0.19331117f, 0.09665558f, -0.38662234f}, within(1e-6f));
        assertThat(Tree.leaves(Gradients.clipByGlobalNorm(gradient, 2)))
                .isEqualTo(Tree.leaves(gradient));
    }

    private static Params params(float b, float... w) {
        return new Params(Array.of(new float[] {b}), Array.of(w));
    }
}
