package org.meshbook.elastic.array.shard;

import java.util.ArrayList;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.mesh.Sharding;

/// Types of the pieces that a sharding cuts.
public final class Shards {
    private Shards() {}

    /// The type of the piece that each device holds.
    ///
    /// @param whole type of the whole array
    /// @param sharding how it is cut
    /// @return type of one shard
    /// @throws MeshMismatch if a dimension does not divide, or the sharding names more dimensions
    ///   than there are
    public static ArrayType type(ArrayType whole, Sharding sharding) {
        int rank = whole.shape().rank();
        if (sharding.dims().size() > rank) {
            throw new MeshMismatch(
                    "%s has %d dimensions, %s cuts dimension %d; name fewer",
                    whole, rank, sharding, sharding.dims().size() - 1);
        }
        var dims = new ArrayList<Integer>();
        for (int dim = 0; dim < rank; dim++) {
            int size = whole.shape().dim(dim);
            int pieces = sharding.pieces(dim);
            if (size % pieces != 0) {
                throw new MeshMismatch(
                        "%s do not divide over axis '%s' of %d; use a multiple of %d",
                        dim == 0 ? size + " rows" : "the " + size + " of dimension " + dim,
                        String.join("+", sharding.axes(dim)),
                        pieces,
                        pieces);
            }
            dims.add(size / pieces);
        }
        return new ArrayType(whole.dtype(), new Shape(dims));
    }
}
