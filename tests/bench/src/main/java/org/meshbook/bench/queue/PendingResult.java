package org.meshbook.bench.queue;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.meshbook.magics.render.Table;

/// What deciding about a crowd cost.
///
/// @param rows one a crowd
record PendingResult(List<Row> rows) {
    private static final double MICRO = 1e3;

    PendingResult {
        rows = List.copyOf(rows);
    }

    /// One crowd.
    ///
    /// @param what the rules alone, or with objects and controllers
    /// @param pending how many waited at first
    /// @param decisions how often one was looked at
    /// @param admitted how often one got its quota
    /// @param whole how long it took
    /// @param first from the first look to the first admission
    /// @param nanos time a decision, for each tenth in order
    /// @param heapMib what the crowd takes of the heap
    record Row(
            String what,
            int pending,
            long decisions,
            long admitted,
            Duration whole,
            Duration first,
            List<Double> nanos,
            double heapMib) {
        Row {
            nanos = List.copyOf(nanos);
        }

        double rate() {
            return decisions / Numbers.of(whole);
        }

        double micros() {
            return Numbers.of(whole) * 1e6 / decisions;
        }

        private double last() {
            return nanos.getLast() / MICRO;
        }
    }

    Table table() {
        var table =
                Table.of(
                        "crowd",
                        "pending",
                        "decisions",
                        "admitted",
                        "decisions/s",
                        "µs each",
                        "µs, last tenth",
                        "first after",
                        "heap, MiB");
        for (var row : rows) {
            table =
                    table.row(
                            row.what,
                            String.format(Locale.ROOT, "%,d", row.pending),
                            String.format(Locale.ROOT, "%,d", row.decisions),
                            String.format(Locale.ROOT, "%,d", row.admitted),
                            String.format(Locale.ROOT, "%,.0f", row.rate()),
                            Numbers.rounded(row.micros()),
                            Numbers.rounded(row.last()),
                            String.format(Locale.ROOT, "%.1f ms", row.first.toNanos() / 1e6),
                            Numbers.rounded(row.heapMib));
        }
        return table;
    }

    String json() {
        return rows.stream()
                .map(
                        row ->
                                ("{\"crowd\":\"%s\",\"pending\":%d,\"decisions\":%d,\"admitted\":%d,"
                                                + "\"decisions_per_s\":%s,\"us_per_decision\":%s,"
                                                + "\"us_last_tenth\":%s,\"first_ms\":%s,"
                                                + "\"heap_mib\":%s}")
                                        .formatted(
                                                row.what,
                                                row.pending,
                                                row.decisions,
                                                row.admitted,
                                                Numbers.json(row.rate()),
                                                Numbers.json(row.micros()),
                                                Numbers.json(row.last()),
                                                Numbers.json(row.first.toNanos() / 1e6),
                                                Numbers.json(row.heapMib)))
                .collect(Collectors.joining(",", "{\"pending\":[", "]}"));
    }
}
