package org.meshbook.bench.queue;

import java.time.Duration;
import java.util.Locale;

/// Figures as tables and JSON show them.
final class Numbers {
    private static final double NANOS = 1e9;
    private static final int MUCH = 100;

    private Numbers() {}

    static double of(Duration time) {
        return time.toNanos() / NANOS;
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.2f s", of(time));
    }

    /// @return with a decimal only where it says something
    static String rounded(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < MUCH ? "%.1f" : "%.0f", value);
    }

    static String json(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
