package org.meshbook.elastic.data;

import java.util.Arrays;
import org.meshbook.elastic.array.Array;

/// Rows that can be told apart.
final class Rows {
    private Rows() {}

    /// The numbers of an array of whole ones.
    static long[] ids(Array array) {
        return Arrays.stream(array.toHost().doubles()).mapToLong(value -> (long) value).toArray();
    }
}
