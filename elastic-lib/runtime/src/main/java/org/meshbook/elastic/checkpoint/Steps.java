package org.meshbook.elastic.checkpoint;

import static java.util.stream.Collectors.joining;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.meshbook.elastic.Tabular;

/// The snapshots that are kept, oldest first; prints as a table.
///
/// @param run name of the branch; empty for one that is no branch
/// @param all the snapshots
public record Steps(String run, List<Snapshot> all) implements Iterable<Snapshot>, Tabular {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT)
                    .withZone(ZoneId.systemDefault());

    public Steps {
        all = List.copyOf(all);
    }

    /// @return the steps as numbers, in the order of the saves
    public List<Long> numbers() {
        return all.stream().map(Snapshot::step).toList();
    }

    @Override
    public Iterator<Snapshot> iterator() {
        return all.iterator();
    }

    @Override
    public List<List<String>> rows() {
        var rows = new ArrayList<List<String>>();
        rows.add(
                List.of(
                        run.isEmpty() ? "step" : run + ": step",
                        "complete at",
                        "held on slices",
                        "bytes",
                        ""));
        for (var snapshot : all) {
            rows.add(
                    List.of(
                            String.valueOf(snapshot.step()),
                            TIME.format(snapshot.at()),
                            snapshot.slices().stream().map(String::valueOf).collect(joining(", ")),
                            String.format(Locale.ROOT, "%,d", snapshot.bytes()),
                            snapshot == all.getLast() ? "latest" : ""));
        }
        return rows;
    }

    @Override
    public String toString() {
        return all.isEmpty() ? "no snapshot is kept" : table();
    }
}
