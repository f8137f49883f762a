package org.meshbook.elastic.data.source;

import static org.meshbook.elastic.UsageError.require;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// Reads Parquet: columns of numbers, truths and texts, and of lists of numbers that have one
/// length, which become `[rows, length]`. Plain, gzip and snappy; the whole file is read.
public final class ParquetFile {
    private ParquetFile() {}

    /// @param file as pandas, Spark or DuckDB write it
    /// @return its columns
    /// @throws UsageError if it cannot be read or a column is of another kind; names the column
    public static Table read(Path file) {
        try (var reader = ParquetFileReader.open(InputFile.of(file))) {
            var arrays = new LinkedHashMap<String, Array>();
            var words = new HashMap<String, List<String>>();
            for (var column : reader.getFileSchema().getColumns()) {
                var name = column.fieldPath().topLevelName();
                var collected = new ParquetColumn(file, name, column);
                try (var batches = reader.columnReader(column.columnIndex())) {
                    while (batches.nextBatch()) {
                        collected.add(batches);
                    }
                }
                require(
                        !arrays.containsKey(name),
                        "column '%s' of %s is a structure; write its fields as columns of their own",
                        name,
                        file);
                arrays.put(name, collected.array());
                if (!collected.words().isEmpty()) {
                    words.put(name, collected.words());
                }
            }
            require(!arrays.isEmpty(), "%s has no columns", file);
            return new Table(arrays, words);
        } catch (ElasticException e) {
            throw e;
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new UsageError(
                    "%s cannot be read as Parquet: %s; it must be whole, and plain, gzip or snappy",
                    file, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }
}
