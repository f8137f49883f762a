package org.meshbook.kernel.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.DisplayData;

/// How display data looks where only text can be shown.
///
/// A picture is drawn with half blocks where there are colours, and written to a file that its line
/// names, so that it can be opened or copied; the files go when the console ends.
final class Pictures implements AutoCloseable {
    private static final List<String> KINDS =
            List.of("image/png", "image/jpeg", "image/gif", "image/svg+xml", "application/pdf");

    private static final int PNG_HEAD_BYTES = 24;

    private final Looks looks;
    private final List<Path> files = new ArrayList<>();
    private @Nullable Path folder;

    Pictures(Looks looks) {
        this.looks = looks;
    }

    /// @return the plain text alone
    static String plain(DisplayData data) {
        return data.bundle().get("text/plain") instanceof String text
                ? text
                : String.join(", ", data.bundle().keySet().stream().sorted().toList());
    }

    /// @return plain text, and for each picture what it is and where
    synchronized String text(DisplayData data) {
        var text = plain(data).stripTrailing();
        var kind = KINDS.stream().filter(data.bundle()::containsKey).findFirst();
        if (kind.isEmpty()) {
            return text;
        }
        var bytes = bytes(kind.get(), data.bundle().get(kind.get()));
        var drawn = looks.person() ? drawn(kind.get(), bytes) : Optional.<String>empty();
        // A line that stands for a picture is not needed beside it.
        var above = drawn.isPresent() && !text.contains("\n") ? drawn.get() : text;
        return above + "\n" + line(kind.get(), bytes);
    }

    private static byte[] bytes(String kind, @Nullable Object content) {
        var text = String.valueOf(content);
        if (kind.contains("svg")) {
            return text.getBytes(UTF_8);
        }
        try {
            return Base64.getMimeDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return text.getBytes(UTF_8);
        }
    }

    private Optional<String> drawn(String kind, byte[] bytes) {
        if (looks.colours() < Looks.PALETTE || !kind.startsWith("image/") || kind.contains("svg")) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(ImageIO.read(new ByteArrayInputStream(bytes)))
                    .map(image -> new HalfBlocks(looks).draw(image));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Width and height, as the head of a PNG says them.
    private static String measure(String kind, byte[] bytes) {
        if (!kind.equals("image/png") || bytes.length < PNG_HEAD_BYTES) {
            return "";
        }
        var head = ByteBuffer.wrap(bytes);
        return ", %d x %d".formatted(head.getInt(16), head.getInt(20));
    }

    /// As `[image/png, 640 x 480, 23 kB: /tmp/meshbook-7/1.png]`.
    private String line(String kind, byte[] bytes) {
        var size =
                bytes.length < 1000
                        ? bytes.length + " bytes"
                        : bytes.length < 1_000_000
                                ? Math.round(bytes.length / 1000.0) + " kB"
                                : String.format(Locale.ROOT, "%.1f MB", bytes.length / 1e6);
        var place = looks.person() ? ": " + write(kind, bytes) : "";
        return looks.dim("[" + kind + measure(kind, bytes) + ", " + size + place + "]");
    }

    private String write(String kind, byte[] bytes) {
        try {
            if (folder == null) {
                folder = Files.createTempDirectory("meshbook-"); // 0700
            }
            var ending = kind.replaceFirst(".*/", "").replaceFirst("\\+xml$", "");
            var file = folder.resolve(files.size() + 1 + "." + ending);
            files.add(Files.write(file, bytes));
            return file.toString();
        } catch (IOException e) {
            return "cannot be written: " + e.getMessage();
        }
    }

    @Override
    public synchronized void close() {
        try {
            for (var file : files) {
                Files.deleteIfExists(file);
            }
            if (folder != null) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            System.getLogger(Pictures.class.getName())
                    .log(System.Logger.Level.DEBUG, "left behind: " + folder, e);
        }
    }
}
