package org.meshbook.elastic.checkpoint.tier.format;

import static org.meshbook.elastic.UsageError.require;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Which complete checkpoints are kept; the newest always is.
///
/// @param last how many of the newest
/// @param every each step that this divides, too; 0 for none
public record Retention(int last, long every) {
    /// Keeps all.
    public static final Retention ALL = new Retention(Integer.MAX_VALUE, 0);

    /// @throws org.meshbook.elastic.UsageError if a number is out of range
    public Retention {
        require(last >= 1, "%d checkpoints kept; keep at least 1", last);
        require(every >= 0, "every %d steps kept; give 0 for none, or a positive number", every);
    }

    /// @param checkpoints how many of the newest
    /// @return keeps these
    public static Retention last(int checkpoints) {
        return new Retention(checkpoints, 0);
    }

    /// @param steps each step that this divides is kept, too
    /// @return the changed copy
    public Retention andEvery(long steps) {
        return new Retention(last, steps);
    }

    /// @param steps complete checkpoints
    /// @return those that are not wanted any more
    public List<Long> unwanted(Collection<Long> steps) {
        return steps.stream()
                .sorted(Comparator.reverseOrder())
                .skip(last)
                .filter(step -> every == 0 || step % every != 0)
                .toList();
    }
}
