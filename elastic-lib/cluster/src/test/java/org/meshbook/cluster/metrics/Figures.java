package org.meshbook.cluster.metrics;

import java.util.List;

/// The figures of a cluster at one moment, to be asked for one by one.
public record Figures(List<Sample> samples) {
    public static Figures of(ClusterMetrics metrics) {
        return new Figures(Sample.read(metrics.text()));
    }

    /// @param labels pairs of name and value that the sample has, among others
    /// @return its value, NaN if there is none
    public double at(String name, String... labels) {
        var wanted = Exposition.labels(labels).entrySet();
        var found =
                samples.stream()
                        .filter(s -> s.name().equals(name))
                        .filter(s -> s.labels().entrySet().containsAll(wanted))
                        .mapToDouble(Sample::value)
                        .toArray();
        if (found.length > 1) {
            throw new AssertionError("%d samples of %s %s".formatted(found.length, name, wanted));
        }
        return found.length == 0 ? Double.NaN : found[0];
    }

    /// @return a figure of GKE's about a JobSet
    double of(String set, String figure) {
        return at("kubernetes_io:jobset_" + figure, "entity_name", set);
    }
}
