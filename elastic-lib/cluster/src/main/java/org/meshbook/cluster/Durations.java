package org.meshbook.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/// Durations as Kubernetes' configurations write them, `1h30m` or `500ms`; and days, `7d`.
public final class Durations {
    private static final Pattern WHOLE = Pattern.compile("(\\d+(\\.\\d+)?(ms|[smhd]))+");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|[smhd])");
    private static final Map<String, Double> MILLIS =
            Map.of("ms", 1.0, "s", 1e3, "m", 6e4, "h", 3.6e6, "d", 8.64e7);

    private Durations() {}

    /// @param text such as `1h30m`
    /// @return the duration
    /// @throws IllegalArgumentException if it is none; one line that says how one is written
    public static Duration read(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" is no duration; write 5s, 10m, 1h30m or 7d".formatted(text));
        }
        double millis =
                PART.matcher(text)
                        .results()
                        .mapToDouble(
                                p ->
                                        Double.parseDouble(p.group(1))
                                                * MILLIS.getOrDefault(p.group(2), 0.0))
                        .sum();
        return Duration.ofMillis(Math.round(millis));
    }

    /// @param time a duration
    /// @return it in its largest whole unit, such as `7d` or `90s`
    public static String text(Duration time) {
        long seconds = time.toSeconds();
        if (seconds > 0 && seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds > 0 && seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        if (seconds > 0 && seconds % 60 == 0) {
            return seconds / 60 + "m";
        }
        return time.toMillis() % 1000 == 0 ? seconds + "s" : time.toMillis() + "ms";
    }
}
