package org.meshbook.elastic.data.stream;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.Tree;

/// Batches of the rows of some parts, one row of each part in turn. Belongs to one thread; close
/// it, so that the parts' files are closed.
///
/// @param <T> type of a row, and of a batch, whose arrays have one dimension more
public final class StreamFeed<T> implements Iterator<T>, AutoCloseable {
    private final List<Open<T>> open = new ArrayList<>();
    private final String source;
    private final long[] used;
    private final int batch;
    private int turn;

    private record Open<T>(int part, Stream<T> rows, Iterator<T> iterator) {}

    StreamFeed(
            List<Streams.Part<T>> parts,
            int shard,
            int shards,
            StreamPosition position,
            int batch) {
        this.source = position.source();
        this.used = position.counts();
        this.batch = batch;
        try {
            for (int part = shard; part < parts.size(); part += shards) {
                var rows = parts.get(part).rows();
                open.add(new Open<>(part, rows, rows.skip(used[part]).iterator()));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public boolean hasNext() {
        while (!open.isEmpty()) {
            turn = turn % open.size();
            if (open.get(turn).iterator().hasNext()) {
                return true;
            }
            open.remove(turn).rows().close();
        }
        return false;
    }

    /// @return the next batch in fresh memory of this host; fewer rows at the end
    @Override
    public T next() {
        var rows = new ArrayList<T>();
        while (rows.size() < batch && hasNext()) {
            var from = open.get(turn);
            rows.add(from.iterator().next());
            used[from.part()]++;
            turn++;
        }
        if (rows.isEmpty()) {
            throw new NoSuchElementException("all parts are read");
        }
        return stacked(rows);
    }

    /// @return where the batch after the last one begins, for this reader's parts; the others stand
    ///   where this reader began, see [StreamPosition#plus]
    public StreamPosition position() {
        return StreamPosition.of(used, source);
    }

    /// Closes the parts; idempotent.
    @Override
    public void close() {
        open.forEach(part -> part.rows().close());
        open.clear();
    }

    private static <T> T stacked(List<T> rows) {
        var first = Tree.flatten(rows.getFirst());
        var batches = new ArrayList<HostArray>();
        for (var leaf : first.leaves()) {
            var dims = new ArrayList<>(leaf.type().shape().dims());
            dims.addFirst(rows.size());
            batches.add(HostArray.zeros(new ArrayType(leaf.type().dtype(), new Shape(dims))));
        }
        for (int row = 0; row < rows.size(); row++) {
            var leaves = Tree.leaves(rows.get(row));
            for (int i = 0; i < batches.size(); i++) {
                Array leaf = leaves.get(i);
                var type = first.leaves().get(i).type();
                require(
                        leaf.type().equals(type),
                        "'%s' is %s in one row and %s in another; pad rows to one shape",
                        first.structure().paths().get(i),
                        type,
                        leaf.type());
                int bytes = Math.toIntExact(type.bytes());
                batches.get(i).bytes().put(row * bytes, leaf.toHost().bytes(), 0, bytes);
            }
        }
        return first.structure().rebuild(batches);
    }
}
