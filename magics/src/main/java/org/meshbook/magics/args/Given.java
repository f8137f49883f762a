package org.meshbook.magics.args;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.meshbook.kernel.spi.MagicException;

/// What was typed, as its [Grammar] read it.
///
/// @param grammar how it was read
/// @param words the words, without flags
/// @param flags flag to value; the value of a plain flag is empty
public record Given(Grammar grammar, List<String> words, Map<String, String> flags) {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|m|h)");

    public Given {
        words = List.copyOf(words);
        flags = Map.copyOf(flags);
    }

    /// @param flag a flag's name
    /// @return whether it was given
    public boolean has(String flag) {
        return flags.containsKey(flag);
    }

    /// @param flag a flag's name
    /// @return its value, if it was given
    public Optional<String> text(String flag) {
        return Optional.ofNullable(flags.get(flag));
    }

    /// @param flag a flag that may be given again
    /// @return its values, in order
    public List<String> texts(String flag) {
        return text(flag).map(all -> List.of(all.split(Grammar.AGAIN, -1))).orElse(List.of());
    }

    /// @param place a word's place
    /// @return the word, if there are so many
    public Optional<String> word(int place) {
        return place < words.size() ? Optional.of(words.get(place)) : Optional.empty();
    }

    /// @param flag a flag's name
    /// @param least the smallest that makes sense
    /// @param most the largest that makes sense
    /// @return its value as a count, if it was given
    /// @throws MagicException if it is no whole number from `least` to `most`
    public Optional<Integer> count(String flag, int least, int most) {
        return text(flag).map(value -> number(flag, value, least, most));
    }

    /// @param what the name that the error gives it, as `--devices` or `slices`
    /// @param value what was typed
    /// @param least the smallest that makes sense
    /// @param most the largest that makes sense
    /// @return the number
    /// @throws MagicException if it is no whole number from `least` to `most`
    public int number(String what, String value, int least, int most) {
        if (value.matches("\\d{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new MagicException(
                "%s: %s is '%s'; give a whole number from %d to %d"
                        .formatted(grammar.command(), what, value, least, most));
    }

    /// @param flag a flag's name
    /// @return its value as a time, if it was given
    /// @throws MagicException if it is none, as `2s` or `200ms` is
    public Optional<Duration> time(String flag) {
        return text(flag).map(value -> time(flag, value));
    }

    private Duration time(String flag, String value) {
        var match = TIME.matcher(value);
        if (!match.matches()) {
            throw new MagicException(
                    "%s: %s is '%s'; give a time with its unit, as 200ms, 2s, 10m or 1h"
                            .formatted(grammar.command(), flag, value));
        }
        long unit =
                switch (match.group(2)) {
                    case "ms" -> 1;
                    case "s" -> 1_000;
                    case "m" -> 60_000;
                    default -> 3_600_000;
                };
        return Duration.ofMillis(Math.round(Double.parseDouble(match.group(1)) * unit));
    }
}
