package org.meshbook.elastic.data.stream;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.meshbook.elastic.UsageError;

/// Rows in parts, each of which can only be read in order; readers take whole parts.
///
/// A reader interleaves its parts, one row of each in turn. Every row comes once, also when the
/// number of readers changes on the way; then the order is another. The last batch may be smaller.
/// Immutable.
///
/// @param <T> type of a row, and of a batch, whose arrays have one dimension more
public final class Streams<T> {
    private final List<Part<T>> parts;
    private final int shard;
    private final int shards;

    /// Some rows in order.
    ///
    /// @param <T> type of a row: a record, list or map of host arrays
    public interface Part<T> {
        /// @return a name that tells it from other parts
        String name();

        /// @return all rows from the first on; closed by who asked
        Stream<T> rows();
    }

    private Streams(List<Part<T>> parts, int shard, int shards) {
        this.parts = List.copyOf(parts);
        this.shard = shard;
        this.shards = shards;
    }

    /// @param parts in an order that stays the same
    /// @param <T> type of a row
    /// @return all of them for one reader
    public static <T> Streams<T> of(List<? extends Part<T>> parts) {
        require(!parts.isEmpty(), "no parts; give at least one");
        return new Streams<>(List.copyOf(parts), 0, 1);
    }

    /// @param files of text in UTF-8, a row a line
    /// @param parse makes a row of a line
    /// @param <T> type of a row
    /// @return the lines of all files
    public static <T> Streams<T> lines(List<Path> files, Function<String, T> parse) {
        return of(files.stream().map(file -> new Lines<>(file, parse)).toList());
    }

    private record Lines<T>(Path file, Function<String, T> parse) implements Part<T> {
        @Override
        public String name() {
            return file.getFileName().toString();
        }

        @Override
        public Stream<T> rows() {
            try {
                return Files.lines(file).map(parse);
            } catch (IOException e) {
                throw new UsageError("%s cannot be read: %s", file, String.valueOf(e));
            }
        }
    }

    /// One reader of several: it takes parts `index`, `index + count`, and so on.
    ///
    /// @param index of this reader, from 0
    /// @param count number of readers, at most one a part
    /// @return its parts
    /// @throws UsageError if there are fewer parts than readers
    public Streams<T> shard(int index, int count) {
        require(
                count >= 1 && count <= parts.size(),
                "%d readers of %d parts; give 1 to %d, or cut the data into more parts",
                count,
                parts.size(),
                parts.size());
        require(
                index >= 0 && index < count,
                "reader %d of %d; indices are 0 to %d",
                index,
                count,
                count - 1);
        return new Streams<>(parts, index, count);
    }

    /// @return where a run begins
    public StreamPosition start() {
        return StreamPosition.of(new long[parts.size()], source());
    }

    /// Reads on; used rows of each part are passed over.
    ///
    /// @param position of these parts, of any number of readers
    /// @param batch rows of this reader in a batch
    /// @return the reader; close it
    /// @throws UsageError if the position is one of other parts; names both
    public StreamFeed<T> from(StreamPosition position, int batch) {
        require(batch >= 1, "batches of %d rows; give at least 1", batch);
        require(
                position.source().equals(source()),
                "the position was saved with '%s', these are '%s'; give the same parts in the same"
                        + " order, or start() to begin anew",
                position.source(),
                source());
        return new StreamFeed<>(parts, shard, shards, position, batch);
    }

    private String source() {
        var sum = new CRC32C();
        for (var part : parts) {
            sum.update((part.name() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return "%d parts, %s to %s #%08x"
                .formatted(
                        parts.size(),
                        parts.getFirst().name(),
                        parts.getLast().name(),
                        sum.getValue());
    }

    @Override
    public String toString() {
        return source() + (shards == 1 ? "" : ", reader %d of %d".formatted(shard, shards));
    }
}
