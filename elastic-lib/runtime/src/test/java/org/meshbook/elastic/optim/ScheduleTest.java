package org.meshbook.elastic.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// Steps 0 to 8; expected are the values of Optax 0.2.8's schedules of the same name.
final class ScheduleTest {
    static List<Arguments> schedules() {
        return List.of(
                Arguments.of(
                        "linear",
                        Schedule.linear(0.1, 0.5, 4),
                        new double[] {0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5}),
                Arguments.of(
                        "cosine",
                        Schedule.cosine(0.2, 6),
                        new double[] {0.2, 0.1866025, 0.15, 0.1, 0.05, 0.0133974, 0, 0, 0}),
                Arguments.of(
                        "cosine to a tenth",
                        Schedule.cosine(0.2, 6, 0.1),
                        new double[] {
                            0.2, 0.1879423, 0.155, 0.11, 0.065, 0.0320577, 0.02, 0.02, 0.02
                        }),
                Arguments.of(
                        "exponential",
                        Schedule.exponential(0.2, 0.5, 3),
                        new double[] {
                            0.2, 0.1587401, 0.1259921, 0.1, 0.0793701, 0.0629961, 0.05, 0.039685,
                            0.031498
                        }),
                Arguments.of(
                        "warm-up, then cosine to a tenth",
                        Schedule.cosine(0.2, 4, 0.1).warmUp(2),
                        new double[] {0, 0.1, 0.2, 0.1736396, 0.11, 0.0463604, 0.02, 0.02, 0.02}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("schedules")
    void ratesAreOptaxs(String name, Schedule schedule, double[] expected) {
        for (int step = 0; step < expected.length; step++) {
            assertThat(schedule.at(Array.scalar(step)).item())
                    .as("%s at step %d", name, step)
                    .isCloseTo(expected[step], within(1e-6));
        }
    }

    @Test
    void aLineOfNoStepsIsRefused() {
        assertThatThrownBy(() -> Schedule.linear(0, 1, 0))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("schedule linear: 0 steps; give at least 1");
    }
}
