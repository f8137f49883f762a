package org.meshbook.bench.checkpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.meshbook.magics.render.Table;

/// What was measured.
///
/// @param bytes of the state
/// @param times by what was done, one a round
record CheckpointResult(long bytes, Map<String, List<Duration>> times) {
    CheckpointResult {
        times = new LinkedHashMap<>(times);
    }

    Table table() {
        var table = Table.of("%.0f MB, 4 slices of 2 devices".formatted(bytes / 1e6), "ms", "GB/s");
        for (var entry : times.entrySet()) {
            var middle = middle(entry.getValue());
            table =
                    table.row(
                            entry.getKey(),
                            "%.1f".formatted(middle.toNanos() / 1e6),
                            entry.getKey().contains("blocking")
                                    ? ""
                                    : "%.2f".formatted(bytes / (double) middle.toNanos()));
        }
        return table;
    }

    String json() {
        return "{\"bytes\":%d,%s}"
                .formatted(
                        bytes,
                        times.entrySet().stream()
                                .map(
                                        e ->
                                                String.format(
                                                        Locale.ROOT,
                                                        "\"%s_ms\":%.2f",
                                                        e.getKey().replaceAll("[^a-z]+", "_"),
                                                        middle(e.getValue()).toNanos() / 1e6))
                                .collect(Collectors.joining(",")));
    }

    private static Duration middle(List<Duration> values) {
        var sorted = new ArrayList<>(values);
        sorted.sort(null);
        return sorted.get(sorted.size() / 2);
    }
}
