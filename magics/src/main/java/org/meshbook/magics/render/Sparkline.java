package org.meshbook.magics.render;

import java.util.Arrays;
import java.util.Locale;

/// A chart in a few lines of text.
final class Sparkline {
    private static final int WIDTH = 60;
    private static final String BARS = "▁▂▃▄▅▆▇█";

    private Sparkline() {}

    static String of(Chart chart) {
        var text = new StringBuilder();
        if (!chart.frame().title().isEmpty()) {
            text.append(chart.frame().title()).append('\n');
        }
        int names = chart.series().stream().mapToInt(s -> s.name().length()).max().orElse(0);
        for (var series : chart.series()) {
            text.append(line(chart, series, names)).append('\n');
        }
        double low = low(chart);
        double high = high(chart);
        for (var mark : chart.marks()) {
            int column = column(mark.at(), low, high);
            text.append(" ".repeat(names + 12 + column))
                    .append("▲ ")
                    .append(number(mark.at()))
                    .append(": ")
                    .append(mark.text())
                    .append('\n');
        }
        return text.append(" ".repeat(names + 12))
                .append("%s %s to %s".formatted(chart.frame().across(), number(low), number(high)))
                .toString();
    }

    private static String line(Chart chart, Chart.Series series, int names) {
        var sums = new double[WIDTH];
        var counts = new int[WIDTH];
        for (int i = 0; i < series.y().size(); i++) {
            double value = series.y().get(i);
            if (Double.isFinite(value)) {
                int column = column(series.x().get(i), low(chart), high(chart));
                sums[column] += value;
                counts[column]++;
            }
        }
        var means = new double[WIDTH];
        Arrays.setAll(means, i -> counts[i] == 0 ? Double.NaN : sums[i] / counts[i]);
        double least = Arrays.stream(means).filter(Double::isFinite).min().orElse(0);
        double most = Arrays.stream(means).filter(Double::isFinite).max().orElse(1);
        var bars = new StringBuilder();
        double last = Double.NaN;
        for (double mean : means) {
            // A place without values repeats the one before: few values still make a whole line.
            last = Double.isFinite(mean) ? mean : last;
            int bar = (int) Math.round((last - least) / Math.max(most - least, 1e-300) * 7);
            bars.append(Double.isFinite(last) ? BARS.charAt(Math.clamp(bar, 0, 7)) : ' ');
        }
        return String.format(
                Locale.ROOT,
                "%-" + names + "s  %9s %s %s",
                series.name(),
                value(series.y().getFirst()),
                bars,
                value(series.y().getLast()));
    }

    private static int column(double place, double low, double high) {
        double share = high > low ? (place - low) / (high - low) : 0;
        return Math.clamp((int) (share * WIDTH), 0, WIDTH - 1);
    }

    private static double low(Chart chart) {
        return chart.series().stream()
                .flatMap(s -> s.x().stream())
                .mapToDouble(x -> x)
                .min()
                .orElse(0);
    }

    private static double high(Chart chart) {
        return chart.series().stream()
                .flatMap(s -> s.x().stream())
                .mapToDouble(x -> x)
                .max()
                .orElse(1);
    }

    private static String value(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
    }
}
