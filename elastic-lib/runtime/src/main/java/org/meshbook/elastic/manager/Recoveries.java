package org.meshbook.elastic.manager;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.meshbook.elastic.manager.Recovery.Phase;

/// All recoveries of a manager in order; prints as a table.
///
/// @param all the recoveries
public record Recoveries(List<Recovery> all) implements Iterable<Recovery> {
    public Recoveries {
        all = List.copyOf(all);
    }

    /// @return rows of cells: a header, then one a recovery
    public List<List<String>> rows() {
        var rows = new ArrayList<List<String>>();
        var header = new ArrayList<>(List.of("event", "after step", "slices"));
        for (var phase : Phase.values()) {
            header.add(phase.word());
        }
        header.addAll(List.of("total", "replayed", "bytes"));
        rows.add(header);
        all.forEach(recovery -> rows.add(row(recovery)));
        return rows;
    }

    @Override
    public Iterator<Recovery> iterator() {
        return all.iterator();
    }

    private static List<String> row(Recovery recovery) {
        var row = new ArrayList<String>();
        row.add((recovery.growth() ? "grew by " : "lost ") + Words.slices(recovery.slices()));
        row.add(recovery.step() < 0 ? "-" : String.valueOf(recovery.step()));
        row.add(recovery.from() + " → " + recovery.to());
        for (var phase : Phase.values()) {
            var time = recovery.phase(phase);
            row.add(time.isZero() ? "-" : Words.time(time));
        }
        row.add(recovery.complete() ? Words.time(recovery.total()) : "cut short");
        row.add(recovery.growth() ? "-" : recovery.replayed() + " steps");
        row.add(recovery.bytes() == 0 ? "-" : Words.bytes(recovery.bytes()));
        return row;
    }

    @Override
    public String toString() {
        if (all.isEmpty()) {
            return "no slice was lost or gained";
        }
        var rows = rows();
        var widths = new int[rows.getFirst().size()];
        for (var row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        var text = new StringBuilder();
        for (var row : rows) {
            for (int i = 0; i < widths.length; i++) {
                var pad = " ".repeat(widths[i] - row.get(i).length());
                text.append(i == 0 ? row.get(i) + pad : "  " + pad + row.get(i));
            }
            text.append('\n');
        }
        return text.toString().stripTrailing();
    }
}
