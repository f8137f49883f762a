package org.meshbook.elastic.data.source;

import static org.meshbook.elastic.UsageError.require;

import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.LayerKind;
import dev.hardwood.schema.ColumnSchema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// One column of a Parquet file on its way into an array.
final class ParquetColumn {
    private final Path file;
    private final String name;
    private final PhysicalType type;
    private final List<String> texts = new ArrayList<>();
    private double[] numbers = new double[64];
    private long[] wholes = new long[64];
    private int values;
    private int rows;
    private int width = -1;
    private boolean missing;
    private List<String> words = List.of();

    ParquetColumn(Path file, String name, ColumnSchema schema) {
        this.file = file;
        this.name = name;
        this.type = schema.type();
    }

    /// Takes over one batch of rows.
    void add(ColumnReader batch) {
        checkLists(batch);
        int count = batch.getValueCount();
        while (values + count > numbers.length) {
            numbers = Arrays.copyOf(numbers, numbers.length * 2);
            wholes = Arrays.copyOf(wholes, wholes.length * 2);
        }
        switch (type) {
            case INT32 -> ints(batch.getInts(), count);
            case INT64 -> System.arraycopy(batch.getLongs(), 0, wholes, values, count);
            case FLOAT -> floats(batch.getFloats(), count);
            case DOUBLE -> System.arraycopy(batch.getDoubles(), 0, numbers, values, count);
            case BOOLEAN -> truths(batch.getBooleans(), count);
            case BYTE_ARRAY -> strings(batch.getStrings(), count);
            case INT96, FIXED_LEN_BYTE_ARRAY -> throw unknown(type.toString());
        }
        if (type != PhysicalType.FLOAT && type != PhysicalType.DOUBLE) {
            for (int i = values; i < values + count; i++) {
                numbers[i] = wholes[i];
            }
        }
        var validity = batch.getLeafValidity();
        for (int i = 0; validity.hasNulls() && i < count; i++) {
            if (validity.isNull(i)) {
                missing = true;
                numbers[values + i] = Double.NaN;
            }
        }
        values += count;
        rows += batch.getRecordCount();
    }

    /// The whole column.
    Array array() {
        var flat = flat();
        return width < 0 ? flat : flat.reshape(rows, width);
    }

    /// The texts that the array numbers; empty for other columns.
    List<String> words() {
        return words;
    }

    private Array flat() {
        var exact = Arrays.copyOf(wholes, values);
        return switch (type) {
            case DOUBLE -> Array.of(Arrays.copyOf(numbers, values));
            case INT32 -> missing ? rounded() : narrow(exact);
            case INT64 -> missing ? rounded() : TextColumn.longs(exact);
            case BOOLEAN -> missing ? rounded() : truth(exact);
            case BYTE_ARRAY -> {
                var typed = new TextColumn(texts).words();
                words = typed.words();
                yield typed.array();
            }
            case FLOAT, INT96, FIXED_LEN_BYTE_ARRAY -> rounded();
        };
    }

    private Array rounded() {
        var floats = new float[values];
        for (int i = 0; i < values; i++) {
            floats[i] = (float) numbers[i];
        }
        return Array.of(floats);
    }

    private static Array narrow(long[] exact) {
        return Array.of(Arrays.stream(exact).mapToInt(value -> (int) value).toArray());
    }

    private static Array truth(long[] exact) {
        var truths = new boolean[exact.length];
        for (int i = 0; i < exact.length; i++) {
            truths[i] = exact[i] != 0;
        }
        return Array.of(truths);
    }

    private void ints(int[] read, int count) {
        for (int i = 0; i < count; i++) {
            wholes[values + i] = read[i];
        }
    }

    private void floats(float[] read, int count) {
        for (int i = 0; i < count; i++) {
            numbers[values + i] = read[i];
        }
    }

    private void truths(boolean[] read, int count) {
        for (int i = 0; i < count; i++) {
            wholes[values + i] = read[i] ? 1 : 0;
        }
    }

    private void strings(String[] read, int count) {
        for (int i = 0; i < count; i++) {
            texts.add(read[i] == null ? "" : read[i]);
        }
    }

    /// Lists must have one length, or there is no array to make of them.
    private void checkLists(ColumnReader batch) {
        int layers = batch.getLayerCount();
        if (layers == 0) {
            return;
        }
        if (layers > 1 || batch.getLayerKind(0) != LayerKind.REPEATED) {
            throw unknown("nested");
        }
        var offsets = batch.getLayerOffsets(0);
        for (int row = 0; row < batch.getRecordCount(); row++) {
            int length = offsets[row + 1] - offsets[row];
            width = width < 0 ? length : width;
            require(
                    length == width,
                    "column '%s' of %s has lists of %d and of %d values; pad them to one length",
                    name,
                    file,
                    width,
                    length);
        }
    }

    private UsageError unknown(String kind) {
        return new UsageError(
                "column '%s' of %s is %s; known are numbers, truths, texts and lists of numbers of"
                        + " one length",
                name, file, kind);
    }
}
