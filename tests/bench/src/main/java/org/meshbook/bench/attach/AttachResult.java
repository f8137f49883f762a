package org.meshbook.bench.attach;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.meshbook.magics.render.Table;

/// What an attach bench measured.
///
/// @param mebibytes size of the published array
/// @param times from each kill to arrays in the next program, its start included
/// @param cells the part of it from `%attach` to the looked up array
record AttachResult(int mebibytes, List<Duration> times, List<Duration> cells) {
    AttachResult {
        times = times.stream().sorted().toList();
        cells = cells.stream().sorted().toList();
    }

    String json() {
        return "{\"rounds\":%d,\"mib\":%d,\"kill_to_arrays_p50_ms\":%s,\"kill_to_arrays_max_ms\":%s,\"attach_p50_ms\":%s,\"attach_max_ms\":%s}"
                .formatted(
                        times.size(),
                        mebibytes,
                        ms(middle(times)),
                        ms(times.getLast()),
                        ms(middle(cells)),
                        ms(cells.getLast()));
    }

    Table table() {
        return Table.of(
                        "%d MiB on 4 slices, %d rounds".formatted(mebibytes, times.size()),
                        "p50 ms",
                        "max ms")
                .row("from kill to arrays, start included", ms(middle(times)), ms(times.getLast()))
                .row("  of it %attach and lookup", ms(middle(cells)), ms(cells.getLast()));
    }

    private static Duration middle(List<Duration> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    private static String ms(Duration time) {
        return String.format(Locale.ROOT, "%.0f", time.toNanos() / 1e6);
    }
}
