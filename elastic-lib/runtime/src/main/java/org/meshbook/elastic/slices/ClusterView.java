package org.meshbook.elastic.slices;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The allocation at one moment: an immutable record that is swapped whole.
///
/// @param generation grows by one at each loss and each return of any slice
/// @param slices all slices in order of their index
public record ClusterView(long generation, List<SliceView> slices) {
    public ClusterView {
        slices = List.copyOf(slices);
    }

    /// @return indices of the slices that the head believes healthy, ascending
    public Set<Integer> healthy() {
        var healthy = new TreeSet<Integer>();
        slices.stream()
                .filter(s -> s.state() == SliceState.HEALTHY)
                .forEach(s -> healthy.add(s.id()));
        return healthy;
    }
}
