package org.meshbook.elastic;

import java.util.ArrayList;
import java.util.List;

/// Something that is shown as a table: text here, HTML in a notebook.
public interface Tabular {
    /// @return rows of cells, all of one length; the first one is the header
    List<List<String>> rows();

    /// Lays the rows out: the first column flush left, the others right.
    ///
    /// @return lines of text
    default String table() {
        var rows = rows();
        var widths = new int[rows.getFirst().size()];
        for (var row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        var lines = new ArrayList<String>();
        for (var row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                var pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + pad : "  " + pad + row.get(i));
            }
            lines.add(line.toString().stripTrailing());
        }
        return String.join("\n", lines);
    }
}
