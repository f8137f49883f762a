package org.meshbook.elastic.engine.reference;

import java.util.List;
import org.meshbook.elastic.array.IndexMap;
import org.meshbook.elastic.array.Shape;

/// Where the windows of a gather or scatter lie: for each element of the result or the updates the
/// array's element.
final class Addresses {
    /// The address of an element of a window that does not lie inside.
    static final int OUTSIDE = -1;

    private final IndexMap map;
    private final Shape array;
    private final Elements indices;
    private final List<Integer> sizes;
    private final Shape windows;

    /// @param array shape of the array
    /// @param sizes of the windows, in each dimension of the array
    /// @param windows shape of the result or the updates
    Addresses(IndexMap map, Shape array, Elements indices, List<Integer> sizes, Shape windows) {
        this.map = map;
        this.array = array;
        this.indices = indices;
        this.sizes = sizes;
        this.windows = windows;
    }

    /// @param clamped whether a window is moved inside; else it is [#OUTSIDE]
    int[] list(boolean clamped) {
        var addresses = new int[(int) windows.size()];
        var at = new int[windows.rank()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = address(at, clamped);
            for (int d = at.length - 1; d >= 0 && ++at[d] == windows.dim(d); d--) {
                at[d] = 0;
            }
        }
        return addresses;
    }

    private int address(int[] at, boolean clamped) {
        // 1. the index vector  2. where its window starts  3. the element in the window
        var around = map.around(windows.rank());
        var indexDims = map.indexDims(indices.type().shape().rank());
        var index = new int[indices.type().shape().rank()];
        for (int i = 0; i < around.size(); i++) {
            index[indexDims.get(i)] = at[around.get(i)];
        }
        var place = new int[array.rank()];
        for (int i = 0; i < map.batch().size(); i++) {
            place[map.batch().get(i)] = index[map.indexBatch().get(i)];
        }
        for (int i = 0; i < map.indexed().size(); i++) {
            int dim = map.indexed().get(i);
            long last = array.dim(dim) - sizes.get(dim);
            long start = indices.integer(offset(index, i));
            if (!clamped && (start < 0 || start > last)) {
                return OUTSIDE;
            }
            place[dim] = (int) Math.clamp(start, 0L, last);
        }
        var kept = map.kept(array.rank());
        for (int i = 0; i < kept.size(); i++) {
            place[kept.get(i)] += at[map.window().get(i)];
        }
        return dot(place, Strides.of(array));
    }

    private int offset(int[] index, int component) {
        if (map.vector() < index.length) {
            index[map.vector()] = component;
        }
        return dot(index, Strides.of(indices.type().shape()));
    }

    private static int dot(int[] at, int[] strides) {
        int sum = 0;
        for (int d = 0; d < at.length; d++) {
            sum += at[d] * strides[d];
        }
        return sum;
    }
}
