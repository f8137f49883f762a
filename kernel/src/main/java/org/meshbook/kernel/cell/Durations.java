package org.meshbook.kernel.cell;

import java.time.Duration;
import java.util.Locale;

/// Times as a person reads them.
final class Durations {
    private Durations() {}

    static String text(Duration time) {
        var millis = time.toNanos() / 1e6;
        if (millis < 1_000) {
            return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
        }
        return millis < 120_000
                ? String.format(Locale.ROOT, "%.2f s", millis / 1e3)
                : String.format(Locale.ROOT, "%d min %d s", time.toMinutes(), time.toSecondsPart());
    }
}
