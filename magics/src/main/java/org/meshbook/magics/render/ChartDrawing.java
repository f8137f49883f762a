package org.meshbook.magics.render;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Draws a [Chart] as SVG.
///
/// Notebooks show SVG as an image, cut off from the page's style sheet: text and grid are greys
/// that keep their contrast on white and on black, and nothing is painted behind them.
final class ChartDrawing {
    private static final double WIDTH = 760;
    private static final double PLOT_HEIGHT = 250;
    private static final double LEFT = 64;
    private static final double RIGHT = WIDTH - 64;
    private static final double LABEL_ROW = 16;
    private static final double LETTER = 6.3;
    private static final int MOST_POINTS = 1200;

    private static final String TEXT = "#78818c";
    private static final String GRID = "#8b949e";
    private static final String[] LINES = {"#3b82f6", "#f59e0b", "#10b981", "#d946ef", "#14b8a6"};

    private final Chart chart;
    private final Map<Chart.Mark, Integer> rows = new HashMap<>();
    private final StringBuilder svg = new StringBuilder();
    private final double top;
    private final double bottom;
    private final Scale across;
    private final Scale up;

    ChartDrawing(Chart chart) {
        this.chart = chart;
        var xs = finite(chart.series().stream().flatMap(s -> s.x().stream()).toList(), false);
        boolean logarithmic = chart.frame().logarithmic();
        var ys = finite(chart.series().stream().flatMap(s -> s.y().stream()).toList(), logarithmic);
        this.across =
                Scale.exactly(
                        xs.stream().mapToDouble(x -> x).min().orElse(0),
                        xs.stream().mapToDouble(x -> x).max().orElse(1),
                        LEFT,
                        RIGHT);
        int labels = placeLabels();
        this.top = (chart.frame().title().isEmpty() && !legend() ? 14 : 40) + labels * LABEL_ROW;
        this.bottom = top + PLOT_HEIGHT;
        this.up =
                Scale.over(
                        ys.stream().mapToDouble(y -> y).min().orElse(logarithmic ? 0.1 : 0),
                        ys.stream().mapToDouble(y -> y).max().orElse(1),
                        bottom,
                        top,
                        logarithmic);
    }

    String svg() {
        // 1. the frame
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\""
                        + " role=\"img\" aria-label=\"%s\" font-family=\"system-ui, -apple-system, 'Segoe UI', sans-serif\""
                        + " font-size=\"12\" fill=\"%s\">",
                WIDTH, bottom + 48, WIDTH, bottom + 48, Html.escape(spoken()), TEXT);
        title();
        grid();
        // 2. what happened, below the lines
        bands();
        marks();
        // 3. the lines
        for (int i = 0; i < chart.series().size(); i++) {
            line(chart.series().get(i), LINES[i % LINES.length], chart.series().size() == 1);
        }
        endLabels();
        return svg.append("</svg>").toString();
    }

    private String spoken() {
        var words = new ArrayList<String>();
        chart.series().forEach(s -> words.add(s.name()));
        chart.marks().forEach(m -> words.add(m.text()));
        return "line chart of " + String.join(", ", words);
    }

    private boolean legend() {
        return chart.series().size() > 1;
    }

    private void title() {
        if (!chart.frame().title().isEmpty()) {
            add(
                    "<text x=\"%.1f\" y=\"22\" font-size=\"15\" font-weight=\"600\">%s</text>",
                    LEFT, Html.escape(chart.frame().title()));
        }
        if (!legend()) {
            return;
        }
        double x = RIGHT;
        for (int i = chart.series().size() - 1; i >= 0; i--) {
            var name = chart.series().get(i).name();
            x -= name.length() * LETTER + 26;
            add(
                    "<rect x=\"%.1f\" y=\"13\" width=\"14\" height=\"4\" rx=\"2\" fill=\"%s\"/>"
                            + "<text x=\"%.1f\" y=\"20\">%s</text>",
                    x, LINES[i % LINES.length], x + 19, Html.escape(name));
        }
    }

    private void grid() {
        for (double tick : up.ticks(5)) {
            double y = up.pixel(tick);
            add(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-opacity=\"%s\"/>"
                            + "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT,
                    y,
                    RIGHT,
                    y,
                    GRID,
                    y > bottom - 0.5 ? "0.7" : "0.22",
                    LEFT - 9,
                    y + 4,
                    up.label(tick));
        }
        for (double tick : across.ticks(8)) {
            double x = across.pixel(tick);
            add(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-opacity=\"0.7\"/>"
                            + "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                    x, bottom, x, bottom + 5, GRID, x, bottom + 19, across.label(tick));
        }
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                (LEFT + RIGHT) / 2, bottom + 39, Html.escape(chart.frame().across()));
        add(
                "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                (top + bottom) / 2, Html.escape(chart.frame().up()));
    }

    /// The time between a loss and the next return is tinted.
    private void bands() {
        double from = Double.NaN;
        var ordered =
                chart.marks().stream().sorted(Comparator.comparingDouble(Chart.Mark::at)).toList();
        for (var mark : ordered) {
            if (mark.tone() == Chart.Mark.Tone.LOSS && Double.isNaN(from)) {
                from = mark.at();
            } else if (mark.tone() == Chart.Mark.Tone.RETURN && !Double.isNaN(from)) {
                band(from, mark.at());
                from = Double.NaN;
            }
        }
        if (!Double.isNaN(from)) {
            band(from, across.high());
        }
    }

    private void band(double from, double to) {
        double left = clamp(across.pixel(from));
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#ef4444\" fill-opacity=\"0.08\"/>",
                left, top, Math.max(0, clamp(across.pixel(to)) - left), bottom - top);
    }

    private void marks() {
        for (var mark : chart.marks()) {
            var colour = colour(mark);
            double x = clamp(across.pixel(mark.at()));
            double y = top - 6 - rows.getOrDefault(mark, 0) * LABEL_ROW;
            add(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"1.4\" stroke-dasharray=\"4 3\"/>"
                            + "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>"
                            + "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" font-weight=\"600\">%s</text>",
                    x,
                    y,
                    x,
                    bottom,
                    colour,
                    x,
                    y - 4,
                    colour,
                    labelX(mark) + 8,
                    y,
                    colour,
                    Html.escape(mark.text()));
        }
    }

    private static String colour(Chart.Mark mark) {
        return switch (mark.tone()) {
            case LOSS -> "#ef4444";
            case RETURN -> "#16a34a";
            case NOTE -> "#8b5cf6";
        };
    }

    private double labelX(Chart.Mark mark) {
        double x = clamp(across.pixel(mark.at()));
        double width = mark.text().length() * (LETTER + 0.5) + 10;
        return x + width > WIDTH ? x - width - 6 : x;
    }

    /// Labels that would overlap stand in rows above each other; placed from the right, so that no
    /// mark's line crosses the label of one before it.
    ///
    /// @return how many rows there are
    private int placeLabels() {
        var ends = new ArrayList<List<double[]>>();
        var fromTheRight = new ArrayList<>(chart.marks());
        fromTheRight.sort(Comparator.comparingDouble(Chart.Mark::at).reversed());
        for (var mark : fromTheRight) {
            double left = labelX(mark);
            double right = left + mark.text().length() * (LETTER + 0.5) + 16;
            int row = 0;
            while (row < ends.size()
                    && ends.get(row).stream().anyMatch(e -> left < e[1] && e[0] < right)) {
                row++;
            }
            if (row == ends.size()) {
                ends.add(new ArrayList<>());
            }
            ends.get(row).add(new double[] {left, right});
            rows.put(mark, row);
        }
        return ends.size();
    }

    private void line(Chart.Series series, String colour, boolean filled) {
        var path = new StringBuilder();
        boolean pen = false;
        double first = Double.NaN;
        double last = Double.NaN;
        boolean gap = false;
        for (int i : kept(series)) {
            double y = series.y().get(i);
            if (!shown(y)) {
                gap |= pen;
                pen = false;
                continue;
            }
            last = across.pixel(series.x().get(i));
            first = Double.isNaN(first) ? last : first;
            path.append(
                    String.format(Locale.ROOT, "%s%.1f %.1f", pen ? "L" : "M", last, up.pixel(y)));
            pen = true;
        }
        if (filled && !gap && path.length() > 0) {
            add(
                    "<path d=\"%sL%.1f %.1fL%.1f %.1fZ\" fill=\"%s\" fill-opacity=\"0.10\"/>",
                    path, last, bottom, first, bottom, colour);
        }
        add(
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                path, colour);
    }

    /// Of many points, keeps the least and the greatest of each small stretch.
    private static List<Integer> kept(Chart.Series series) {
        int count = series.y().size();
        var kept = new ArrayList<Integer>();
        int stretch = Math.max(1, 2 * count / MOST_POINTS);
        for (int from = 0; from < count; from += stretch) {
            int least = from;
            int most = from;
            for (int i = from; i < Math.min(count, from + stretch); i++) {
                least = series.y().get(i) < series.y().get(least) ? i : least;
                most = series.y().get(i) > series.y().get(most) ? i : most;
            }
            kept.add(Math.min(least, most));
            if (least != most) {
                kept.add(Math.max(least, most));
            }
        }
        if (kept.getLast() != count - 1) {
            kept.add(count - 1);
        }
        return kept;
    }

    private void endLabels() {
        double taken = Double.NaN;
        for (int i = 0; i < chart.series().size(); i++) {
            var series = chart.series().get(i);
            double y = series.y().getLast();
            if (!shown(y)) {
                continue;
            }
            double x = across.pixel(series.x().getLast());
            double at = up.pixel(y);
            add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\"/>",
                    x, at, LINES[i % LINES.length]);
            if (Double.isNaN(taken) || Math.abs(taken - at) > 13) {
                add(
                        "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"600\" fill=\"%s\">%s</text>",
                        Math.min(x + 8, RIGHT + 8),
                        at + 4,
                        LINES[i % LINES.length],
                        String.format(Locale.ROOT, "%.3g", y));
                taken = at;
            }
        }
    }

    private boolean shown(double y) {
        return Double.isFinite(y) && (!chart.frame().logarithmic() || y > 0);
    }

    private static List<Double> finite(List<Double> values, boolean positive) {
        return values.stream().filter(v -> Double.isFinite(v) && (!positive || v > 0)).toList();
    }

    private static double clamp(double x) {
        return Math.clamp(x, LEFT, RIGHT);
    }

    private void add(String format, Object... facts) {
        svg.append(String.format(Locale.ROOT, format, facts));
    }
}
