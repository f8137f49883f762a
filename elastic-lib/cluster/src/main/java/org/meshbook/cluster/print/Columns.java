package org.meshbook.cluster.print;

import java.util.ArrayList;
import java.util.List;

/// Puts cells of lines below each other, as Go's `text/tabwriter` does, which `kubectl` prints
/// with.
///
/// A column is as wide as its widest cell among lines that follow each other and have it; the last
/// cell of a line is in no column.
final class Columns {
    private final List<List<String>> lines;
    private final int least;
    private final int between;
    private final List<List<Integer>> widths = new ArrayList<>();

    private Columns(List<List<String>> lines, int least, int between) {
        this.lines = lines;
        this.least = least;
        this.between = between;
        lines.forEach(_ -> widths.add(new ArrayList<>()));
    }

    /// @param lines cells of each line
    /// @param least how wide a column is at least
    /// @param between how many blanks stand after the widest cell
    /// @return the text; each line ends with a line feed
    static String text(List<List<String>> lines, int least, int between) {
        var columns = new Columns(lines, least, between);
        columns.measure(0, lines.size(), 0);
        var out = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            columns.line(i, out);
        }
        return out.toString();
    }

    private void measure(int from, int to, int column) {
        for (int i = from; i < to; ) {
            if (!has(i, column)) {
                i++;
                continue;
            }
            int end = i;
            int width = 0;
            while (end < to && has(end, column)) {
                width = Math.max(width, lines.get(end).get(column).length());
                end++;
            }
            for (int line = i; line < end; line++) {
                widths.get(line).add(Math.max(least, width + between));
            }
            measure(i, end, column + 1);
            i = end;
        }
    }

    private boolean has(int line, int column) {
        return lines.get(line).size() > column + 1;
    }

    private void line(int index, StringBuilder out) {
        var cells = lines.get(index);
        for (int i = 0; i < cells.size(); i++) {
            out.append(cells.get(i));
            if (i < cells.size() - 1) {
                out.repeat(' ', widths.get(index).get(i) - cells.get(i).length());
            }
        }
        out.append('\n');
    }
}
