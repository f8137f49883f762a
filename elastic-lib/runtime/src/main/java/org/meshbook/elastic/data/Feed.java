package org.meshbook.elastic.data;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.data.Batches.Read;

/// Batches one after the other, read ahead on one thread from the position it was made with.
///
/// Belongs to one thread. Close it at the end of the attempt, as `try (var feed =
/// batches.from(state.position()))`: then its thread ends, and the next attempt begins at the
/// restored position.
///
/// @param <T> type of a batch
public final class Feed<T> implements Iterator<T>, AutoCloseable {
    private final Batches<T> batches;
    private @Nullable Ahead<T> ahead;
    private @Nullable Taken taken;
    private long next;
    private int failed;
    private boolean closed;

    Feed(Batches<T> batches, long next) {
        this.batches = batches;
        this.next = next;
        begin();
    }

    /// @return whether the epochs asked for are not over
    @Override
    public boolean hasNext() {
        return !batches.ends(next);
    }

    /// Hands out the next batch; only this moves the position.
    ///
    /// @return arrays of this host; their memory is the caller's
    /// @throws org.meshbook.elastic.data.source.UnreadableRow if more rows are unreadable than
    ///   tolerated; the position stays, and another call tries again
    /// @throws org.meshbook.elastic.Interrupted if a person pressed stop
    @Override
    public T next() {
        checkOpen();
        if (!hasNext()) {
            throw new NoSuchElementException(
                    "the data end after " + batches.options().epochs() + " epochs");
        }
        var read = read();
        taken = read.taken();
        failed += read.taken().failed().size();
        next = batches.next(next);
        return read.batch();
    }

    /// @return where the batch after the last one begins: save it with the step that used that one
    public Position position() {
        return batches.position(next);
    }

    /// @return what the last batch took, for an [Audit]
    /// @throws UsageError before the first one
    public Taken taken() {
        var last = taken;
        if (last == null) {
            throw new UsageError("no batch was taken yet; call next() first");
        }
        return last;
    }

    /// Goes on elsewhere; what was read ahead is dropped.
    ///
    /// @param position of this data
    /// @throws UsageError if the position is one of other data; names both
    public void seek(Position position) {
        checkOpen();
        batches.check(position);
        end();
        next = position.next();
        begin();
    }

    /// @return unreadable rows met so far; each was replaced by another row of its batch
    public int failed() {
        return failed;
    }

    /// Ends the thread that reads ahead; idempotent.
    @Override
    public void close() {
        closed = true;
        end();
    }

    private Read<T> read() {
        if (ahead == null) {
            begin();
        }
        try {
            return ahead == null ? batches.read(next, left()) : ahead.take();
        } catch (RuntimeException e) {
            // What failed may be over by then: the next call begins here again.
            end();
            throw e;
        }
    }

    private void begin() {
        if (batches.options().ahead() > 0) {
            ahead = new Ahead<>(batches, next, left());
        }
    }

    private void end() {
        if (ahead != null) {
            ahead.close();
            ahead = null;
        }
    }

    private int left() {
        return batches.options().tolerated() - failed;
    }

    private void checkOpen() {
        UsageError.require(!closed, "this reader is closed; begin another with batches.from(...)");
    }
}
