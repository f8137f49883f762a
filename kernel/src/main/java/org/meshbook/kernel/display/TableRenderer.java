package org.meshbook.kernel.display;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

/// Records in a collection, and maps, as an HTML table beside their text.
final class TableRenderer implements Renderer {
    private static final int MOST_ROWS = 50;

    @Override
    public Optional<DisplayData> render(Object value) {
        return switch (value) {
            case Map<?, ?> map when !map.isEmpty() -> Optional.of(map(map));
            case Collection<?> rows when isRecords(rows) -> Optional.of(records(rows));
            default -> Optional.empty();
        };
    }

    private static boolean isRecords(Collection<?> rows) {
        if (rows.isEmpty()) {
            return false;
        }
        Class<?> type = null;
        for (var row : rows) {
            if (!(row instanceof Record) || (type != null && row.getClass() != type)) {
                return false;
            }
            type = row.getClass();
        }
        return true;
    }

    private static DisplayData records(Collection<?> rows) {
        var components = rows.iterator().next().getClass().getRecordComponents();
        var names = Arrays.stream(components).map(RecordComponent::getName).toList();
        var html = new StringBuilder();
        head(html, names);
        rows.stream()
                .limit(MOST_ROWS)
                .forEach(
                        row ->
                                row(
                                        html,
                                        Arrays.stream(components)
                                                .map(c -> component(c, row))
                                                .toList()));
        return table(rows, html, rows.size(), names.size());
    }

    private static DisplayData map(Map<?, ?> map) {
        var html = new StringBuilder();
        head(html, List.of("key", "value"));
        map.entrySet().stream()
                .limit(MOST_ROWS)
                .forEach(
                        entry ->
                                row(
                                        html,
                                        List.of(
                                                PlainText.of(entry.getKey()),
                                                PlainText.of(entry.getValue()))));
        return table(map, html, map.size(), 2);
    }

    private static String component(RecordComponent component, Object row) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return PlainText.of(accessor.invoke(row));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return "?";
        }
    }

    private static void head(StringBuilder html, List<String> names) {
        html.append("<table><thead><tr>");
        names.forEach(name -> html.append("<th>").append(escaped(name)).append("</th>"));
        html.append("</tr></thead><tbody>\n");
    }

    private static void row(StringBuilder html, List<String> cells) {
        html.append("<tr>");
        cells.forEach(cell -> html.append("<td>").append(escaped(cell)).append("</td>"));
        html.append("</tr>\n");
    }

    private static DisplayData table(Object value, StringBuilder html, int size, int columns) {
        if (size > MOST_ROWS) {
            html.append(
                    "<tr><td colspan=\"%d\">... %d more</td></tr>%n"
                            .formatted(columns, size - MOST_ROWS));
        }
        html.append("</tbody></table>");
        return DisplayData.text(PlainText.of(value)).and("text/html", html.toString());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
