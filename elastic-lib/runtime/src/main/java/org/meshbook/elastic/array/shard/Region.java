package org.meshbook.elastic.array.shard;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// A box of elements in an array.
///
/// @param start first index, one a dimension
/// @param size sizes, one a dimension
public record Region(List<Integer> start, List<Integer> size) {
    public Region {
        start = List.copyOf(start);
        size = List.copyOf(size);
    }

    /// @param shape an array's shape
    /// @return all of it
    public static Region whole(Shape shape) {
        return new Region(shape.dims().stream().map(_ -> 0).toList(), shape.dims());
    }

    /// @param other another box of the same array
    /// @return what both cover, if anything
    public Optional<Region> intersect(Region other) {
        var from = new ArrayList<Integer>();
        var sizes = new ArrayList<Integer>();
        for (int i = 0; i < start.size(); i++) {
            int low = Math.max(start.get(i), other.start.get(i));
            int high = Math.min(start.get(i) + size.get(i), other.start.get(i) + other.size.get(i));
            if (high <= low) {
                return Optional.empty();
            }
            from.add(low);
            sizes.add(high - low);
        }
        return Optional.of(new Region(from, sizes));
    }

    /// @param box a box that contains this one
    /// @return the same elements, counted from the box's own corner
    public Region within(Region box) {
        var from = new ArrayList<Integer>();
        for (int i = 0; i < start.size(); i++) {
            from.add(start.get(i) - box.start.get(i));
        }
        return new Region(from, size);
    }

    /// @return the box's sizes as a shape
    public Shape shape() {
        return new Shape(size);
    }

    /// @param shape the shape of the array that the box lies in
    /// @return whether the box is all of it
    public boolean covers(Shape shape) {
        return size.equals(shape.dims());
    }

    /// Copies this box out of an array.
    ///
    /// @param array the array
    /// @return a fresh array of the box's shape
    public HostArray cut(HostArray array) {
        var piece = HostArray.zeros(new ArrayType(array.type().dtype(), shape()));
        copy(
                array.bytes(),
                array.type().shape(),
                start,
                piece.bytes(),
                shape(),
                whole(shape()).start,
                array.type().dtype().bytes());
        return piece;
    }

    /// Copies a packed box into this place of an array.
    ///
    /// @param packed the box's elements, row-major
    /// @param into the array
    public void paste(ByteBuffer packed, HostArray into) {
        copy(
                packed,
                shape(),
                whole(shape()).start,
                into.bytes(),
                into.type().shape(),
                start,
                into.type().dtype().bytes());
    }

    private void copy(
            ByteBuffer from,
            Shape fromShape,
            List<Integer> fromStart,
            ByteBuffer to,
            Shape toShape,
            List<Integer> toStart,
            int elementBytes) {
        // 1. trailing dimensions that are whole on both sides are one run of bytes
        int rank = size.size();
        int run = elementBytes;
        int outer = rank;
        while (outer > 0) {
            int dim = outer - 1;
            run *= size.get(dim);
            outer--;
            if (size.get(dim) != fromShape.dim(dim) || size.get(dim) != toShape.dim(dim)) {
                break;
            }
        }
        if (run == 0 || size.contains(0)) {
            return;
        }
        // 2. count through the dimensions outside the run
        var index = new int[outer];
        while (true) {
            int source = offset(fromShape, fromStart, index) * elementBytes;
            int target = offset(toShape, toStart, index) * elementBytes;
            to.put(to.position() + target, from, from.position() + source, run);
            int dim = outer - 1;
            while (dim >= 0 && ++index[dim] == size.get(dim)) {
                index[dim--] = 0;
            }
            if (dim < 0) {
                return;
            }
        }
    }

    private static int offset(Shape shape, List<Integer> start, int[] index) {
        int offset = 0;
        for (int i = 0; i < shape.rank(); i++) {
            int at = start.get(i) + (i < index.length ? index[i] : 0);
            offset = offset * shape.dim(i) + at;
        }
        return offset;
    }
}
