package org.meshbook.wheel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// One wheel while it is written: a ZIP file whose last entry records every other one.
///
/// Two builds of the same files are equal byte by byte. Not thread-safe.
final class Wheel implements AutoCloseable {
    /// The earliest that a ZIP file can say.
    private static final LocalDateTime STAMP = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final String name;
    private final String version;
    private final ZipOutputStream zip;
    private final StringBuilder record = new StringBuilder();

    private Wheel(String name, String version, ZipOutputStream zip) {
        this.name = name;
        this.version = version;
        this.zip = zip;
    }

    /// @param folder where it is written
    /// @param name of the distribution, with underscores
    /// @param version as Maven says it
    /// @return path of the file
    static Path file(Path folder, String name, String version) {
        return folder.resolve(name + "-" + pythons(version) + "-py3-none-any.whl");
    }

    /// @return a wheel without entries
    static Wheel create(Path folder, String name, String version) throws IOException {
        Files.createDirectories(folder);
        var zip = new ZipOutputStream(Files.newOutputStream(file(folder, name, version)));
        // Nearly all of it is jars, which are compressed already.
        zip.setLevel(Deflater.BEST_SPEED);
        return new Wheel(name, pythons(version), zip);
    }

    /// Python's form of a version: a snapshot is a development release.
    static String pythons(String version) {
        return version.replaceFirst("-SNAPSHOT$", ".dev0").replace('-', '+');
    }

    String version() {
        return version;
    }

    /// @return the folder of what `pip` copies below the environment's prefix
    String data() {
        return name + "-" + version + ".data/data/";
    }

    /// @return the folder of the metadata
    String info() {
        return name + "-" + version + ".dist-info/";
    }

    void add(String path, String text) throws IOException {
        add(path, text.getBytes(UTF_8));
    }

    void add(String path, byte[] bytes) throws IOException {
        write(path, bytes);
        record.append(path)
                .append(",sha256=")
                .append(digest(bytes))
                .append(',')
                .append(bytes.length)
                .append('\n');
    }

    private void write(String path, byte[] bytes) throws IOException {
        var entry = new ZipEntry(path);
        entry.setTimeLocal(STAMP);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    private static String digest(byte[] bytes) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return Base64.getUrlEncoder().withoutPadding().encodeToString(sha.digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /// Writes the record, which cannot hold its own checksum.
    @Override
    public void close() throws IOException {
        var path = info() + "RECORD";
        write(path, (record + path + ",,\n").getBytes(UTF_8));
        zip.close();
    }
}
