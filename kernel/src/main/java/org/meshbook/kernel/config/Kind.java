package org.meshbook.kernel.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// A kind of value that a person types: how it reads, and how it is written.
///
/// @param words what it is, after "is"
/// @param examples good values, the first one typical
/// @param reading what was typed to a value; empty if it is none
/// @param writing a value to what would be typed
/// @param <T> its values
record Kind<T>(
        String words,
        List<String> examples,
        Function<String, Optional<T>> reading,
        Function<T, String> writing) {
    private static final String OFF = "off";
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)?");
    private static final Pattern COUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)([kMG]?)(?:i?B)?");

    /// Without end when it is `off`.
    static final Kind<Duration> LIMIT =
            new Kind<>("a time, or off", List.of("30s", "5m", OFF), Kind::duration, Kind::duration);

    /// A number from 1 up, `Long.MAX_VALUE` when it is `off`.
    static final Kind<Long> COUNT_LIMIT =
            new Kind<>(
                    "a number, or off for no limit",
                    List.of("200000", "1M", OFF),
                    text -> count(text, ""),
                    n -> count(n, ""));

    /// Characters, `Long.MAX_VALUE` when it is `off`.
    static final Kind<Long> SIZE_LIMIT =
            new Kind<>(
                    "a size, or off for no limit",
                    List.of("20MB", "500kB", OFF),
                    text -> count(text, "B"),
                    n -> count(n, "B"));

    static final Kind<Boolean> SWITCH =
            new Kind<>(
                    "on or off",
                    List.of("on", OFF),
                    text ->
                            switch (text.toLowerCase(Locale.ROOT)) {
                                case "on", "true", "yes", "1" -> Optional.of(true);
                                case OFF, "false", "no", "0" -> Optional.of(false);
                                default -> Optional.empty();
                            },
                    on -> on ? "on" : OFF);

    Optional<T> parse(String typed) {
        return reading.apply(typed.strip());
    }

    String text(T value) {
        return writing.apply(value);
    }

    private static boolean isOff(String text) {
        return List.of(OFF, "none", "unlimited", "0").contains(text.toLowerCase(Locale.ROOT));
    }

    /// `90s`, `1m30s`, `500ms`; a bare number is seconds.
    private static Optional<Duration> duration(String text) {
        if (isOff(text)) {
            return Optional.of(Duration.ZERO);
        }
        var parts = PART.matcher(text);
        var total = Duration.ZERO;
        var end = 0;
        while (parts.find() && parts.start() == end) {
            var nanos =
                    new BigDecimal(parts.group(1))
                            .multiply(BigDecimal.valueOf(unit(parts.group(2)).toNanos()));
            if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 2)) > 0) {
                return Optional.empty();
            }
            total = total.plusNanos(nanos.longValue());
            end = parts.end();
        }
        return end == text.length() && !total.isZero() ? Optional.of(total) : Optional.empty();
    }

    private static Duration unit(@org.jspecify.annotations.Nullable String letters) {
        return switch (letters) {
            case "ms" -> Duration.ofMillis(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case null, default -> Duration.ofSeconds(1);
        };
    }

    private static String duration(Duration limit) {
        if (limit.isZero()) {
            return OFF;
        }
        return limit.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static Optional<Long> count(String text, String unit) {
        if (isOff(text)) {
            return Optional.of(Long.MAX_VALUE);
        }
        var matcher = COUNT.matcher(text.replace("_", "").replace(",", ""));
        if (!matcher.matches() || (unit.isEmpty() && text.endsWith("B"))) {
            return Optional.empty();
        }
        var scale = Map.of("", 1L, "k", 1_000L, "M", 1_000_000L, "G", 1_000_000_000L);
        var number =
                new BigDecimal(matcher.group(1))
                        .multiply(BigDecimal.valueOf(scale.getOrDefault(matcher.group(2), 1L)));
        return number.signum() > 0 && number.compareTo(BigDecimal.valueOf(1L << 50)) < 0
                ? Optional.of(Math.max(1, number.longValue()))
                : Optional.empty();
    }

    private static String count(long number, String unit) {
        if (number == Long.MAX_VALUE) {
            return OFF;
        }
        if (unit.isEmpty()) {
            return Long.toString(number);
        }
        return number % 1_000_000 == 0
                ? number / 1_000_000 + "M" + unit
                : number % 1_000 == 0 ? number / 1_000 + "k" + unit : number + unit;
    }
}
