package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.meshbook.elastic.UsageError;

/// Sizes of an array's dimensions; `[]` is a scalar.
///
/// @param dims sizes, each at least 0
public record Shape(List<Integer> dims) {
    /// The shape of a scalar.
    public static final Shape SCALAR = new Shape(List.of());

    /// @throws org.meshbook.elastic.UsageError if a size is negative
    public Shape {
        dims = List.copyOf(dims);
        for (int dim : dims) {
            require(dim >= 0, "shape %s has a negative size; sizes start at 0", dims);
        }
    }

    /// @param dims sizes
    /// @return the shape
    public static Shape of(int... dims) {
        var list = new ArrayList<Integer>(dims.length);
        for (int dim : dims) {
            list.add(dim);
        }
        return new Shape(list);
    }

    /// @return number of dimensions
    public int rank() {
        return dims.size();
    }

    /// @param i a dimension; negative counts from the end
    /// @return its size
    /// @throws UsageError if there is no such dimension
    public int dim(int i) {
        int at = i < 0 ? dims.size() + i : i;
        if (at < 0 || at >= dims.size()) {
            throw new UsageError(
                    "shape %s has no dimension %d; it has %d of them", this, i, dims.size());
        }
        return dims.get(at);
    }

    /// @return the shape without its first dimension
    public Shape tail() {
        return new Shape(dims.subList(1, dims.size()));
    }

    /// @param size of a new first dimension
    /// @return the shape after it
    public Shape after(int size) {
        var list = new ArrayList<Integer>(dims.size() + 1);
        list.add(size);
        list.addAll(dims);
        return new Shape(list);
    }

    /// @return number of elements
    public long size() {
        long size = 1;
        for (int dim : dims) {
            size = Math.multiplyExact(size, (long) dim);
        }
        return size;
    }

    /// @return the sizes as a fresh array
    public int[] toArray() {
        return dims.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public String toString() {
        return dims.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
}
