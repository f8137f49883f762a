package org.meshbook.cluster.store;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.meshbook.cluster.Resource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes the records of the file of changes; see the package's documentation.
final class Records {
    static final byte[] MAGIC = "MESHOBJ1".getBytes(StandardCharsets.US_ASCII);

    private static final JsonMapper JSON = new JsonMapper();
    private static final int HEAD_BYTES = 8;
    private static final int LARGEST_BYTES = 64 << 20;

    private Records() {}

    /// One record.
    sealed interface Change {}

    /// An object as it is now.
    record Put(Resource object) implements Change {}

    /// An object that is gone, as it was last.
    record Gone(Resource object) implements Change {}

    /// Begins a file that was made shorter.
    ///
    /// @param version the counter then
    /// @param count how many objects there were; as many records follow
    record Start(long version, int count) implements Change {}

    /// Takes records in order.
    interface Reader {
        void take(Change change);
    }

    static void write(Change change, ByteArrayOutputStream out) {
        byte[] body =
                switch (change) {
                    case Put(var object) -> JSON.writeValueAsBytes(object.json());
                    case Gone(var object) -> JSON.writeValueAsBytes(identity(object));
                    case Start(var version, var count) ->
                            (version + " " + count).getBytes(StandardCharsets.US_ASCII);
                };
        var record = ByteBuffer.allocate(HEAD_BYTES + 1 + body.length);
        record.putInt(1 + body.length).putInt(0).put((byte) letter(change)).put(body);
        record.putInt(4, checksum(record.array(), HEAD_BYTES, 1 + body.length));
        out.writeBytes(record.array());
    }

    private static char letter(Change change) {
        return switch (change) {
            case Put _ -> 'P';
            case Gone _ -> 'D';
            case Start _ -> 'V';
        };
    }

    private static ObjectNode identity(Resource object) {
        var kept = Resource.named(object.kind(), object.namespace(), object.name()).json();
        kept.withObjectProperty("metadata")
                .put("resourceVersion", Long.toString(object.resourceVersion()));
        return kept;
    }

    /// @param file the file
    /// @param reader takes the records
    /// @return how many bytes of the file are sound
    /// @throws IOException if it cannot be read or is no such file
    static long read(Path file, Reader reader) throws IOException {
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
                throw new IOException("\"%s\" holds no objects of a cluster".formatted(file));
            }
            long good = MAGIC.length;
            for (var body = next(in); body.isPresent(); body = next(in)) {
                var change = parsed(body.get());
                if (change.isEmpty()) {
                    break;
                }
                reader.take(change.get());
                good += HEAD_BYTES + body.get().length;
            }
            return good;
        }
    }

    private static Optional<byte[]> next(DataInputStream in) throws IOException {
        try {
            int length = in.readInt();
            int sum = in.readInt();
            if (length < 1 || length > LARGEST_BYTES) {
                return Optional.empty();
            }
            var body = in.readNBytes(length);
            return body.length == length && checksum(body, 0, length) == sum
                    ? Optional.of(body)
                    : Optional.empty();
        } catch (EOFException end) {
            return Optional.empty();
        }
    }

    private static Optional<Change> parsed(byte[] body) {
        var text = new String(body, 1, body.length - 1, StandardCharsets.UTF_8);
        try {
            return switch (body[0]) {
                case 'P' -> Optional.of(new Put(new Resource((ObjectNode) JSON.readTree(text))));
                case 'D' -> Optional.of(new Gone(new Resource((ObjectNode) JSON.readTree(text))));
                case 'V' -> Optional.of(start(text.split(" ", 2)));
                default -> Optional.empty();
            };
        } catch (JacksonException | NumberFormatException broken) {
            return Optional.empty();
        }
    }

    private static Start start(String[] numbers) {
        return new Start(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
    }

    private static int checksum(byte[] bytes, int from, int length) {
        var crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
