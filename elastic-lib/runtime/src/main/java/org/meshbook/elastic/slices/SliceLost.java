package org.meshbook.elastic.slices;

import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.ElasticException;

/// One or more slices are lost, and with them the value that was asked for; a
/// [manager][org.meshbook.elastic.manager] retries.
public final class SliceLost extends ElasticException {
    private static final long serialVersionUID = 1L;

    private final LossKind kind;
    private final TreeSet<Integer> slices;
    private final long generation;

    /// @param kind how the slices were lost
    /// @param slices their indices
    /// @param generation the view's generation at the loss
    /// @param message one line: which value, which slices, since when
    public SliceLost(LossKind kind, Set<Integer> slices, long generation, String message) {
        super(message);
        this.kind = kind;
        this.slices = new TreeSet<>(slices);
        this.generation = generation;
    }

    /// @return how the slices were lost
    public LossKind kind() {
        return kind;
    }

    /// @return indices of the lost slices, ascending
    public Set<Integer> slices() {
        return new TreeSet<>(slices);
    }

    /// @return generation of the view at the loss
    public long generation() {
        return generation;
    }

    /// @return false if a health probe must confirm the loss first
    public boolean certain() {
        return kind != LossKind.UNCERTAIN;
    }
}
