package org.meshbook.elastic.data;

import static org.meshbook.elastic.UsageError.require;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.Tree;

/// Batches of in-memory rows by position: the same position gives the same batch on any mesh.
///
/// The whole state of an iteration is one integer, the position: rows handed out so far, over all
/// epochs. `at(p)` holds rows `p` to `p + size`, and [#next] is where the following batch begins.
/// The global batch is constant, whatever the number of slices; the rows left over at the end of an
/// epoch are dropped. Immutable.
///
/// @param <T> type of the rows and of a batch: a record, list or map of arrays
public final class Batches<T> {
    private final T rows;
    private final int count;
    private final int size;
    private final OptionalLong seed;

    private Batches(T rows, int count, int size, OptionalLong seed) {
        this.rows = rows;
        this.count = count;
        this.size = size;
        this.seed = seed;
    }

    /// @param rows arrays on this host, all with the same first dimension: the rows
    /// @param size rows in a batch
    /// @param <T> type of the rows and of a batch
    /// @return batches in the order of the rows
    /// @throws MeshMismatch if the arrays have different numbers of rows
    /// @throws org.meshbook.elastic.UsageError if the size is below 1 or above the number of rows
    public static <T> Batches<T> of(T rows, int size) {
        var flat = Tree.flatten(rows);
        var paths = flat.structure().paths();
        require(!paths.isEmpty(), "the rows hold no array; give at least one");
        int count = -1;
        for (int i = 0; i < paths.size(); i++) {
            var leaf = flat.leaves().get(i);
            require(
                    leaf instanceof HostArray && leaf.type().shape().rank() >= 1,
                    "'%s' is %s; rows are host arrays with at least one dimension",
                    paths.get(i),
                    leaf.type());
            int here = leaf.type().shape().dim(0);
            if (count >= 0 && here != count) {
                throw new MeshMismatch(
                        "'%s' has %d rows, '%s' has %d; give each the same number",
                        paths.getFirst(), count, paths.get(i), here);
            }
            count = here;
        }
        require(
                size >= 1 && size <= count,
                "batches of %d rows out of %d; choose 1 to %d",
                size,
                count,
                count);
        return new Batches<>(rows, count, size, OptionalLong.empty());
    }

    /// Shuffles each epoch anew; the order is a pure function of seed, epoch and index.
    ///
    /// @param seed any number
    /// @return the shuffled batches
    public Batches<T> shuffled(long seed) {
        return new Batches<>(rows, count, size, OptionalLong.of(seed));
    }

    /// @return batches in an epoch
    public int perEpoch() {
        return count / size;
    }

    /// @return rows in a batch
    public int size() {
        return size;
    }

    /// @param position rows handed out before
    /// @return the epoch that it falls into, from 0
    public long epoch(long position) {
        return position / rowsPerEpoch();
    }

    /// @param position where a batch began
    /// @return where the following one begins
    public long next(long position) {
        return position + size;
    }

    /// @param position rows handed out before; a multiple of the batch's size
    /// @return the batch that begins there, in fresh memory of this host
    /// @throws org.meshbook.elastic.UsageError if the position is negative or no multiple
    public T at(long position) {
        require(
                position >= 0 && position % size == 0,
                "position %d of batches of %d rows; positions are multiples of it, see next()",
                position,
                size);
        long epoch = epoch(position);
        long first = position % rowsPerEpoch();
        var chosen = new int[size];
        for (int i = 0; i < size; i++) {
            chosen[i] = row(epoch, first + i);
        }
        return Tree.map(rows, array -> gather((HostArray) array, chosen));
    }

    /// Which row is the `index`-th of an epoch.
    int row(long epoch, long index) {
        long row =
                seed.isEmpty() ? index : Permutation.of(count, seed.getAsLong(), epoch).at(index);
        return Math.toIntExact(row);
    }

    private long rowsPerEpoch() {
        return (long) perEpoch() * size;
    }

    private static Array gather(HostArray array, int[] chosen) {
        var dims = array.type().shape().toArray();
        int rowBytes = Math.toIntExact(array.type().bytes() / dims[0]);
        dims[0] = chosen.length;
        var batch = HostArray.zeros(new ArrayType(array.type().dtype(), Shape.of(dims)));
        ByteBuffer from = array.bytes();
        ByteBuffer to = batch.bytes();
        for (int i = 0; i < chosen.length; i++) {
            to.put(i * rowBytes, from, chosen[i] * rowBytes, rowBytes);
        }
        return batch;
    }

    @Override
    public String toString() {
        return "batches of %d out of %d rows, %d an epoch%s"
                .formatted(size, count, perEpoch(), seed.isEmpty() ? "" : ", shuffled");
    }
}
