package org.meshbook.kernel.display;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

/// What has rows and columns, as an HTML table beside its text: records of one type, maps, rows of
/// maps, and rows of rows.
final class TableRenderer implements Renderer {
    private static final int MOST_COLUMNS = 50;
    private static final int MOST_ELEMENTS_OF_A_CELL = 20;

    private final Settings settings;

    TableRenderer(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Optional<DisplayData> render(Object value) {
        return table(value)
                .map(
                        table ->
                                DisplayData.text(PlainText.of(value, settings.valueElements()))
                                        .and("text/html", table.html()));
    }

    private Optional<HtmlTable> table(Object value) {
        var most = settings.tableRows();
        return switch (value) {
            case Map<?, ?> map when !map.isEmpty() -> Optional.of(pairs(Sample.of(map, most)));
            case Sample sample -> rows(shortened(sample, most));
            case Collection<?> rows when !rows.isEmpty() -> rows(Sample.of(rows, most));
            case Object[] rows when rows.length > 0 -> rows(Sample.ofArray(rows, most));
            default -> Optional.empty();
        };
    }

    private static Sample shortened(Sample sample, long most) {
        var size = sample.first().size();
        if (size <= most) {
            return sample;
        }
        var more = sample.more() == Sample.UNKNOWN ? Sample.UNKNOWN : sample.more() + size - most;
        return new Sample(sample.first().subList(0, (int) most), more);
    }

    private static HtmlTable pairs(Sample entries) {
        var rows =
                entries.first().stream()
                        .<List<@Nullable Object>>map(
                                each -> {
                                    var entry = (Map.Entry<?, ?>) each;
                                    return Arrays.asList(
                                            entry == null ? null : entry.getKey(),
                                            entry == null ? null : entry.getValue());
                                })
                        .toList();
        return table(List.of("key", "value"), rows, entries.rest());
    }

    private static Optional<HtmlTable> rows(Sample sample) {
        var rows = present(sample);
        var rest = sample.rest();
        if (rows.isEmpty() || rows.size() < sample.first().size()) {
            return Optional.empty();
        }
        if (isAll(rows, Record.class)
                && rows.stream().map(Object::getClass).distinct().count() == 1) {
            return Optional.of(records(rows, rest));
        }
        if (isAll(rows, Map.class)) {
            return Optional.of(maps(rows, rest));
        }
        return rows.stream().allMatch(row -> row instanceof List || row.getClass().isArray())
                ? Optional.of(matrix(rows, rest))
                : Optional.empty();
    }

    private static List<Object> present(Sample sample) {
        var present = new ArrayList<Object>();
        for (var row : sample.first()) {
            if (row != null) {
                present.add(row);
            }
        }
        return present;
    }

    private static boolean isAll(List<Object> rows, Class<?> type) {
        return rows.stream().allMatch(type::isInstance);
    }

    private static HtmlTable records(List<Object> rows, String rest) {
        var cells = new ArrayList<List<@Nullable Object>>();
        for (var row : rows) {
            var values = new ArrayList<@Nullable Object>();
            Fields.of((Record) row).forEach(field -> values.add(field.value()));
            cells.add(values);
        }
        return table(Fields.names(rows.getFirst().getClass()), cells, rest);
    }

    private static HtmlTable maps(List<Object> rows, String rest) {
        var keys = new LinkedHashSet<@Nullable Object>();
        rows.forEach(
                row ->
                        keys.addAll(
                                Sample.of(((Map<?, ?>) row).keySet(), MOST_COLUMNS + 1L).first()));
        var cells = new ArrayList<List<@Nullable Object>>();
        for (var row : rows) {
            cells.add(values((Map<?, ?>) row, keys));
        }
        return table(keys.stream().map(TableRenderer::text).toList(), cells, rest);
    }

    private static List<@Nullable Object> values(Map<?, ?> row, Set<@Nullable Object> columns) {
        var values = new ArrayList<@Nullable Object>();
        columns.forEach(key -> values.add(row.containsKey(key) ? row.get(key) : ""));
        return values;
    }

    private static HtmlTable matrix(List<Object> rows, String rest) {
        var cells = new ArrayList<List<@Nullable Object>>();
        for (var row : rows) {
            var columns = MOST_COLUMNS + 1L;
            cells.add(
                    (row instanceof List<?> list
                                    ? Sample.of(list, columns)
                                    : Sample.ofArray(row, columns))
                            .first());
        }
        return table(List.of(), cells, rest);
    }

    private static HtmlTable table(
            List<String> names,
            List<? extends List<? extends @Nullable Object>> rows,
            String rest) {
        var table = new HtmlTable(names, MOST_COLUMNS);
        rows.forEach(
                row ->
                        table.row(
                                row.stream()
                                        .map(
                                                cell ->
                                                        new HtmlTable.Cell(
                                                                text(cell), cell instanceof Number))
                                        .toList()));
        table.rest(rest);
        return table;
    }

    private static String text(@Nullable Object value) {
        return PlainText.of(value, MOST_ELEMENTS_OF_A_CELL);
    }
}
