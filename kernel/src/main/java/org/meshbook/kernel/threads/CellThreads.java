package org.meshbook.kernel.threads;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/// Finds the threads of cells by their groups: each cell's own thread begins one, named after the
/// cell, and what it starts is born into it.
final class CellThreads {
    private static final Pattern CELL = Pattern.compile("cell (\\d+)");

    private CellThreads() {}

    /// @param running says whether a cell runs now
    /// @return living threads, by cell; without the thread that asks
    static List<CellThread> living(IntPredicate running) {
        var found = new ArrayList<CellThread>();
        for (var thread : all()) {
            var cell = cell(thread);
            if (cell.isPresent() && thread != Thread.currentThread()) {
                var own = thread.getName().equals("cell " + cell.get());
                found.add(new CellThread(thread, cell.get(), own && !running.test(cell.get())));
            }
        }
        found.sort(
                Comparator.comparingInt(CellThread::cell)
                        .thenComparingLong(each -> each.thread().threadId()));
        return found;
    }

    private static List<Thread> all() {
        var top = Thread.currentThread().getThreadGroup();
        while (top != null && top.getParent() != null) {
            top = top.getParent();
        }
        if (top == null) {
            return List.of();
        }
        var threads = new Thread[top.activeCount() * 2 + 16];
        var count = top.enumerate(threads);
        return List.of(java.util.Arrays.copyOf(threads, count));
    }

    private static Optional<Integer> cell(Thread thread) {
        var group = thread.getThreadGroup();
        while (group != null) {
            var name = CELL.matcher(group.getName());
            if (name.matches()) {
                return Optional.of(Integer.parseInt(name.group(1)));
            }
            group = group.getParent();
        }
        return Optional.empty();
    }
}
