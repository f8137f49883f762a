package org.meshbook.magics.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One axis: values to pixels, and where its ticks stand.
///
/// @param low value at the first pixel
/// @param high value at the last pixel
/// @param from first pixel
/// @param to last pixel
/// @param logarithmic whether equal distances are equal factors
record Scale(double low, double high, double from, double to, boolean logarithmic) {
    private static final double[] STEPS = {1, 2, 5, 10};

    /// Widens a range to whole ticks.
    static Scale over(double low, double high, double from, double to, boolean logarithmic) {
        if (logarithmic) {
            double below = Math.pow(10, Math.floor(Math.log10(low)));
            double above = Math.pow(10, Math.ceil(Math.log10(high)));
            return new Scale(below, above > below ? above : below * 10, from, to, true);
        }
        double pad = high > low ? 0 : Math.max(1e-9, Math.abs(low) * 0.5);
        double step = step(high - low + 2 * pad, 5);
        return new Scale(
                Math.floor((low - pad) / step) * step,
                Math.ceil((high + pad) / step) * step,
                from,
                to,
                false);
    }

    /// Keeps a range as it is.
    static Scale exactly(double low, double high, double from, double to) {
        return new Scale(low, high > low ? high : low + 1, from, to, false);
    }

    double pixel(double value) {
        double share =
                logarithmic
                        ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
                        : (value - low) / (high - low);
        return from + share * (to - from);
    }

    /// @param about how many are wanted
    List<Double> ticks(int about) {
        var ticks = new ArrayList<Double>();
        if (logarithmic) {
            for (double t = low; t <= high * 1.0001; t *= 10) {
                ticks.add(t);
            }
            return ticks;
        }
        double step = step(high - low, about);
        for (double t = Math.ceil(low / step - 1e-9) * step; t <= high + step * 1e-6; t += step) {
            ticks.add(Math.abs(t) < step * 1e-6 ? 0 : t);
        }
        return ticks;
    }

    /// @return the number as a label beside others of its axis
    String label(double value) {
        double size = logarithmic ? value : Math.max(Math.abs(low), Math.abs(high));
        if (value == 0) {
            return "0";
        }
        if (size >= 1e6 || size < 1e-3) {
            return String.format(Locale.ROOT, "%.0e", value)
                    .replace("e+0", "e")
                    .replace("e-0", "e-");
        }
        double step = logarithmic ? value : step(high - low, 5);
        int digits = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    private static double step(double span, int about) {
        double raw = span / about;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        for (double step : STEPS) {
            if (raw <= step * power * 1.0001) {
                return step * power;
            }
        }
        return 10 * power;
    }
}
