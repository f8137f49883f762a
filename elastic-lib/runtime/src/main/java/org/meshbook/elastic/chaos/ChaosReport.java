package org.meshbook.elastic.chaos;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What is armed, and what came of each fault that was done.
///
/// @param armed one line each, as `%chaos` takes it
/// @param faults in order
public record ChaosReport(List<String> armed, List<Outcome> faults) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT)
                    .withZone(ZoneId.systemDefault());

    public ChaosReport {
        armed = List.copyOf(armed);
        faults = List.copyOf(faults);
    }

    /// One fault.
    ///
    /// @param at when
    /// @param step the step completed last; -1 outside a run
    /// @param kind what was done
    /// @param slice to which slice
    /// @param saw what the program saw of it, in one line
    /// @param recovery its number, as `%recovery` takes it; 0 if there is none
    /// @param took from the loss until the program was back where it was; zero if there is none
    public record Outcome(
            Instant at,
            long step,
            FaultKind kind,
            int slice,
            String saw,
            int recovery,
            Duration took) {
        /// @return wall time, to the millisecond
        public String time() {
            return TIME.format(at);
        }

        @Override
        public String toString() {
            return "%s  %s slice %d%s: %s%s"
                    .formatted(
                            time(),
                            kind.word(),
                            slice,
                            step < 0 ? "" : " after step " + step,
                            saw,
                            recovery == 0
                                    ? ""
                                    : " (recovery %d, %d ms)".formatted(recovery, took.toMillis()));
        }
    }

    @Override
    public String toString() {
        if (armed.isEmpty() && faults.isEmpty()) {
            return "nothing is armed, and nothing was done";
        }
        return Stream.concat(
                        armed.stream().map(line -> "armed: " + line),
                        faults.stream().map(Outcome::toString))
                .collect(Collectors.joining("\n"));
    }
}
