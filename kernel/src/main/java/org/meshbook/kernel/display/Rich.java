package org.meshbook.kernel.display;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.meshbook.kernel.spi.DisplayData;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Content of a known kind as something to look at, with a text for who sees only text.
final class Rich {
    private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(20).toMillis();

    private Rich() {}

    static DisplayData html(String html) {
        return of("text/html", html, withoutTags(html));
    }

    static DisplayData markdown(String markdown) {
        return of("text/markdown", markdown, markdown);
    }

    /// A formula without signs around it gets those that set it on a line of its own.
    static DisplayData latex(String latex) {
        var formula = latex.strip();
        var whole = formula.startsWith("$") || formula.startsWith("\\begin");
        return of("text/latex", whole ? formula : "$$" + formula + "$$", formula);
    }

    static DisplayData svg(String svg) {
        return of("image/svg+xml", svg, "<svg, %d characters>".formatted(svg.length()));
    }

    static DisplayData javascript(String script) {
        return of(
                "application/javascript",
                script,
                "<javascript, %d characters>".formatted(script.length()));
    }

    /// @param value text that is JSON, or a value to write as JSON
    static DisplayData json(@org.jspecify.annotations.Nullable Object value) {
        var mapper = new JsonMapper();
        try {
            var tree =
                    value instanceof CharSequence text
                            ? mapper.readValue(text.toString(), Object.class)
                            : mapper.convertValue(value, Object.class);
            var text = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
            var data = DisplayData.text(text);
            // A front end shows a tree of what has parts; a bare null is no content of a bundle.
            return tree == null ? data : data.and("application/json", tree);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "no JSON: %s".formatted(e.getOriginalMessage().lines().findFirst().orElse("")),
                    e);
        }
    }

    /// @param bytes PNG, JPEG, GIF, WebP, BMP or SVG
    static DisplayData image(byte[] bytes) {
        var mime =
                mime(bytes)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "%d bytes that begin with %s are no picture of a known kind; PNG, JPEG, GIF, WebP, BMP and SVG are"
                                                        .formatted(bytes.length, begin(bytes))));
        if (mime.endsWith("svg+xml")) {
            return svg(new String(bytes, StandardCharsets.UTF_8));
        }
        return of(
                mime,
                Base64.getEncoder().encodeToString(bytes),
                "<%s, %,d bytes>".formatted(mime, bytes.length));
    }

    static DisplayData image(BufferedImage image) {
        return new ImageRenderer()
                .render(image)
                .orElseThrow(() -> new IllegalArgumentException("an image of an unknown kind"));
    }

    static DisplayData image(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no file %s".formatted(file.toAbsolutePath()));
        }
        try {
            return image(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be read".formatted(file), e);
        }
    }

    static DisplayData image(URI address) {
        try {
            var connection = address.toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            try (var in = connection.getInputStream()) {
                return image(in.readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be read".formatted(address), e);
        }
    }

    /// @param place a file's name or a web address
    static DisplayData image(String place) {
        return place.matches("(?i)(https?|file|jar):.*")
                ? image(URI.create(place))
                : image(Path.of(place));
    }

    private static DisplayData of(String mime, String content, String plain) {
        return DisplayData.text(plain).and(mime, content);
    }

    private static String withoutTags(String html) {
        return html.replaceAll("(?is)<(script|style)\\b.*?</\\1>", "")
                .replaceAll("(?i)<br\\s*/?>|</p>|</div>|</tr>|</li>|</h\\d>", "\n")
                .replaceAll("(?i)</t[dh]>", "\t")
                .replaceAll("<[^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&nbsp;", " ")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&")
                .strip();
    }

    private static Optional<String> mime(byte[] bytes) {
        var begin = new String(bytes, 0, Math.min(bytes.length, 256), StandardCharsets.ISO_8859_1);
        var signatures =
                Map.of(
                        "\u0089PNG", "image/png",
                        "\u00ff\u00d8\u00ff", "image/jpeg",
                        "GIF8", "image/gif",
                        "BM", "image/bmp");
        var known = signatures.keySet().stream().filter(begin::startsWith).findFirst();
        if (known.isPresent()) {
            return known.map(signatures::get);
        }
        if (begin.startsWith("RIFF") && begin.startsWith("WEBP", 8)) {
            return Optional.of("image/webp");
        }
        return begin.contains("<svg") || begin.stripLeading().startsWith("<?xml")
                ? Optional.of("image/svg+xml")
                : Optional.empty();
    }

    private static String begin(byte[] bytes) {
        return Arrays.toString(Arrays.copyOf(bytes, Math.min(bytes.length, 4)));
    }
}
