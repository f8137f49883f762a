package org.meshbook.elastic.data.source;

import java.util.function.LongPredicate;

/// Rows that can be read in any order. Thread-safe; the number of rows and what each holds never
/// change.
///
/// @param <T> type of a batch of rows: a record, list or map of arrays
public interface Source<T> {
    /// @return number of rows
    long count();

    /// Names the rows: equal for the same rows, and different, as good as certainly, for others. A
    /// position is worth nothing with other rows, so it carries this.
    ///
    /// @return one line for people and for comparison
    String fingerprint();

    /// Reads some rows.
    ///
    /// @param indices of rows, each from 0 to `count() - 1`, in the order wanted; repeats are fine
    /// @return arrays of this host, all with `indices.length` as first dimension
    /// @throws UnreadableRow if one of them cannot be read; names it
    T rows(long[] indices);

    /// The rows of some arrays on this host.
    ///
    /// @param rows a tree of host arrays, all with the same first dimension
    /// @param <T> type of the rows
    /// @return the source; shares the arrays
    /// @throws org.meshbook.elastic.MeshMismatch if the numbers of rows differ
    static <T> Source<T> of(T rows) {
        return Columns.of(rows);
    }

    /// The rows that a predicate keeps, chosen now and for good: positions count kept rows only.
    ///
    /// @param wanted whether to keep the row of an index
    /// @return the source
    default Source<T> keep(LongPredicate wanted) {
        return Chosen.of(this, wanted);
    }
}
