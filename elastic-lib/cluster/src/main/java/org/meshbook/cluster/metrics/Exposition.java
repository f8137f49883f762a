package org.meshbook.cluster.metrics;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Writes metrics in Prometheus's text format.
///
/// Belongs to one thread. Source: https://prometheus.io/docs/instrumenting/exposition_formats/
final class Exposition {
    private final StringBuilder text = new StringBuilder();

    /// What the numbers of a family are.
    enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /// Begins a family; its samples follow.
    void family(String name, Type type, String help) {
        text.append("# HELP %s %s\n".formatted(name, help.replace("\\", "\\\\")));
        text.append("# TYPE %s %s\n".formatted(name, type.name().toLowerCase(Locale.ROOT)));
    }

    void sample(String name, Map<String, String> labels, double value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append(
                    labels.entrySet().stream()
                            .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + '"')
                            .collect(Collectors.joining(",", "{", "}")));
        }
        text.append(' ').append(number(value)).append('\n');
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    static String number(double value) {
        return Double.isInfinite(value)
                ? "+Inf"
                : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /// @param pairs names and values in turn
    static Map<String, String> labels(String... pairs) {
        var labels = new LinkedHashMap<String, String>();
        for (int i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return labels;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
