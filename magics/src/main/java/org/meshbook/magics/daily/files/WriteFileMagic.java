package org.meshbook.magics.daily.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Magic.Call;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Flag;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.args.GrammarMagic;

/// `%%writefile`.
public final class WriteFileMagic {
    private static final Grammar GRAMMAR =
            new Grammar(
                    "%%writefile",
                    List.of("FILE"),
                    List.of(
                            Flag.plain("-a", "adds to the end of the file"),
                            Flag.plain("-p", "makes the folders that are missing")));

    private WriteFileMagic() {}

    static Magic of() {
        return new GrammarMagic(
                GRAMMAR,
                Magic.Form.CELL,
                "files",
                """
                Writes the rest of the cell into a file.

                  %%writefile data/points.csv
                  x,y
                  1,2

                A relative name is looked up in the session's folder, see %cd. A file that is there
                is replaced as a whole, or not at all if that fails.
                """,
                (start, _) -> Folder.complete(start, _ -> true),
                WriteFileMagic::run);
    }

    private static @Nullable Object run(Given given, Call call, Cell cell) {
        var typed =
                given.word(0)
                        .orElseThrow(
                                () ->
                                        new MagicException(
                                                "%%writefile needs a file, as in %%writefile"
                                                        + " notes.txt"));
        var text =
                call.body().isEmpty() || call.body().endsWith("\n")
                        ? call.body()
                        : call.body() + "\n";
        var file = Folder.resolve(typed);
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            if (given.has("-p") && file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
            var before = Files.exists(file) ? Files.size(file) : -1;
            if (given.has("-a") && before >= 0) {
                append(file, bytes, before);
                cell.out()
                        .println(
                                "added %,d bytes to %s, now %,d"
                                        .formatted(bytes.length, file, before + bytes.length));
            } else {
                replace(file, bytes);
                cell.out()
                        .println(
                                "wrote %,d bytes to %s%s"
                                        .formatted(
                                                bytes.length,
                                                file,
                                                before < 0
                                                        ? ""
                                                        : ", which had %,d".formatted(before)));
            }
            return null;
        } catch (IOException e) {
            throw new MagicException(why("%%writefile", file, e));
        }
    }

    /// @param command names the magic
    /// @param file what could not be written
    /// @param e why
    /// @return one line
    public static String why(String command, Path file, IOException e) {
        var above = file.getParent();
        if (Files.isDirectory(file)) {
            return "%s: %s is a folder".formatted(command, file);
        }
        if (above != null && !Files.isDirectory(above)) {
            return "%s: there is no folder %s%s".formatted(command, above, Folder.near(above));
        }
        return "%s: %s cannot be written: %s"
                .formatted(
                        command,
                        file,
                        e.getMessage() == null || e.getMessage().equals(file.toString())
                                ? e.getClass().getSimpleName()
                                : e.getMessage());
    }

    private static void append(Path file, byte[] bytes, long before) throws IOException {
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            channel.position(before);
            var buffer = java.nio.ByteBuffer.wrap(bytes);
            try {
                while (buffer.hasRemaining()) {
                    var unused = channel.write(buffer);
                }
            } catch (IOException e) {
                var unused = channel.truncate(before);
                throw e;
            }
        }
    }

    /// Writes beside the file and moves it into its place.
    ///
    /// @param file what becomes or stays as it was; a link is followed
    /// @param bytes its new content
    /// @throws IOException if it stays as it was
    public static void replace(Path file, byte[] bytes) throws IOException {
        var target = Files.exists(file) ? file.toRealPath() : file;
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            // A pipe or a device: nothing to keep.
            Files.write(target, bytes);
            return;
        }
        var parent = target.toAbsolutePath().getParent();
        var beside = Files.createTempFile(parent, "." + target.getFileName(), ".part");
        try {
            Files.write(beside, bytes);
            if (Files.getFileStore(beside).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(
                        beside,
                        Files.exists(target)
                                ? Files.getPosixFilePermissions(target)
                                : java.nio.file.attribute.PosixFilePermissions.fromString(
                                        "rw-r--r--"));
            }
            var unused = Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
