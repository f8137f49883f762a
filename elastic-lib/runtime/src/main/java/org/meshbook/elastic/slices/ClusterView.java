package org.meshbook.elastic.slices;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.slices.index.SliceList;

/// The allocation at one moment: an immutable record that is swapped whole.
///
/// @param generation grows by one at each loss and each return of any slice
/// @param slices all slices in order of their index
public record ClusterView(long generation, List<SliceView> slices) {
    public ClusterView {
        slices = SliceList.copyOf(slices);
    }

    /// @param changed a slice as it is now
    /// @return the next view
    /// @throws IllegalArgumentException if there is no slice of that index
    public ClusterView with(SliceView changed) {
        int at = indexOf(changed.id());
        if (at < 0) {
            throw new IllegalArgumentException("no slice " + changed.id());
        }
        return new ClusterView(generation + 1, SliceList.copyOf(slices).with(at, changed));
    }

    /// @param id index of a slice
    /// @return the slice, if there is one
    public Optional<SliceView> slice(int id) {
        int at = indexOf(id);
        return at < 0 ? Optional.empty() : Optional.of(slices.get(at));
    }

    /// @return indices of the slices that the head believes healthy, ascending
    public Set<Integer> healthy() {
        var healthy = new TreeSet<Integer>();
        slices.stream()
                .filter(s -> s.state() == SliceState.HEALTHY)
                .forEach(s -> healthy.add(s.id()));
        return healthy;
    }

    /// Slices stand at their index; where some are missing, they are looked for.
    private int indexOf(int id) {
        if (id >= 0 && id < slices.size() && slices.get(id).id() == id) {
            return id;
        }
        for (int at = 0; at < slices.size(); at++) {
            if (slices.get(at).id() == id) {
                return at;
            }
        }
        return -1;
    }
}
