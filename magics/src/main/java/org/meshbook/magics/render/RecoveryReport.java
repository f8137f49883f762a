package org.meshbook.magics.render;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.meshbook.elastic.manager.Goodput;
import org.meshbook.elastic.manager.Recovery;
import org.meshbook.elastic.manager.Recovery.Phase;
import org.meshbook.kernel.spi.DisplayData;

/// What a loss or a growth cost, phase by phase on one line of time; and where a run's time went.
final class RecoveryReport {
    private static final int BAR = 40;
    private static final String HTML_BAR =
            "<div style=\"width:320px;height:11px;background:rgba(139,148,158,.18)\">"
                    + "<div style=\"margin-left:%.1f%%;width:%.1f%%;min-width:1px;height:11px;background:%s\"></div></div>";
    private static final List<String> COLOURS =
            List.of("#ef4444", "#f59e0b", "#3b82f6", "#8b5cf6", "#14b8a6", "#64748b");

    private RecoveryReport() {}

    /// One row a phase that took time: how long, bytes and their rate, and its place on the line.
    private record Row(String phase, String took, String bytes, String rate, Bar bar) {}

    /// @param start share of the whole before it, 0 to 1
    /// @param length share of the whole
    private record Bar(double start, double length, String colour) {
        String text() {
            int from = Math.min(BAR - 1, (int) Math.round(start * BAR));
            int blocks = Math.clamp(Math.round(length * BAR), 1, BAR - from);
            return " ".repeat(from) + "█".repeat(blocks);
        }

        String html() {
            return String.format(
                    Locale.ROOT, HTML_BAR, start * 100, Math.min(length, 1 - start) * 100, colour);
        }
    }

    static DisplayData of(Recovery recovery) {
        var rows = rows(recovery);
        var text = new ArrayList<String>(head(recovery));
        var table = Table.of("phase", "took", "bytes", "rate", "timeline");
        for (var row : rows) {
            table = table.row(row.phase, row.took, row.bytes, row.rate, row.bar.text());
        }
        text.add("");
        text.add(table.text());
        text.addAll(restored(recovery));
        return DisplayData.text(String.join("\n", text)).and("text/html", html(recovery, rows));
    }

    static DisplayData of(Goodput goodput) {
        if (goodput.total().isZero()) {
            return DisplayData.text(goodput.toString());
        }
        var rows = goodput.rows();
        var table = new Table(rows.getFirst(), rows.subList(1, rows.size()));
        return DisplayData.text(table.text() + "\n" + goodput.efficiency())
                .and(
                        "text/html",
                        table.html() + "<div>" + Html.escape(goodput.efficiency()) + "</div>");
    }

    private static List<String> head(Recovery recovery) {
        var total = Amounts.time(recovery.total().toNanos());
        var outcome =
                recovery.growth()
                        ? "in use after " + total + ", no step was repeated"
                        : !recovery.complete()
                                ? "cut short after " + total + " by the next loss"
                                : "back where it was after " + total + replayed(recovery);
        var after = recovery.step() < 0 ? "before the first step" : "after step " + recovery.step();
        return List.of(
                recovery.cause(),
                "%s, %d → %d slices, %s".formatted(after, recovery.from(), recovery.to(), outcome));
    }

    private static String replayed(Recovery recovery) {
        return switch ((int) Math.min(2, recovery.replayed())) {
            case 0 -> ", no step was repeated";
            case 1 -> ", one step was done again";
            default -> ", " + recovery.replayed() + " steps were done again";
        };
    }

    private static List<Row> rows(Recovery recovery) {
        var rows = new ArrayList<Row>();
        double total = Math.max(1, recovery.total().toNanos());
        double at = 0;
        for (var phase : Phase.values()) {
            var time = recovery.phase(phase);
            if (time.isZero()) {
                continue;
            }
            double length = time.toNanos() / total;
            boolean moves = phase == (recovery.growth() ? Phase.REMESH : Phase.RESTORE);
            long bytes = moves ? recovery.bytes() : 0;
            rows.add(
                    new Row(
                            phase.word(),
                            Amounts.time(time.toNanos()),
                            bytes == 0 ? "-" : Amounts.size(bytes),
                            bytes == 0 ? "-" : rate(bytes, time),
                            new Bar(at, length, COLOURS.get(phase.ordinal()))));
            at += length;
        }
        return rows;
    }

    private static String rate(long bytes, Duration time) {
        return Amounts.size(bytes / (time.toNanos() / 1e9)) + "/s";
    }

    private static List<String> restored(Recovery recovery) {
        var lines = new ArrayList<String>();
        for (var event : recovery.restored()) {
            lines.add(event.outcome());
            event.refused().forEach(reason -> lines.add("not taken: " + reason));
        }
        return lines;
    }

    private static String html(Recovery recovery, List<Row> rows) {
        var html = new StringBuilder();
        var head = head(recovery);
        html.append("<div><b>").append(Html.escape(head.getFirst())).append("</b></div><div>");
        html.append(Html.escape(head.getLast())).append("</div><table><thead><tr>");
        for (var name : List.of("phase", "took", "bytes", "rate", "timeline")) {
            html.append("<th style=\"text-align:left\">").append(name).append("</th>");
        }
        html.append("</tr></thead><tbody>");
        for (var row : rows) {
            html.append("<tr>").append(cell(row.phase, "left")).append(cell(row.took, "right"));
            html.append(cell(row.bytes, "right")).append(cell(row.rate, "right"));
            html.append("<td style=\"text-align:left\">")
                    .append(row.bar.html())
                    .append("</td></tr>");
        }
        html.append("</tbody></table>");
        for (var line : restored(recovery)) {
            html.append("<div>").append(Html.escape(line)).append("</div>");
        }
        return html.toString();
    }

    private static String cell(String text, String align) {
        return "<td style=\"text-align:" + align + "\">" + Html.escape(text) + "</td>";
    }
}
