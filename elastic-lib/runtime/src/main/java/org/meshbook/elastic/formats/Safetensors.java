package org.meshbook.elastic.formats;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Shape;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Hugging Face's format: the length of a header, a header in JSON, and the bytes of the arrays
/// without a gap.
final class Safetensors {
    private static final long LONGEST_HEADER = 100_000_000;
    private static final int ALIGNED = 8;
    private static final String METADATA = "__metadata__";
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private Safetensors() {}

    /// One array's place in the file.
    private record Entry(String name, Element element, Shape shape, long begin, long end) {}

    static Map<String, Array> read(Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            // 1. the header
            long length = little(bytes(channel, file, 0, Long.BYTES)).getLong();
            require(
                    length >= 2 && length <= LONGEST_HEADER,
                    "%s is no safetensors file: its header would take %s bytes; at most %d are"
                            + " allowed",
                    file,
                    Long.toUnsignedString(length),
                    LONGEST_HEADER);
            var header = bytes(channel, file, Long.BYTES, length);
            long start = Long.BYTES + length;
            var entries = entries(file, StandardCharsets.UTF_8.decode(header).toString());
            check(file, entries, channel.size() - start);
            // 2. the arrays, in the order of their names
            var arrays = new LinkedHashMap<String, Array>();
            for (var entry : entries) {
                var stored = bytes(channel, file, start + entry.begin, entry.end - entry.begin);
                arrays.put(entry.name, Packing.unpack(little(stored), entry.element, entry.shape));
            }
            return arrays;
        }
    }

    static void write(OutputStream out, List<Stored> arrays) throws IOException {
        // 1. wide numbers first, so that each array begins at a multiple of its numbers' size
        var order = new ArrayList<>(arrays);
        order.sort(Comparator.comparing((Stored array) -> -array.element().bytes()));
        var begins = new HashMap<Stored, Long>();
        long end = 0;
        for (var array : order) {
            begins.put(array, end);
            end += array.bytes();
        }
        // 2. the header names them in the order given
        var header = JSON.createObjectNode();
        for (var array : arrays) {
            long begin = begins.getOrDefault(array, 0L);
            var entry = header.putObject(array.name());
            entry.put("dtype", array.element().safetensors());
            var shape = entry.putArray("shape");
            array.array().type().shape().dims().forEach(shape::add);
            entry.putArray("data_offsets").add(begin).add(begin + array.bytes());
        }
        var text = JSON.writeValueAsBytes(header);
        int padded = (text.length + ALIGNED - 1) / ALIGNED * ALIGNED;
        out.write(little(ByteBuffer.allocate(Long.BYTES)).putLong(0, padded).array());
        out.write(text);
        out.write(" ".repeat(padded - text.length).getBytes(StandardCharsets.US_ASCII));
        // 3. the bytes
        for (var array : order) {
            array.write(out);
        }
    }

    private static List<Entry> entries(Path file, String header) {
        JsonNode json;
        try {
            json = JSON.readTree(header);
        } catch (JacksonException e) {
            throw new UsageError("the header of %s is no JSON: %s", file, e.getOriginalMessage());
        }
        require(json.isObject(), "the header of %s is no JSON object", file);
        var entries = new ArrayList<Entry>();
        for (var field : json.properties()) {
            if (!field.getKey().equals(METADATA)) {
                entries.add(entry(file, field.getKey(), field.getValue()));
            }
        }
        return entries;
    }

    private static Entry entry(Path file, String name, JsonNode json) {
        var dtype = json.path("dtype").asString("");
        var element =
                Element.ofSafetensors(dtype)
                        .orElseThrow(
                                () ->
                                        new UsageError(
                                                "'%s' in %s is of type '%s'; known are %s",
                                                name, file, dtype, List.of(Element.values())));
        var offsets = json.path("data_offsets");
        require(
                json.path("shape").isArray() && offsets.isArray() && offsets.size() == 2,
                "'%s' in %s lacks its shape or its data_offsets",
                name,
                file);
        var dims = new ArrayList<Integer>();
        long count = 1;
        for (var dim : json.path("shape")) {
            require(
                    dim.canConvertToInt() && dim.asInt() >= 0,
                    "'%s' in %s has a size of %s; sizes are 0 to %d",
                    name,
                    file,
                    dim,
                    Integer.MAX_VALUE);
            dims.add(dim.asInt());
            count = saturated(count, dim.asInt());
        }
        long begin = offsets.path(0).asLong(-1);
        long end = offsets.path(1).asLong(-1);
        long needed = saturated(count, element.bytes());
        require(
                begin >= 0 && end >= begin && end - begin == needed,
                "'%s' in %s has bytes %d to %d, but %s%s needs %d",
                name,
                file,
                begin,
                end,
                element,
                dims,
                needed);
        require(
                saturated(count, element.bytes()) <= Integer.MAX_VALUE,
                "'%s' in %s takes %d bytes; an array here holds 2 GiB at most",
                name,
                file,
                needed);
        return new Entry(name, element, new Shape(dims), begin, end);
    }

    /// The arrays must fill the file: no gap, no overlap, nothing behind.
    private static void check(Path file, List<Entry> entries, long length) {
        long end = 0;
        var sorted =
                entries.stream()
                        .sorted(Comparator.comparing(Entry::begin).thenComparing(Entry::end))
                        .toList();
        for (var entry : sorted) {
            require(
                    entry.begin == end,
                    "'%s' in %s begins at byte %d, the array before it ends at %d: they %s",
                    entry.name,
                    file,
                    entry.begin,
                    end,
                    entry.begin < end ? "overlap" : "leave a gap");
            end = entry.end;
        }
        require(
                end == length,
                "%s has %d bytes of arrays, its header says %d; it is %s",
                file,
                length,
                end,
                length < end ? "cut short" : "longer than it should be");
    }

    private static long saturated(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }

    private static ByteBuffer bytes(FileChannel channel, Path file, long at, long length)
            throws IOException {
        require(
                at + length <= channel.size(),
                "%s is cut short: %d bytes, at least %d expected",
                file,
                channel.size(),
                at + length);
        var bytes = ByteBuffer.allocateDirect(Math.toIntExact(length));
        while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) >= 0) {
            Thread.onSpinWait();
        }
        return bytes.flip();
    }

    private static ByteBuffer little(ByteBuffer bytes) {
        return bytes.order(ByteOrder.LITTLE_ENDIAN);
    }
}
