package org.meshbook.bench.sim;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.meshbook.magics.render.Table;

/// What `bench sim` measured.
///
/// @param rows one an allocation
record SimResult(List<Row> rows) {
    private static final double MICRO = 1e3;

    SimResult {
        rows = List.copyOf(rows);
    }

    /// One allocation.
    ///
    /// @param slices its size
    /// @param events losses and returns
    /// @param nanos real time an event, for each tenth of the events in order
    /// @param virtual how much virtual time passed
    /// @param active slices at the end
    /// @param grownMib heap at the end less that after the first tenth
    record Row(
            int slices,
            long events,
            List<Double> nanos,
            Duration virtual,
            int active,
            double grownMib) {
        Row {
            nanos = List.copyOf(nanos);
        }

        double mean() {
            return nanos.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        }

        double flat() {
            return nanos.getLast() / nanos.get(1);
        }
    }

    Table table() {
        var table =
                Table.of(
                        "slices",
                        "events",
                        "virtual",
                        "an event, µs",
                        "last tenth / second",
                        "heap grown, MiB");
        for (var row : rows) {
            table =
                    table.row(
                            String.valueOf(row.slices),
                            String.format(Locale.ROOT, "%,d", row.events),
                            "%d min".formatted(row.virtual.toMinutes()),
                            number(row.mean() / MICRO),
                            number(row.flat()),
                            number(row.grownMib));
        }
        return table;
    }

    String json() {
        return rows.stream()
                .map(
                        row ->
                                ("{\"slices\":%d,\"events\":%d,\"us_per_event\":%s,"
                                                + "\"last_to_second_tenth\":%s,\"heap_grown_mib\":%s,"
                                                + "\"virtual_s\":%d}")
                                        .formatted(
                                                row.slices,
                                                row.events,
                                                number(row.mean() / MICRO),
                                                number(row.flat()),
                                                number(row.grownMib),
                                                row.virtual.toSeconds()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
