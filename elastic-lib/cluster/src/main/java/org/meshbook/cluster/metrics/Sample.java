package org.meshbook.cluster.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// One number of a text in Prometheus's format.
///
/// @param name metric
/// @param labels labels by name
/// @param value the number
public record Sample(String name, Map<String, String> labels, double value) {
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)( \\d+)?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

    /// @param text what a server answers at `/metrics`
    /// @return its samples in order; lines that are none are left out
    public static List<Sample> read(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(Sample::of)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Sample> of(String line) {
        var parts = LINE.matcher(line.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        var labels = new LinkedHashMap<String, String>();
        var given = parts.group(2);
        for (var label = LABEL.matcher(given == null ? "" : given); label.find(); ) {
            labels.put(label.group(1), plain(label.group(2)));
        }
        return number(parts.group(3)).map(value -> new Sample(parts.group(1), labels, value));
    }

    private static String plain(String escaped) {
        return escaped.replace("\\n", "\n").replaceAll("\\\\(.)", "$1");
    }

    private static Optional<Double> number(String text) {
        try {
            return Optional.of(
                    Double.parseDouble(text.replace("Inf", "Infinity").replace("Nan", "NaN")));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }
}
