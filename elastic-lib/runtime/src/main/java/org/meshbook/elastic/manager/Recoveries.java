package org.meshbook.elastic.manager;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.Tabular;
import org.meshbook.elastic.manager.Recovery.Phase;

/// All recoveries of a manager in order; prints as a table.
///
/// @param all the recoveries
public record Recoveries(List<Recovery> all) implements Iterable<Recovery>, Tabular {
    public Recoveries {
        all = List.copyOf(all);
    }

    @Override
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

    /// @return the newest one
    public Optional<Recovery> last() {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    private static List<String> row(Recovery recovery) {
        var row = new ArrayList<String>();
        row.add(recovery.change().words() + " " + Words.slices(recovery.slices()));
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
        return table();
    }
}
