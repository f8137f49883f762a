package org.meshbook.magics.render;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.meshbook.kernel.spi.DisplayData;

/// A small table: text in a terminal, HTML in a notebook.
///
/// Columns whose every cell begins with a digit are set flush right. Immutable.
///
/// @param columns headings
/// @param rows cells, one a column
public record Table(List<String> columns, List<List<String>> rows) {
    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d[\\d.,]*( ?\\p{L}{1,3}| %)?|-|");

    /// @throws org.meshbook.elastic.UsageError if a row has more or fewer cells than there are
    ///   columns
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (var row : rows) {
            require(
                    row.size() == columns.size(),
                    "a row of %d cells does not fit a table of %d columns: %s",
                    row.size(),
                    columns.size(),
                    row);
        }
    }

    /// @param columns headings
    /// @return a table without rows
    public static Table of(String... columns) {
        return new Table(List.of(columns), List.of());
    }

    /// @param cells anything; shown by their `toString`
    /// @return this with one row more
    public Table row(Object... cells) {
        var more = new ArrayList<>(rows);
        more.add(Arrays.stream(cells).map(String::valueOf).toList());
        return new Table(columns, more);
    }

    /// @return lines of text, columns parted by two blanks
    public String text() {
        var widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int at = i;
            widths[i] =
                    Math.max(
                            columns.get(i).length(),
                            rows.stream().mapToInt(r -> r.get(at).length()).max().orElse(0));
        }
        var lines = new ArrayList<String>();
        lines.add(line(columns, widths));
        lines.add(line(Arrays.stream(widths).mapToObj("─"::repeat).toList(), widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return String.join("\n", lines);
    }

    /// @return one HTML table; takes its colours from the page
    public String html() {
        var html = new StringBuilder("<table><thead><tr>");
        for (int i = 0; i < columns.size(); i++) {
            html.append("<th").append(align(i)).append(">");
            html.append(Html.escape(columns.get(i))).append("</th>");
        }
        html.append("</tr></thead><tbody>");
        for (var row : rows) {
            html.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                html.append("<td").append(align(i)).append(">");
                html.append(Html.escape(row.get(i))).append("</td>");
            }
            html.append("</tr>");
        }
        return html.append("</tbody></table>").toString();
    }

    /// @return text and HTML
    public DisplayData display() {
        return DisplayData.text(text()).and("text/html", html());
    }

    @Override
    public String toString() {
        return text();
    }

    private boolean numeric(int column) {
        return !rows.isEmpty()
                && rows.stream().allMatch(r -> NUMBER.matcher(r.get(column)).matches());
    }

    private String align(int column) {
        return " style=\"text-align:" + (numeric(column) ? "right" : "left") + "\"";
    }

    private String line(List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            var space = " ".repeat(widths[i] - cells.get(i).length());
            line.append(i == 0 ? "" : "  ");
            line.append(numeric(i) ? space + cells.get(i) : cells.get(i) + space);
        }
        return line.toString().stripTrailing();
    }
}
