package org.meshbook.elastic.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// Small real data to learn and to test with; each comes with its source and licence beside it, in
/// this room's `README.md`.
public final class Datasets {
    private static final int PIXELS = 64;
    private static final int DARKEST = 16;

    private Datasets() {}

    /// Images of handwritten digits.
    ///
    /// @param pixels `f32[1797,64]`, 8×8 pixels row by row, 0 for white to 1 for black
    /// @param digit `i32[1797]`, 0 to 9
    public record Digits(Array pixels, Array digit) {
        /// @return number of images
        public int count() {
            return digit.shape().dim(0);
        }
    }

    /// A text as numbers.
    ///
    /// @param characters `i32[n]`, each a place in the alphabet
    /// @param alphabet the characters that there are, in ascending order
    public record Text(Array characters, String alphabet) {
        /// @param text of characters of the alphabet
        /// @return `i32[text.length()]`, their places
        /// @throws UsageError if a character is not in the alphabet
        public Array encode(String text) {
            return Array.of(
                    text.chars()
                            .map(
                                    c -> {
                                        int place = alphabet.indexOf(c);
                                        UsageError.require(
                                                place >= 0,
                                                "'%c' is not in the alphabet of this text, %s",
                                                c,
                                                alphabet.strip());
                                        return place;
                                    })
                            .toArray());
        }

        /// @param places `i32[n]`, places in the alphabet
        /// @return the text
        public String decode(Array places) {
            var text = new StringBuilder();
            for (int place : places.toHost().ints()) {
                text.append(alphabet.charAt(place));
            }
            return text.toString();
        }
    }

    /// Reads the Jargon File 4.4.7, a dictionary of hackers' words; public domain.
    ///
    /// @return 1.1 million characters of English prose on this host, 96 different ones;
    ///   thread-safe, a fresh copy at each call
    public static Text text() {
        var file = Objects.requireNonNull(Datasets.class.getResourceAsStream("jargon.txt.gz"));
        try (var in = new GZIPInputStream(file)) {
            var text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            var alphabet =
                    text.chars()
                            .distinct()
                            .sorted()
                            .mapToObj(Character::toString)
                            .collect(Collectors.joining());
            return new Text(new Text(Array.zeros(0), alphabet).encode(text), alphabet);
        } catch (IOException e) {
            throw new UncheckedIOException("the text inside Meshbook's jar cannot be read", e);
        }
    }

    /// Reads the UCI optical handwritten digits (test set), CC BY 4.0.
    ///
    /// @return 1,797 images on this host; thread-safe, a fresh copy at each call
    public static Digits digits() {
        var file = Objects.requireNonNull(Datasets.class.getResourceAsStream("digits.csv.gz"));
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(file), StandardCharsets.US_ASCII))) {
            var rows =
                    lines.lines()
                            .map(l -> Stream.of(l.split(",")).mapToInt(Integer::parseInt).toArray())
                            .toArray(int[][]::new);
            var pixels = new float[rows.length * PIXELS];
            var digit = new int[rows.length];
            for (int row = 0; row < rows.length; row++) {
                for (int i = 0; i < PIXELS; i++) {
                    pixels[row * PIXELS + i] = (float) rows[row][i] / DARKEST;
                }
                digit[row] = rows[row][PIXELS];
            }
            return new Digits(Array.of(pixels).reshape(rows.length, PIXELS), Array.of(digit));
        } catch (IOException e) {
            throw new UncheckedIOException("the digits inside Meshbook's jar cannot be read", e);
        }
    }
}
