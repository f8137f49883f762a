package org.meshbook.elastic.optim;

import static org.meshbook.elastic.UsageError.require;

import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;

/// A learning rate that depends on the step; steps count from 0.
///
/// A function of arrays, so that a compiled step needs no new trace when the rate changes. Values
/// are those of the schedules of the same name in Optax.
@FunctionalInterface
public interface Schedule {
    /// @param step `i32[]`, steps done
    /// @return `f32[]`, the rate of the next
    Array at(Array step);

    /// @param rate of every step
    /// @return the schedule
    static Schedule constant(double rate) {
        return _ -> Array.scalar((float) rate);
    }

    /// A straight line, then constant.
    ///
    /// @param from rate of step 0
    /// @param to rate from step `steps` on
    /// @param steps length of the line
    /// @return the schedule
    static Schedule linear(double from, double to, int steps) {
        needsSteps("linear", steps);
        return step -> part(step, steps).mul(to - from).add(from);
    }

    /// Half a cosine, from a rate down to 0.
    ///
    /// @param rate of step 0
    /// @param steps until 0 is reached
    /// @return the schedule
    static Schedule cosine(double rate, int steps) {
        return cosine(rate, steps, 0);
    }

    /// Half a cosine, from a rate down to a part of it.
    ///
    /// @param rate of step 0
    /// @param steps until the end is reached
    /// @param end the part of the rate that remains
    /// @return the schedule
    static Schedule cosine(double rate, int steps, double end) {
        needsSteps("cosine", steps);
        return step ->
                part(step, steps).mul(Math.PI).cos().add(1).mul(0.5 * (1 - end)).add(end).mul(rate);
    }

    /// Decays evenly: `rate * decay ^ (step / steps)`.
    ///
    /// @param rate of step 0
    /// @param decay factor
    /// @param steps in which the factor is reached once
    /// @return the schedule
    static Schedule exponential(double rate, double decay, int steps) {
        needsSteps("exponential", steps);
        require(decay > 0, "schedule exponential: decay %s; give a positive number", decay);
        return step -> Array.scalar((float) decay).pow(step.cast(DType.F32).div(steps)).mul(rate);
    }

    /// Rises in a straight line from 0 to this schedule's first rate, and then goes on with it.
    ///
    /// @param steps of the rise
    /// @return the schedule; step `steps` has the rate that step 0 had
    default Schedule warmUp(int steps) {
        needsSteps("warm-up", steps);
        return step -> {
            var first = at(Array.scalar(0));
            var rising = part(step, steps).mul(first);
            return Array.where(step.lt(steps), rising, at(step.sub(steps)));
        };
    }

    private static Array part(Array step, int steps) {
        return step.minimum(steps).cast(DType.F32).div(steps);
    }

    private static void needsSteps(String name, int steps) {
        require(steps >= 1, "schedule %s: %d steps; give at least 1", name, steps);
    }
}
