package org.meshbook.bench.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.meshbook.magics.render.Amounts;
import org.meshbook.magics.render.Table;

/// What a snapshot bench measured.
///
/// @param bytes of the state at each slice
/// @param blocking time that `save` held the loop's thread
/// @param computing processor time of that
/// @param complete time until the snapshot could be restored
/// @param alone round trip of a small operation
/// @param beside the same, right after a save began
/// @param without intervals without a save
/// @param with the same with one
/// @param restores loads of the whole state after a kill
record SnapshotResult(
        long bytes,
        List<Duration> blocking,
        List<Duration> computing,
        List<Duration> complete,
        List<Duration> alone,
        List<Duration> beside,
        List<Duration> without,
        List<Duration> with,
        List<Duration> restores) {
    Table table() {
        return Table.of("snapshot", "p50", "shortest", "longest")
                .row("state at each of 4 slices", Amounts.size(bytes), "-", "-")
                .row(row("save holds the loop", blocking))
                .row(row("  of it computing", computing))
                .row(row("small operation alone", alone))
                .row(row("small operation beside a save", beside))
                .row(row("until it can be restored", complete))
                .row(row("10 steps without a save", without))
                .row(row("10 steps with one", with))
                .row("slow-down", percent(), "-", "-")
                .row(row("restore after a kill", restores))
                .row("restored, GB/s", "%.2f".formatted(rate()), "-", "-");
    }

    private static Object[] row(String what, List<Duration> times) {
        return new Object[] {
            what, time(middle(times)), time(Collections.min(times)), time(longest(times))
        };
    }

    String json() {
        return ("{\"bytes\":%d,\"blocking_ms\":{\"p50\":%s,\"max\":%s,\"cpu\":%s},\"complete_ms\":%s,"
                        + "\"small_alone_ms\":%s,\"small_beside_ms\":%s,\"interval_ms\":%s,"
                        + "\"interval_with_save_ms\":%s,\"slow_down\":%s,\"restore_ms\":%s,"
                        + "\"restore_gb_per_s\":%s}")
                .formatted(
                        bytes,
                        millis(middle(blocking)),
                        millis(longest(blocking)),
                        millis(middle(computing)),
                        millis(middle(complete)),
                        millis(middle(alone)),
                        millis(middle(beside)),
                        millis(middle(without)),
                        millis(middle(with)),
                        number(slowDown()),
                        millis(middle(restores)),
                        number(rate()));
    }

    /// @return how much longer an interval takes with a save, as a share
    private double slowDown() {
        return (double) middle(with).toNanos() / middle(without).toNanos() - 1;
    }

    private double rate() {
        return bytes / (double) middle(restores).toNanos();
    }

    private String percent() {
        return String.format(Locale.ROOT, "%.1f %%", 100 * slowDown());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e6);
    }

    private static String time(Duration time) {
        return Amounts.time(time.toNanos());
    }

    private static Duration middle(List<Duration> times) {
        var sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static Duration longest(List<Duration> times) {
        return Collections.max(times);
    }
}
