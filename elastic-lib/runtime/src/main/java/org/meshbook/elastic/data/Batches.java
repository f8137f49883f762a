package org.meshbook.elastic.data;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.data.source.UnreadableRow;
import org.meshbook.elastic.slices.Clock;

/// Batches of rows by position: the same position gives the same batch on any mesh.
///
/// The whole state of a run is one integer, the global index of the next row: epoch times rows plus
/// place in the epoch. A batch of `B` rows takes the next `B`; what an epoch's end leaves over is
/// dropped. Neither the number of shards nor the batch size is part of the state, so that a run may
/// go on with others. [#at] reads here and now, [#from] reads ahead. Immutable.
///
/// @param <T> type of a batch: a record, list or map of arrays
public final class Batches<T> {
    private final Data<T> data;
    private final int size;
    private final Reading options;

    /// A batch that was read, and what it took.
    record Read<T>(T batch, Taken taken) {}

    Batches(Data<T> data, int size, Reading options) {
        this.data = data;
        this.size = size;
        this.options = options;
    }

    /// Short for `Data.of(rows).batch(size)`.
    ///
    /// @param rows arrays of this host, all with the same first dimension
    /// @param size rows in a batch
    /// @param <T> type of the rows and of a batch
    /// @return batches in the order of the rows
    public static <T> Batches<T> of(T rows, int size) {
        return Data.of(rows).batch(size);
    }

    /// @param seed any number
    /// @return batches of the shuffled rows
    public Batches<T> shuffled(long seed) {
        return new Batches<>(data.shuffle(seed), size, options);
    }

    /// One reader of several that share each batch: it takes rows `index`, `index + count`, and so
    /// on. All readers move in step, and their positions are equal.
    ///
    /// @param index of this reader, from 0
    /// @param count number of readers; divides the batch
    /// @return its part of each batch
    /// @throws UsageError if the batch does not divide
    public Batches<T> shard(int index, int count) {
        require(count >= 1, "%d shards; there is at least 1", count);
        require(
                index >= 0 && index < count,
                "shard %d of %d; indices are 0 to %d",
                index,
                count,
                count - 1);
        require(
                size % count == 0,
                "a batch of %d rows does not divide over %d shards: remainder %d; choose a batch of"
                        + " %d or %d",
                size,
                count,
                size % count,
                size - size % count,
                size - size % count + count);
        return with(options.part(index, count));
    }

    /// @param batches how many are read before they are asked for; 0 reads on the caller's thread
    /// @return the changed copy; 2 is the default
    public Batches<T> ahead(int batches) {
        require(batches >= 0, "%d batches ahead; give 0 or more", batches);
        return with(options.ahead(batches));
    }

    /// @param epochs after which a reader has no next batch
    /// @return the changed copy; without end is the default
    public Batches<T> epochs(long epochs) {
        require(epochs >= 1, "%d epochs; give at least 1", epochs);
        return with(options.epochs(epochs));
    }

    /// Goes on when rows cannot be read, up to a number: another row of the batch stands in for
    /// each, the position moves as ever, and [Taken#failed] names them.
    ///
    /// @param rows how many one reader may meet
    /// @return the changed copy; none is the default
    public Batches<T> tolerate(int rows) {
        require(rows >= 0, "%d rows tolerated; give 0 or more", rows);
        return with(options.tolerate(rows));
    }

    /// @param clock time, and the threads that read ahead; the machine's is the default
    /// @return the changed copy
    public Batches<T> on(Clock clock) {
        return with(options.on(clock));
    }

    /// @return where a run begins
    public Position start() {
        return new Position(0, data.fingerprint());
    }

    /// Reads on from a position; what is read ahead starts there and never before.
    ///
    /// @param position of this data: from [#start], or saved with the step it belongs to; by a
    ///   reader of any shard, number of shards and batch size
    /// @return the reader; close it
    /// @throws UsageError if the position is one of other data; names both
    public Feed<T> from(Position position) {
        check(position);
        return new Feed<>(this, position.next());
    }

    /// @return an account of rows that says at the end whether each was used once
    public Audit audit() {
        return Audit.of(data.fingerprint(), data.count());
    }

    /// @return batches in an epoch
    public int perEpoch() {
        return Math.toIntExact(data.count() / size);
    }

    /// @return rows in a batch of all shards together
    public int size() {
        return size;
    }

    /// @param position global index of the next row
    /// @return the epoch of the batch that comes next, from 0
    public long epoch(long position) {
        return first(position) / data.count();
    }

    /// @param position where a batch was asked for
    /// @return where the following one begins
    public long next(long position) {
        return first(position) + size;
    }

    /// @param position global index of the next row
    /// @return the batch that comes next, in fresh memory of this host
    /// @throws UsageError if the position is negative
    /// @throws UnreadableRow if more rows are unreadable than tolerated
    public T at(long position) {
        return read(position, options.tolerated()).batch();
    }

    Reading options() {
        return options;
    }

    void check(Position position) {
        var mine = data.fingerprint();
        require(
                position.source().equals(mine),
                "position %d was saved with '%s', this is '%s'; give the same rows and seed, or"
                        + " start() to begin anew",
                position.next(),
                position.source(),
                mine);
    }

    Position position(long next) {
        return new Position(next, data.fingerprint());
    }

    boolean ends(long position) {
        return epoch(position) >= options.epochs();
    }

    /// Reads the batch that comes next.
    ///
    /// @param tolerated rows that may fail
    Read<T> read(long position, int tolerated) {
        long first = first(position);
        long epoch = first / data.count();
        var places = places(first % data.count());
        var rows = Arrays.stream(places).map(place -> data.row(epoch, place)).toArray();
        var failed = new ArrayList<Long>();
        while (true) {
            try {
                var batch = data.source().rows(rows);
                return new Read<>(batch, taken(position, first, failed));
            } catch (UnreadableRow e) {
                for (int i = 0; i < places.length; i++) {
                    if (data.row(epoch, places[i]) == e.index()) {
                        failed.add(epoch * data.count() + places[i]);
                    }
                }
                if (failed.size() > tolerated || !replace(rows, e.index())) {
                    throw e;
                }
            }
        }
    }

    private Taken taken(long position, long first, List<Long> failed) {
        return new Taken(
                first,
                size,
                options.shard(),
                options.shards(),
                first - position,
                failed.stream().sorted().toList());
    }

    /// Places in the epoch of this shard's rows.
    private long[] places(long first) {
        var places = new long[size / options.shards()];
        for (int i = 0; i < places.length; i++) {
            places[i] = first + options.shard() + (long) i * options.shards();
        }
        return places;
    }

    /// Puts another row of the batch in the place of one, wherever it stands.
    private static boolean replace(long[] rows, long gone) {
        var other = Arrays.stream(rows).filter(row -> row != gone).findFirst();
        if (other.isEmpty()) {
            return false;
        }
        for (int i = 0; i < rows.length; i++) {
            rows[i] = rows[i] == gone ? other.getAsLong() : rows[i];
        }
        return true;
    }

    /// Where the batch asked for at a position begins: there, or at the next epoch if too few rows
    /// are left in this one.
    private long first(long position) {
        require(position >= 0, "position %d; positions start at 0", position);
        long left = data.count() - position % data.count();
        return left < size ? position + left : position;
    }

    private Batches<T> with(Reading changed) {
        return new Batches<>(data, size, changed);
    }

    @Override
    public String toString() {
        return "batches of %d, %d an epoch: %s".formatted(size, perEpoch(), data.fingerprint());
    }
}
