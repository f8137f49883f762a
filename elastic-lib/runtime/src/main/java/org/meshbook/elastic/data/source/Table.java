package org.meshbook.elastic.data.source;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// Columns by their names, held as host arrays; what a file of rows becomes.
///
/// Numbers keep their kind: whole ones are `i32`, or `i64` if one needs it, others `f32` (`f64` if
/// the file says so), truths `i1`. A column of texts is `i32`: the place of each in the sorted list
/// that [#words] gives. A missing number is NaN, and makes whole numbers `f32`.
public final class Table implements Source<Map<String, Array>> {
    private final Columns<Map<String, Array>> columns;
    private final Map<String, Array> arrays;
    private final Map<String, List<String>> words;

    /// @param arrays columns in the file's order
    /// @param words of the columns of texts
    Table(Map<String, Array> arrays, Map<String, List<String>> words) {
        this.arrays = Collections.unmodifiableMap(new LinkedHashMap<>(arrays));
        this.columns = Columns.of(this.arrays);
        this.words = Map.copyOf(words);
    }

    /// @return whole columns by name, in the file's order
    public Map<String, Array> columns() {
        return arrays;
    }

    /// @param name of a column
    /// @return the whole column
    /// @throws UsageError if there is none of that name; lists them
    public Array column(String name) {
        var found = arrays.get(name);
        if (found == null) {
            throw new UsageError("no column '%s'; there are %s", name, arrays.keySet());
        }
        return found;
    }

    /// @return for each column of texts the different ones, sorted; the array holds their places
    public Map<String, List<String>> words() {
        return words;
    }

    @Override
    public long count() {
        return columns.count();
    }

    @Override
    public String fingerprint() {
        return columns.fingerprint();
    }

    @Override
    public Map<String, Array> rows(long[] indices) {
        return columns.rows(indices);
    }

    @Override
    public String toString() {
        return fingerprint();
    }
}
