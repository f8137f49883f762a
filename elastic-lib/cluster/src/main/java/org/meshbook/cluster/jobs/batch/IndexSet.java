package org.meshbook.cluster.jobs.batch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Completion indexes as a Job's status writes them: `0,2-4`.
final class IndexSet {
    private IndexSet() {}

    static NavigableSet<Integer> parse(String text) {
        var set = new TreeSet<Integer>();
        for (var part : text.split(",")) {
            if (!part.isEmpty()) {
                int dash = part.indexOf('-');
                int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
                int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
                for (int i = from; i <= to; i++) {
                    set.add(i);
                }
            }
        }
        return set;
    }

    static String format(Collection<Integer> indexes) {
        var parts = new ArrayList<String>();
        var sorted = new ArrayList<>(new TreeSet<>(indexes));
        for (int i = 0; i < sorted.size(); ) {
            int end = i;
            while (end + 1 < sorted.size() && sorted.get(end + 1) == sorted.get(end) + 1) {
                end++;
            }
            parts.add(
                    end == i
                            ? sorted.get(i).toString()
                            : sorted.get(i) + (end == i + 1 ? "," : "-") + sorted.get(end));
            i = end + 1;
        }
        return String.join(",", parts);
    }
}
