package org.meshbook.elastic.checkpoint.tier.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.zip.CRC32C;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// A manifest as a file: one line of JSON, and a line with the checksum of the first.
public final class ManifestText {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String MARK = "\ncrc32c=";
    private static final int TAIL = MARK.length() + 8 + 1;

    private ManifestText() {}

    /// @param manifest what a checkpoint holds
    /// @return the file
    public static byte[] encode(Manifest manifest) {
        var line = JSON.writeValueAsString(manifest);
        return (line + MARK + checksum(line.getBytes(UTF_8)) + "\n").getBytes(UTF_8);
    }

    /// @param file a manifest's file
    /// @return what the checkpoint holds
    /// @throws CheckpointCorrupt if a byte is not as it was written, or the version is unknown
    public static Manifest decode(byte[] file) {
        int length = file.length - TAIL;
        if (length <= 0) {
            throw new CheckpointCorrupt(
                    "its manifest has %d bytes, too few; it was cut off".formatted(file.length));
        }
        var line = Arrays.copyOf(file, length);
        var tail = new String(file, length, TAIL, UTF_8);
        var expected = MARK + checksum(line) + "\n";
        if (!tail.equals(expected)) {
            throw new CheckpointCorrupt(
                    "the checksum of its manifest differs: a byte changed or the end is missing");
        }
        try {
            var manifest = JSON.readValue(line, Manifest.class);
            if (manifest.version() != Manifest.VERSION) {
                throw new CheckpointCorrupt(
                        "its format is version %d; this program reads version %d"
                                .formatted(manifest.version(), Manifest.VERSION));
            }
            if (!manifest.files().stream().allMatch(each -> Names.file(each.name()))) {
                throw new CheckpointCorrupt("its manifest names files that no checkpoint has");
            }
            return manifest;
        } catch (JacksonException e) {
            throw new CheckpointCorrupt("its manifest cannot be read: " + e.getOriginalMessage());
        }
    }

    private static String checksum(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return "%08x".formatted(crc.getValue());
    }
}
