package org.meshbook.elastic.manager;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What one loss or one growth cost, phase by phase; the phases add up to the total.
///
/// @param change what became of the slices
/// @param slices those lost, left or gained, ascending
/// @param step last step completed before; -1 if none
/// @param from active slices before
/// @param to active slices after
/// @param phases how long each took; those that did not happen are zero
/// @param replayed steps done again
/// @param bytes restored or moved
/// @param complete whether the program came back to that step; false if another loss came first
/// @param start when it began, on the clock's monotonic time
/// @param cause one line, as "slice 2 lost: process 4711 ended by signal 9"
/// @param restored what was read back, and why not something else; in order
public record Recovery(
        Change change,
        Set<Integer> slices,
        long step,
        int from,
        int to,
        Map<Phase, Duration> phases,
        long replayed,
        long bytes,
        boolean complete,
        Duration start,
        String cause,
        List<ElasticEvent.Restored> restored) {
    public Recovery {
        slices = Collections.unmodifiableSet(new TreeSet<>(slices));
        var all = new EnumMap<Phase, Duration>(Phase.class);
        for (var phase : Phase.values()) {
            all.put(phase, phases.getOrDefault(phase, Duration.ZERO));
        }
        phases = Collections.unmodifiableMap(all);
        restored = List.copyOf(restored);
    }

    /// What became of slices.
    public enum Change {
        /// They were lost.
        LOST("lost"),
        /// They announced their end, and the program moved off them.
        LEFT("left after notice:"),
        /// They were gained.
        GREW("grew by");

        private final String words;

        Change(String words) {
            this.words = words;
        }

        /// @return the words before the slices, as "lost" before "slice 2"
        public String words() {
            return words;
        }
    }

    /// @return whether slices were gained
    public boolean growth() {
        return change == Change.GREW;
    }

    /// Parts of a recovery, in order.
    public enum Phase {
        /// From the head's event to the program's notice; for a growth until the probe answered.
        DETECT,
        /// Clean-up, callbacks and the wait for slices; for a growth until the step boundary.
        WAIT,
        /// The new mesh, everything that is not in another phase, and the first step.
        REMESH,
        /// Compiling for the new mesh.
        COMPILE,
        /// Reading a snapshot back.
        RESTORE,
        /// Doing lost steps again.
        REPLAY;

        /// @return the word in tables
        public String word() {
            return this == REMESH ? "re-mesh" : name().toLowerCase(Locale.ROOT);
        }
    }

    /// @return from the head's event to the program back where it was
    public Duration total() {
        return phases.values().stream().reduce(Duration.ZERO, Duration::plus);
    }

    /// @param phase a part
    /// @return how long it took
    public Duration phase(Phase phase) {
        return Objects.requireNonNull(phases.get(phase));
    }

    String phasesInWords() {
        var text =
                phases.entrySet().stream()
                        .filter(e -> e.getValue().isPositive())
                        .map(e -> e.getKey().word() + " " + Words.time(e.getValue()))
                        .collect(Collectors.joining(", "));
        return replayed == 0
                ? text
                : text + " (" + replayed + (replayed == 1 ? " step)" : " steps)");
    }

    @Override
    public String toString() {
        return "%s %s%s, %d → %d slices, %s: %s"
                .formatted(
                        change.words(),
                        Words.slices(slices),
                        step < 0 ? "" : " after step " + step,
                        from,
                        to,
                        Words.time(total()),
                        phasesInWords());
    }
}
