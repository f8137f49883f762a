package org.meshbook.cluster.print;

import java.util.ArrayList;
import java.util.List;

/// What `get` shows of some objects.
///
/// @param heads heads of the columns, in capitals
/// @param rows cells, as many a row as there are heads
public record Table(List<String> heads, List<List<String>> rows) {
    private static final int LEAST_WIDTH = 6;
    private static final int BETWEEN = 3;

    public Table {
        heads = List.copyOf(heads);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /// @return the table as `kubectl` prints it; each line ends with a line feed
    public String text() {
        var lines = new ArrayList<List<String>>();
        lines.add(heads);
        lines.addAll(rows);
        return Columns.text(lines, LEAST_WIDTH, BETWEEN);
    }
}
