package org.meshbook.kernel.display;

import java.util.List;

/// An HTML table that the front end's own style sheet dresses, in its light and its dark theme.
final class HtmlTable {
    private static final int MOST_CHARACTERS = 1_000;

    private final StringBuilder body = new StringBuilder();
    private final List<String> names;
    private final int mostColumns;
    private int columns;

    /// @param names of the columns; none for a table without a head
    HtmlTable(List<String> names, int mostColumns) {
        this.names = names;
        this.mostColumns = mostColumns;
        columns = names.size();
    }

    /// One cell.
    ///
    /// @param text what it says
    /// @param right whether it stands at the right, as numbers do
    record Cell(String text, boolean right) {}

    void row(List<Cell> cells) {
        columns = Math.max(columns, cells.size());
        body.append("<tr>");
        cells.stream()
                .limit(mostColumns)
                .forEach(
                        cell ->
                                body.append(
                                                cell.right()
                                                        ? "<td>"
                                                        : "<td style=\"text-align:left\">")
                                        .append(escaped(cell.text()))
                                        .append("</td>"));
        body.append(cells.size() > mostColumns ? "<td>...</td></tr>\n" : "</tr>\n");
    }

    /// @param rest says how much follows; empty if nothing does
    void rest(String rest) {
        if (!rest.isEmpty()) {
            body.append(
                    "<tr><td colspan=\"%d\" style=\"text-align:left\">%s</td></tr>%n"
                            .formatted(Math.max(1, Math.min(columns, mostColumns + 1)), rest));
        }
    }

    String html() {
        var html = new StringBuilder("<table>");
        if (!names.isEmpty()) {
            html.append("<thead><tr>");
            names.stream()
                    .limit(mostColumns)
                    .forEach(name -> html.append("<th>").append(escaped(name)).append("</th>"));
            html.append(names.size() > mostColumns ? "<th>...</th>" : "").append("</tr></thead>");
        }
        return html.append("<tbody>\n").append(body).append("</tbody></table>").toString();
    }

    private static String escaped(String text) {
        var shown = text;
        if (text.length() > MOST_CHARACTERS) {
            var end = text.offsetByCodePoints(0, text.codePointCount(0, MOST_CHARACTERS - 1));
            shown = text.substring(0, end) + "...";
        }
        return shown.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\n", "<br>");
    }
}
