package org.meshbook.elastic.formats;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.meshbook.elastic.array.Array;

/// NumPy's format of several arrays: a zip of `.npy` files.
final class Npz {
    private static final String ENDING = ".npy";

    private Npz() {}

    static Map<String, Array> read(Path file) throws IOException {
        var arrays = new LinkedHashMap<String, Array>();
        try (var zip = new ZipFile(file.toFile())) {
            for (var entry : Collections.list(zip.entries())) {
                var name = entry.getName();
                if (!name.endsWith(ENDING)) {
                    continue;
                }
                name = name.substring(0, name.length() - ENDING.length());
                require(
                        entry.getSize() <= Integer.MAX_VALUE - Long.BYTES,
                        "'%s' in %s takes %d bytes; an array here holds 2 GiB at most",
                        name,
                        file,
                        entry.getSize());
                byte[] bytes;
                try (var in = zip.getInputStream(entry)) {
                    bytes = in.readAllBytes();
                }
                var sum = new CRC32();
                sum.update(bytes);
                require(
                        sum.getValue() == entry.getCrc(),
                        "'%s' in %s is damaged: its checksum does not match",
                        name,
                        file);
                arrays.put(name, Npy.read(name, ByteBuffer.wrap(bytes)));
            }
        }
        return arrays;
    }

    static void write(OutputStream out, List<Stored> arrays) throws IOException {
        // the stream is the caller's to close
        var zip = new ZipOutputStream(out);
        zip.setMethod(ZipOutputStream.STORED);
        for (var array : arrays) {
            var header = Npy.header(array);
            var sum = new CRC32();
            sum.update(header);
            sum.update(array.packed());
            var entry = new ZipEntry(array.name() + ENDING);
            entry.setSize(header.length + array.bytes());
            entry.setCrc(sum.getValue());
            entry.setTime(0);
            zip.putNextEntry(entry);
            Npy.write(zip, array);
            zip.closeEntry();
        }
        zip.finish();
    }
}
