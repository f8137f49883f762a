package org.meshbook.kernel.notebook;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.meshbook.kernel.spi.DisplayData;

/// How display data looks where only text can be shown: its plain text, and a line that names each
/// picture.
final class Looks {
    private static final int PNG_HEAD_CHARACTERS = 32;

    private Looks() {}

    static String text(DisplayData data) {
        var lines = new ArrayList<String>();
        data.bundle().entrySet().stream()
                .filter(entry -> picture(entry.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> lines.add(name(entry.getKey(), entry.getValue())));
        if (data.bundle().get("text/plain") instanceof String plain) {
            lines.addFirst(plain.stripTrailing());
        }
        if (lines.isEmpty()) {
            data.bundle().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(entry -> lines.add(name(entry.getKey(), entry.getValue())));
        }
        return String.join("\n", lines);
    }

    private static boolean picture(String mime) {
        return mime.startsWith("image/") || mime.equals("application/pdf");
    }

    /// As `[image/png, 640 x 480, 23 kB]`.
    private static String name(String mime, Object content) {
        var text = String.valueOf(content);
        var encoded = picture(mime) && !mime.contains("svg");
        var bytes = encoded ? (long) text.length() * 3 / 4 : text.length();
        return "["
                + mime
                + (mime.equals("image/png") ? measure(text) : "")
                + ", "
                + size(bytes)
                + "]";
    }

    private static String measure(String base64) {
        if (base64.length() < PNG_HEAD_CHARACTERS) {
            return "";
        }
        try {
            var head = Base64.getMimeDecoder().decode(base64.substring(0, PNG_HEAD_CHARACTERS));
            var numbers = java.nio.ByteBuffer.wrap(head);
            return ", " + numbers.getInt(16) + " x " + numbers.getInt(20);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return "";
        }
    }

    private static String size(long bytes) {
        return bytes < 1000
                ? bytes + " bytes"
                : bytes < 1_000_000
                        ? Math.round(bytes / 1000.0) + " kB"
                        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
