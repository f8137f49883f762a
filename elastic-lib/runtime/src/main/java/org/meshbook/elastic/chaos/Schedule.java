package org.meshbook.elastic.chaos;

import static org.meshbook.elastic.UsageError.require;

import java.util.List;
import java.util.SplittableRandom;

/// Faults as a pure function of a seed: one in each stretch of so many steps, on a step, a slice
/// and of a kind that the seed chooses.
///
/// @param seed any number
/// @param kinds to choose among
/// @param slices to choose among
/// @param every length of a stretch in steps
record Schedule(long seed, List<FaultKind> kinds, List<Integer> slices, long every) {
    /// Bounds what one command can do.
    static final int MOST = 1_000;

    Schedule {
        kinds = List.copyOf(kinds);
        slices = List.copyOf(slices);
        require(!kinds.isEmpty(), "no kind of fault; name one of %s", FaultKind.words());
        require(every >= 1, "a fault every %d steps; give 1 or more", every);
    }

    /// @param number from 0
    /// @return the fault; its step lies in the stretch of that number, which begins after `number ×
    ///   every`
    Entry at(int number) {
        var random = new SplittableRandom(seed * MOST + number);
        return new Entry(
                number * every + 1 + random.nextLong(every),
                kinds.get(random.nextInt(kinds.size())),
                slices.get(random.nextInt(slices.size())));
    }

    /// One fault.
    ///
    /// @param step the completed step that it follows; -1 for none
    /// @param kind what is done
    /// @param slice to which slice
    record Entry(long step, FaultKind kind, int slice) {
        @Override
        public String toString() {
            return "%s slice %d at step %d".formatted(kind.word(), slice, step);
        }
    }
}
