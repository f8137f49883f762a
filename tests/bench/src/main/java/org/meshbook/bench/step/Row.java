package org.meshbook.bench.step;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// One thing that was measured in rounds, here and in JAX; the middle ones count.
///
/// @param id short name, as `P7`
/// @param what in words, with the unit
/// @param goal what must be reached
/// @param ours by round
/// @param peers by round; none if there is no JAX, or nothing to compare
record Row(String id, String what, Goal goal, List<Double> ours, List<Double> peers) {
    /// What must be reached.
    ///
    /// @param ratio whether it bounds ours by the peer's, and not ours alone
    /// @param least whether it is a lower bound
    /// @param bound the bound, with what is allowed for noise
    /// @param text as the table shows it
    record Goal(boolean ratio, boolean least, double bound, String text) {
        static final Goal NONE = new Goal(false, false, Double.POSITIVE_INFINITY, "");

        static Goal timesJax(double most, double allowed) {
            return new Goal(true, false, allowed, "at most %s x JAX".formatted(most));
        }

        static Goal atLeastTimesJax(double least) {
            return new Goal(true, true, least, "at least %s x JAX".formatted(least));
        }

        static Goal most(double most) {
            return new Goal(false, false, most, "at most %.0f".formatted(most));
        }
    }

    Row(String id, String what, Goal goal) {
        this(id, what, goal, new ArrayList<>(), new ArrayList<>());
    }

    double middle() {
        return middle(ours);
    }

    Optional<Double> peer() {
        return peers.isEmpty() ? Optional.empty() : Optional.of(middle(peers));
    }

    Optional<Double> ratio() {
        return peer().map(peer -> middle() / peer);
    }

    /// @return empty if there is no goal, or no JAX to tell
    Optional<Boolean> holds() {
        if (goal == Goal.NONE) {
            return Optional.empty();
        }
        var measured = goal.ratio ? ratio() : Optional.of(middle());
        return measured.map(value -> goal.least ? value >= goal.bound : value <= goal.bound);
    }

    private static double middle(List<Double> values) {
        var sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(half)
                : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
