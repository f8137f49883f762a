package org.meshbook.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.meshbook.elastic.manager.Recovery;
import org.meshbook.elastic.manager.Recovery.Phase;
import org.meshbook.magics.render.Table;

/// What a recovery bench measured.
///
/// @param kills workers ended
/// @param times from each kill to the next finished step; one a recovery
/// @param again steps that were done once more
/// @param recoveries the manager's account of the losses
record RecoveryResult(int kills, List<Duration> times, int again, List<Recovery> recoveries) {
    RecoveryResult {
        times = List.copyOf(times);
        recoveries = recoveries.stream().filter(r -> !r.growth()).toList();
    }

    int recovered() {
        return times.size();
    }

    String json() {
        var phases =
                Arrays.stream(Phase.values())
                        .map(p -> "\"%s\":%s".formatted(key(p), number(phase(p))))
                        .collect(Collectors.joining(","));
        return "{\"kills\":%d,\"recovered\":%d,\"p50_ms\":%s,\"p95_ms\":%s,\"max_ms\":%s,\"steps_again\":%d,\"phases_ms\":{%s}}"
                .formatted(
                        kills,
                        recovered(),
                        number(at(times, 0.50)),
                        number(at(times, 0.95)),
                        number(at(times, 1)),
                        again,
                        phases);
    }

    Table table() {
        var table =
                Table.of("from kill to next step", "ms")
                        .row("p50", number(at(times, 0.50)))
                        .row("p95", number(at(times, 0.95)))
                        .row("max", number(at(times, 1)));
        for (var phase : Phase.values()) {
            table = table.row("  " + phase.word() + ", p50", number(phase(phase)));
        }
        return table.row("steps done again", again)
                .row("recovered", "%d of %d".formatted(recovered(), kills));
    }

    private Duration phase(Phase phase) {
        return at(recoveries.stream().map(r -> r.phase(phase)).toList(), 0.50);
    }

    private static String key(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    /// The nearest rank: the smallest value that so large a share of all does not exceed.
    private static Duration at(List<Duration> values, double share) {
        if (values.isEmpty()) {
            return Duration.ZERO;
        }
        var sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }

    private static String number(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toNanos() / 1e6);
    }
}
