package org.meshbook.cluster.print;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How long ago something was, as `kubectl` writes it: `3s`, `2m31s`, `5m`, `3h2m`, `2d`.
///
/// Source: `HumanDuration` in k8s.io/apimachinery.
public final class Age {
    private static final int HOURS_OF_A_DAY = 24;
    private static final int DAYS_OF_A_YEAR = 365;

    private Age() {}

    /// @param since when it was
    /// @param now when it is asked
    /// @return the age, or `<unknown>` if nobody knows when it was
    public static String of(Optional<Instant> since, Instant now) {
        return since.map(at -> of(Duration.between(at, now))).orElse("<unknown>");
    }

    /// @param time how long
    /// @return such as `2m31s`
    public static String of(Duration time) {
        long seconds = time.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(seconds, 0) + "s";
        }
        long minutes = time.toMinutes();
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        return hours(time.toHours(), minutes);
    }

    private static String hours(long hours, long minutes) {
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 2 * HOURS_OF_A_DAY) {
            return hours + "h";
        }
        long days = hours / HOURS_OF_A_DAY;
        if (days < 8) {
            return two(days, "d", hours % HOURS_OF_A_DAY, "h");
        }
        if (days < 2 * DAYS_OF_A_YEAR) {
            return days + "d";
        }
        long years = days / DAYS_OF_A_YEAR;
        return years < 8 ? two(years, "y", days % DAYS_OF_A_YEAR, "d") : years + "y";
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + small + smallUnit;
    }
}
