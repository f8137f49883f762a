package org.meshbook.elastic.data.source;

import static org.meshbook.elastic.UsageError.require;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.Tree;

/// The rows of arrays on this host.
final class Columns<T> implements Source<T> {
    private final T rows;
    private final int count;
    private volatile @Nullable String fingerprint;

    private Columns(T rows, int count) {
        this.rows = rows;
        this.count = count;
    }

    static <T> Columns<T> of(T rows) {
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
        return new Columns<>(rows, count);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public String fingerprint() {
        var known = fingerprint;
        if (known == null) {
            known = "%d rows of %s".formatted(count, described());
            fingerprint = known;
        }
        return known;
    }

    /// Names and types of the columns, and a checksum over their bytes.
    private String described() {
        var flat = Tree.flatten(rows);
        var paths = flat.structure().paths();
        var words = new ArrayList<String>();
        var sum = new CRC32C();
        for (int i = 0; i < paths.size(); i++) {
            var host = (HostArray) flat.leaves().get(i);
            words.add((name(paths.get(i)) + " " + rowType(host.type())).strip());
            sum.update(host.bytes());
        }
        return "%s #%08x".formatted(String.join(", ", words), sum.getValue());
    }

    /// A column of a map is called by its key.
    private static String name(String path) {
        return path.startsWith("[") && path.indexOf(']') == path.length() - 1
                ? path.substring(1, path.length() - 1)
                : path;
    }

    private static String rowType(ArrayType type) {
        var dims = type.shape().dims().subList(1, type.shape().rank());
        return dims.isEmpty()
                ? type.dtype().stableName()
                : new ArrayType(type.dtype(), new Shape(dims)).toString();
    }

    @Override
    public T rows(long[] indices) {
        return Tree.map(rows, array -> gather((HostArray) array, indices));
    }

    private Array gather(HostArray array, long[] indices) {
        var dims = array.type().shape().toArray();
        int rowBytes = count == 0 ? 0 : Math.toIntExact(array.type().bytes() / count);
        dims[0] = indices.length;
        var batch = HostArray.zeros(new ArrayType(array.type().dtype(), Shape.of(dims)));
        ByteBuffer from = array.bytes();
        ByteBuffer to = batch.bytes();
        for (int i = 0; i < indices.length; i++) {
            to.put(i * rowBytes, from, Math.toIntExact(indices[i] * rowBytes), rowBytes);
        }
        return batch;
    }
}
