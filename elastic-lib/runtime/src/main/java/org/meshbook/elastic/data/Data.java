package org.meshbook.elastic.data;

import static org.meshbook.elastic.UsageError.require;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Pair;
import org.meshbook.elastic.data.source.CsvFile;
import org.meshbook.elastic.data.source.ImageFolder;
import org.meshbook.elastic.data.source.ParquetFile;
import org.meshbook.elastic.data.source.Source;

/// Rows to train on, and their order: `Data.of(images, labels).shuffle(7).batch(96)`.
///
/// Immutable; each method yields a changed copy. Rows are chosen by [#keep] before there are
/// positions; a stage that drops rows on the way does not exist, because a position counts rows.
///
/// @param <T> type of a batch: a record, list or map of arrays
public final class Data<T> {
    private final Source<T> source;
    private final OptionalLong seed;

    private Data(Source<T> source, OptionalLong seed) {
        this.source = source;
        this.seed = seed;
    }

    /// @param rows arrays of this host in a record, list or map, all with the same first dimension
    /// @param <T> type of the rows and of a batch
    /// @return the rows in their order
    /// @throws org.meshbook.elastic.MeshMismatch if the numbers of rows differ
    public static <T> Data<T> of(T rows) {
        return from(Source.of(rows));
    }

    /// @param inputs one row an example
    /// @param labels as many rows
    /// @return pairs of both
    public static Data<Pair<Array, Array>> of(Array inputs, Array labels) {
        return of(new Pair<>(inputs, labels));
    }

    /// @param source where rows come from
    /// @param <T> type of a batch
    /// @return the rows in their order
    public static <T> Data<T> from(Source<T> source) {
        return new Data<>(source, OptionalLong.empty());
    }

    /// Reads a CSV file; see [CsvFile].
    ///
    /// @param file with a header line
    /// @return one array a column, by its name
    public static Data<Map<String, Array>> csv(Path file) {
        return from(CsvFile.read(file));
    }

    /// Reads a Parquet file; see [ParquetFile].
    ///
    /// @param file of numbers, truths, texts, or lists of numbers of one length
    /// @return one array a column, by its name
    public static Data<Map<String, Array>> parquet(Path file) {
        return from(ParquetFile.read(file));
    }

    /// Images in one folder a class; see [ImageFolder].
    ///
    /// @param folder whose sub-folders are the classes
    /// @param height of each image after scaling, in pixels
    /// @param width of each image after scaling, in pixels
    /// @return images and the number of their class
    public static Data<ImageFolder.Labelled> images(Path folder, int height, int width) {
        return from(ImageFolder.of(folder, height, width));
    }

    /// Keeps some rows, chosen once for all epochs.
    ///
    /// @param wanted whether to keep the row of an index
    /// @return the rows kept, counted anew from 0
    public Data<T> keep(LongPredicate wanted) {
        return new Data<>(source.keep(wanted), seed);
    }

    /// Sends each batch through a function, as `columns -> new Rows(columns.get("x"), ...)`; it
    /// runs on the thread that reads ahead.
    ///
    /// @param change gives one row for each row; what it does is not part of the fingerprint
    /// @param <R> type of the changed batch
    /// @return the changed rows
    public <R> Data<R> map(Function<? super T, ? extends R> change) {
        return new Data<>(new Changed<>(source, change), seed);
    }

    /// Shuffles each epoch anew; the order is a pure function of seed, epoch and index.
    ///
    /// @param seed any number
    /// @return the shuffled rows
    public Data<T> shuffle(long seed) {
        return new Data<>(source, OptionalLong.of(seed));
    }

    /// @param size rows of all slices together in a batch
    /// @return the batches
    /// @throws org.meshbook.elastic.UsageError if the size is below 1 or above the number of rows
    public Batches<T> batch(int size) {
        require(
                size >= 1 && size <= source.count(),
                "batches of %d rows out of %d; choose 1 to %d",
                size,
                source.count(),
                source.count());
        return new Batches<>(this, size, Reading.DEFAULT);
    }

    /// @return number of rows in an epoch
    public long count() {
        return source.count();
    }

    /// @return rows and order in one line; positions carry it
    public String fingerprint() {
        return source.fingerprint()
                + (seed.isPresent() ? ", shuffled " + seed.getAsLong() : ", in order");
    }

    /// @return where rows come from
    Source<T> source() {
        return source;
    }

    /// Which row of the source is the `index`-th of an epoch.
    long row(long epoch, long index) {
        return seed.isEmpty()
                ? index
                : Permutation.of(source.count(), seed.getAsLong(), epoch).at(index);
    }

    @Override
    public String toString() {
        return fingerprint();
    }
}
