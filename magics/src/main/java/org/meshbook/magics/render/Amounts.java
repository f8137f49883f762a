package org.meshbook.magics.render;

import java.util.Locale;

/// Times and sizes as a person reads them.
public final class Amounts {
    private static final String[] TIMES = {"ns", "µs", "ms", "s"};
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Amounts() {}

    /// @param nanos nanoseconds
    /// @return three digits and a unit, as `1.23 ms`; minutes from 120 s on
    public static String time(double nanos) {
        if (nanos >= 120e9) {
            var seconds = Math.round(nanos / 1e9);
            return "%d min %02d s".formatted(seconds / 60, seconds % 60);
        }
        var value = nanos;
        var unit = 0;
        while (value >= 999.5 && unit < TIMES.length - 1) {
            value /= 1000;
            unit++;
        }
        return digits(value) + " " + TIMES[unit];
    }

    /// @param bytes a size
    /// @return three digits and a unit, as `1.23 MiB`
    public static String size(double bytes) {
        var value = bytes;
        var unit = 0;
        while (value >= 1023.5 && unit < SIZES.length - 1) {
            value /= 1024;
            unit++;
        }
        return (unit == 0 ? "" + Math.round(value) : digits(value)) + " " + SIZES[unit];
    }

    private static String digits(double value) {
        var places = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
        var text = String.format(Locale.ROOT, "%." + places + "f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }
}
