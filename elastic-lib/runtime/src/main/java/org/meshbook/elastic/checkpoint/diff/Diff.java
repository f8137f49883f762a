package org.meshbook.elastic.checkpoint.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meshbook.elastic.Tabular;
import org.meshbook.elastic.array.ArrayType;

/// What changed from one snapshot to another; prints as a table.
///
/// @param before name of the first one
/// @param after name of the second one
/// @param leaves arrays that both have
/// @param changes values beside the arrays that differ, and what only one of the two has
public record Diff(String before, String after, List<Leaf> leaves, List<Change> changes)
        implements Tabular {
    public Diff {
        leaves = List.copyOf(leaves);
        changes = List.copyOf(changes);
    }

    /// How far one array moved.
    ///
    /// @param path in the state
    /// @param type of the array
    /// @param norm Euclidean norm of the difference
    /// @param base Euclidean norm of the array before
    /// @param max largest absolute difference of an element
    public record Leaf(String path, ArrayType type, double norm, double base, double max) {
        /// @return the norm of the difference as a share of the norm before; NaN if both are 0
        public double relative() {
            return norm / base;
        }
    }

    /// A value that is another one now.
    ///
    /// @param path in the state
    /// @param before as text
    /// @param after as text
    public record Change(String path, String before, String after) {}

    /// @return Euclidean norm of the difference over all arrays
    public double norm() {
        return Math.sqrt(leaves.stream().mapToDouble(leaf -> leaf.norm() * leaf.norm()).sum());
    }

    /// @return the largest absolute difference of any element
    public double max() {
        return leaves.stream().mapToDouble(Leaf::max).max().orElse(0);
    }

    /// @return the norm of the difference as a share of the norm before, over all arrays
    public double relative() {
        return norm()
                / Math.sqrt(leaves.stream().mapToDouble(leaf -> leaf.base() * leaf.base()).sum());
    }

    @Override
    public List<List<String>> rows() {
        var rows = new ArrayList<List<String>>();
        rows.add(
                List.of(
                        before + " → " + after,
                        "array, or value",
                        "norm of difference",
                        "relative",
                        "largest"));
        for (var leaf : leaves) {
            rows.add(
                    List.of(
                            leaf.path().isEmpty() ? "the array" : leaf.path(),
                            leaf.type().toString(),
                            number(leaf.norm()),
                            percent(leaf.relative()),
                            number(leaf.max())));
        }
        if (leaves.size() > 1) {
            rows.add(List.of("all arrays", "", number(norm()), percent(relative()), number(max())));
        }
        for (var change : changes) {
            rows.add(List.of(change.path(), change.before() + " → " + change.after(), "", "", ""));
        }
        return rows;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value != 0 && value < 1e-3 ? "%.2e" : "%.4f", value);
    }

    private static String percent(double share) {
        var format = share < 10 ? "%.2f %%" : "%.0f %%";
        return Double.isFinite(share) ? String.format(Locale.ROOT, format, 100 * share) : "-";
    }

    @Override
    public String toString() {
        return leaves.isEmpty() && changes.isEmpty()
                ? before + " and " + after + " hold nothing that could differ"
                : table();
    }
}
