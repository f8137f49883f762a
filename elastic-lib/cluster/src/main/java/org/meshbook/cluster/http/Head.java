package org.meshbook.cluster.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The first lines of a request.
///
/// @param method such as `GET`
/// @param path path, as sent
/// @param query what follows the path's `?`, as sent; often empty
/// @param version such as `HTTP/1.1`
/// @param headers values by name in small letters; several of one name with commas between
record Head(String method, String path, String query, String version, Map<String, String> headers) {
    private static final int MOST_BYTES = 64 << 10;
    private static final int WORDS = 3;

    /// @param in a connection
    /// @return the next request's; empty if the client closed the connection, or was silent
    /// @throws IOException if it is none
    static Optional<Head> read(InputStream in) throws IOException {
        var left = MOST_BYTES;
        var first = line(in, left);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        var words = first.get().split(" ");
        if (words.length != WORDS || !words[2].startsWith("HTTP/1.")) {
            throw new ProtocolException("no request: " + first.get());
        }
        var headers = new LinkedHashMap<String, String>();
        while (true) {
            var line = line(in, left).orElseThrow(EOFException::new);
            left -= line.length();
            if (line.isEmpty()) {
                int mark = words[1].indexOf('?');
                var path = mark < 0 ? words[1] : words[1].substring(0, mark);
                var query = mark < 0 ? "" : words[1].substring(mark + 1);
                return Optional.of(new Head(words[0], path, query, words[2], headers));
            }
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new ProtocolException("no header: " + line);
            }
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (before, next) -> before + ", " + next);
        }
    }

    /// @return a line without its end; empty at the end of the stream
    static Optional<String> line(InputStream in, int mostBytes) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                if (line.size() == 0) {
                    return Optional.empty();
                }
                throw new EOFException("half a line");
            }
            if (line.size() == mostBytes) {
                throw new ProtocolException("a line is too long");
            }
            line.write(b);
        }
        var text = line.toString(ISO_8859_1);
        return Optional.of(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /// @return whether a header that is a list has this word
    boolean has(String name, String word) {
        for (var each : header(name).split(",")) {
            if (each.strip().equalsIgnoreCase(word)) {
                return true;
            }
        }
        return false;
    }
}
