package org.meshbook.kernel.cell;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/// Cells that somebody still holds: those that run, and those whose threads live.
final class LivingCells {
    private final Set<RunningCell> cells = Collections.newSetFromMap(new WeakHashMap<>());

    synchronized void add(RunningCell cell) {
        cells.add(cell);
    }

    /// @return those with that number; two kernels' worth of cells may share one
    List<RunningCell> numbered(int number) {
        return all().stream().filter(cell -> cell.number() == number).toList();
    }

    /// @param snippet JShell's number of one
    /// @return the latest cell that evaluated it
    Optional<RunningCell> ran(String snippet) {
        return all().stream()
                .filter(cell -> cell.ran(snippet))
                .max(Comparator.comparingLong(RunningCell::sequence));
    }

    synchronized List<RunningCell> all() {
        return new ArrayList<>(cells);
    }
}
