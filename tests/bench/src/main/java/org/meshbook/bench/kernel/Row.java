package org.meshbook.bench.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One thing that was measured, of every kernel.
///
/// @param id short name, as `first_result_ms`
/// @param what in words
/// @param goal what ours must reach
/// @param values of each kernel by name, as they came; the middle one counts
record Row(String id, String what, Goal goal, Map<String, List<Double>> values) {
    /// What ours must reach: whichever bounds are given.
    ///
    /// @param ratio of ours to ipykernel's, at most; infinite if that does not matter
    /// @param most of ours; infinite if that does not matter
    /// @param text as the table shows it
    record Goal(double ratio, double most, String text) {
        static final Goal NONE = new Goal(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, "");

        static Goal most(double most, String text) {
            return new Goal(Double.POSITIVE_INFINITY, most, text);
        }

        static Goal ratio(double ratio, String text) {
            return new Goal(ratio, Double.POSITIVE_INFINITY, text);
        }
    }

    static Row of(String id, String what, Goal goal) {
        return new Row(id, what, goal, new LinkedHashMap<>());
    }

    void add(String kernel, double value) {
        values.computeIfAbsent(kernel, _ -> new ArrayList<>()).add(value);
    }

    boolean measured(String kernel) {
        return values.containsKey(kernel);
    }

    /// @return the middle of a kernel's values, by nearest rank
    double middle(String kernel) {
        return at(values.getOrDefault(kernel, List.of()), 0.5);
    }

    /// @return ours by the other's; not a number if one is missing
    double ratio(String ours, String other) {
        return middle(ours) / middle(other);
    }

    boolean holds(String ours, String other) {
        var ratio = ratio(ours, other);
        return middle(ours) <= goal.most() && (Double.isNaN(ratio) || ratio <= goal.ratio());
    }

    static double at(List<Double> values, double share) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        var sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }
}
