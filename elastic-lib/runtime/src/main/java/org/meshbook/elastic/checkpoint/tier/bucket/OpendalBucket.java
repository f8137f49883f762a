package org.meshbook.elastic.checkpoint.tier.bucket;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.opendal.ListOptions;
import org.apache.opendal.OpenDALException;
import org.apache.opendal.Operator;

/// A bucket of any service that Apache OpenDAL knows.
final class OpendalBucket implements Bucket {
    private static final int PART_BYTES = 8 << 20;

    private final Operator operator;

    OpendalBucket(String service, Map<String, String> settings) {
        this.operator = Operator.of(service, settings);
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private static <T> T told(String what, Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (OpenDALException e) {
            var text = String.valueOf(e.getMessage());
            int end = text.indexOf('\n');
            throw new IOException(what + ": " + (end < 0 ? text : text.substring(0, end)), e);
        }
    }

    @Override
    public OutputStream create(String name) throws IOException {
        return told(name, () -> operator.createOutputStream(name, PART_BYTES));
    }

    @Override
    public void put(String name, byte[] bytes) throws IOException {
        told(
                name,
                () -> {
                    operator.write(name, bytes);
                    return true;
                });
    }

    @Override
    public byte[] get(String name) throws IOException {
        return told(name, () -> operator.read(name));
    }

    @Override
    public byte[] get(String name, long offset, int length) throws IOException {
        return told(name, () -> operator.read(name, offset, length));
    }

    @Override
    public Map<String, Long> list(String prefix) throws IOException {
        return told(
                prefix,
                () -> {
                    var names = new HashMap<String, Long>();
                    var all = ListOptions.builder().recursive(true).build();
                    for (var entry : operator.list(prefix, all)) {
                        if (entry.getMetadata().isFile()) {
                            names.put(
                                    entry.getPath().substring(prefix.length()),
                                    entry.getMetadata().getContentLength());
                        }
                    }
                    return names;
                });
    }

    @Override
    public void delete(String name) throws IOException {
        told(
                name,
                () -> {
                    operator.delete(name);
                    return true;
                });
    }
}
