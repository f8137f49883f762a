package org.meshbook.cluster.metrics;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How often times fell below each of some bounds.
final class Histogram {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Double> bounds;
    private final long[] counts;
    private double sum;
    private long count;

    /// @param bounds upper ends in seconds, the smallest first
    Histogram(List<Double> bounds) {
        this.bounds = bounds;
        counts = new long[bounds.size()];
    }

    static double seconds(Duration time) {
        return time.toNanos() / NANOS_PER_SECOND;
    }

    void add(Duration time) {
        double seconds = seconds(time);
        for (int i = 0; i < counts.length; i++) {
            counts[i] += seconds <= bounds.get(i) ? 1 : 0;
        }
        sum += seconds;
        count++;
    }

    void write(Exposition out, String name, Map<String, String> labels) {
        for (int i = 0; i < counts.length; i++) {
            bucket(out, name, labels, bounds.get(i), counts[i]);
        }
        bucket(out, name, labels, Double.POSITIVE_INFINITY, count);
        out.sample(name + "_sum", labels, sum);
        out.sample(name + "_count", labels, count);
    }

    private static void bucket(
            Exposition out, String name, Map<String, String> labels, double bound, long count) {
        var more = new LinkedHashMap<>(labels);
        more.put("le", Exposition.number(bound));
        out.sample(name + "_bucket", more, count);
    }
}
