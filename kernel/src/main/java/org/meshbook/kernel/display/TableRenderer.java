package org.meshbook.kernel.display;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        var rows = sample.first();
        if (rows.isEmpty() || rows.contains(null)) {
            return Optional.empty();
        }
        if (isAll(rows, Record.class)
                && rows.stream().map(Object::getClass).distinct().count() == 1) {
            return Optional.of(records(sample));
        }
        if (isAll(rows, Map.class)) {
            return Optional.of(maps(sample));
        }
        if (rows.stream().allMatch(row -> row instanceof List || isArray(row))) {
            return Optional.of(matrix(sample));
        }
        return Optional.empty();
    }

    private static boolean isAll(List<?> rows, Class<?> type) {
        return rows.stream().allMatch(type::isInstance);
    }

    private static boolean isArray(@Nullable Object row) {
        return row != null && row.getClass().isArray();
    }

    private static HtmlTable records(Sample sample) {
        var names = Fields.names(sample.first().getFirst().getClass());
        var rows =
                sample.first().stream()
                        .<List<@Nullable Object>>map(
                                row ->
                                        new ArrayList<>(
                                                Fields.of((Record) row).stream()
                                                        .map(Fields.Field::value)
                                                        .toList()))
                        .toList();
        return table(names, rows, sample.rest());
    }

    private static HtmlTable maps(Sample sample) {
        var keys = new LinkedHashSet<@Nullable Object>();
        sample.first().forEach(row -> keys.addAll(((Map<?, ?>) row).keySet()));
        var columns = keys.stream().limit(MOST_COLUMNS + 1L).toList();
        var rows =
                sample.first().stream()
                        .<List<@Nullable Object>>map(row -> values((Map<?, ?>) row, columns))
                        .toList();
        return table(columns.stream().map(TableRenderer::text).toList(), rows, sample.rest());
    }

    private static List<@Nullable Object> values(
            Map<?, ?> row, List<? extends @Nullable Object> columns) {
        var values = new ArrayList<@Nullable Object>();
        columns.forEach(key -> values.add(row.containsKey(key) ? row.get(key) : ""));
        return values;
    }

    private static HtmlTable matrix(Sample sample) {
        var rows =
                sample.first().stream()
                        .map(
                                row ->
                                        row instanceof List<?> list
                                                ? Sample.of(list, MOST_COLUMNS + 1L)
                                                : Sample.ofArray((Object) row, MOST_COLUMNS + 1L))
                        .map(Sample::first)
                        .toList();
        return table(List.of(), rows, sample.rest());
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
