package org.meshbook.elastic.data;

import static org.meshbook.elastic.UsageError.require;

import java.util.function.Function;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.data.source.Source;

/// A source whose batches go through a function; row by row, so that positions keep their meaning.
///
/// @param from the rows below
/// @param change from a batch to a batch of as many rows
/// @param <S> type of the rows below
/// @param <T> type of the rows
record Changed<S, T>(Source<S> from, Function<? super S, ? extends T> change) implements Source<T> {
    @Override
    public long count() {
        return from.count();
    }

    @Override
    public String fingerprint() {
        return from.fingerprint();
    }

    @Override
    public T rows(long[] indices) {
        T changed = change.apply(from.rows(indices));
        var flat = Tree.flatten(changed);
        for (int i = 0; i < flat.leaves().size(); i++) {
            var shape = flat.leaves().get(i).type().shape();
            require(
                    shape.rank() >= 1 && shape.dim(0) == indices.length,
                    "map made '%s' %s of %d rows; a stage that filters or repeats rows would leave"
                            + " positions without meaning: choose rows before, as in"
                            + " data.keep(row -> row %% 5 != 0)",
                    flat.structure().paths().get(i),
                    shape,
                    indices.length);
        }
        return changed;
    }
}
