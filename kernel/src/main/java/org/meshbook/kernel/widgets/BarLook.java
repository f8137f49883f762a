package org.meshbook.kernel.widgets;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// How progress bars look, as text and as HTML that follows JupyterLab's theme.
final class BarLook {
    private static final int COLUMNS = 24;
    private static final int LINE_COLUMNS = 78;
    private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

    private BarLook() {}

    /// @return a line each
    static String text(List<Bar> bars) {
        return bars.stream().map(BarLook::text).collect(Collectors.joining("\n"));
    }

    /// @return all in one line of a terminal: the outermost, and what is done inside it now
    static String line(List<Bar> bars) {
        if (bars.size() < 2) {
            return bars.isEmpty() ? "" : cut(text(bars.getFirst()));
        }
        var outer = bars.getFirst();
        return cut(named(outer) + counted(outer) + ", " + text(bars.getLast()));
    }

    private static String cut(String text) {
        return text.length() <= LINE_COLUMNS ? text : text.substring(0, LINE_COLUMNS);
    }

    /// @return as `load 42% |██████████▏ | 42/100, 3.1/s, 0:19 left`
    static String text(Bar bar) {
        if (!bar.isTotalKnown()) {
            return named(bar) + tail(bar);
        }
        var percent = String.format(Locale.ROOT, "%3.0f%% ", Math.floor(100 * bar.part()));
        return named(bar) + percent + "|" + blocks(bar.part()) + "| " + tail(bar);
    }

    private static String named(Bar bar) {
        return bar.label().isEmpty() ? "" : bar.label() + " ";
    }

    private static String blocks(double part) {
        var eighths = (int) Math.floor(part * COLUMNS * 8);
        var full = eighths / 8;
        var rest = full < COLUMNS ? EIGHTHS.substring(eighths % 8, eighths % 8 + 1) : "";
        return "█".repeat(full) + rest + " ".repeat(COLUMNS - full - rest.length());
    }

    static String html(List<Bar> bars) {
        var html = new StringBuilder();
        html.append(
                "<div style=\"display:grid; grid-template-columns:auto 16em 1fr; gap:2px 10px;"
                        + " align-items:center; font-size:var(--jp-code-font-size,13px);"
                        + " font-family:var(--jp-code-font-family,monospace);"
                        + " font-variant-numeric:tabular-nums\">");
        bars.forEach(bar -> row(html, bar));
        return html.append("</div>").toString();
    }

    private static void row(StringBuilder html, Bar bar) {
        var width =
                bar.isTotalKnown() || !bar.isRunning()
                        ? String.format(Locale.ROOT, "%.1f%%", 100 * shownPart(bar))
                        : "100%";
        var faint = bar.isTotalKnown() || !bar.isRunning() ? "" : "; opacity:0.35";
        html.append("<span>")
                .append(escaped(bar.label()))
                .append("</span><div style=\"height:8px; border-radius:4px; overflow:hidden;")
                .append(" background:var(--jp-border-color2,#ddd)\"><div style=\"height:8px;")
                .append(" width:")
                .append(width)
                .append("; background:")
                .append(colour(bar))
                .append(faint)
                .append("\"></div></div><span>")
                .append(escaped(tail(bar)))
                .append("</span>");
    }

    /// A bar of unknown length that was not finished is full of its colour.
    private static double shownPart(Bar bar) {
        return bar.isTotalKnown() ? bar.part() : 1;
    }

    private static String colour(Bar bar) {
        return switch (bar.state()) {
            case RUNNING -> "var(--jp-brand-color1,#1976d2)";
            case DONE -> "var(--jp-success-color1,#388e3c)";
            case STOPPED -> "var(--jp-ui-font-color3,#888)";
            case FAILED, INTERRUPTED -> "var(--jp-error-color1,#d32f2f)";
        };
    }

    private static String tail(Bar bar) {
        var time = time(bar.seconds());
        var note = bar.note().isEmpty() ? "" : ", " + bar.note();
        var state =
                switch (bar.state()) {
                    case RUNNING -> rate(bar) + left(bar);
                    case DONE -> rate(bar) + ", took " + time;
                    case STOPPED -> ", stopped after " + time;
                    case FAILED -> ", failed after " + time;
                    case INTERRUPTED -> ", interrupted after " + time;
                };
        return counted(bar) + state + note;
    }

    private static String counted(Bar bar) {
        return bar.isTotalKnown()
                ? grouped(bar.count()) + "/" + grouped(bar.total())
                : grouped(bar.count());
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String rate(Bar bar) {
        var seconds = bar.seconds();
        if (bar.count() == 0 || seconds < 0.05) {
            return "";
        }
        var rate = bar.count() / seconds;
        return ", "
                + (rate >= 100
                        ? String.format(Locale.ROOT, "%,.0f/s", rate)
                        : rate >= 1
                                ? String.format(Locale.ROOT, "%.1f/s", rate)
                                : String.format(Locale.ROOT, "%.1f s each", 1 / rate));
    }

    private static String left(Bar bar) {
        if (!bar.isTotalKnown() || bar.count() == 0 || bar.isFull()) {
            return "";
        }
        var left = bar.seconds() / bar.count() * (bar.total() - bar.count());
        return ", " + time(left) + " left";
    }

    /// @return as `0.7 s`, `0:17` or `1:02:03`
    private static String time(double seconds) {
        if (seconds < 9.95) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        var all = Math.round(seconds);
        return all < 3600
                ? String.format(Locale.ROOT, "%d:%02d", all / 60, all % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", all / 3600, all / 60 % 60, all % 60);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
