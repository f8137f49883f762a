package org.meshbook.magics.jobs.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.meshbook.cluster.metrics.Sample;
import org.meshbook.magics.render.Table;

/// The figures of one JobSet, taken from those of the cluster.
///
/// @param namespace its namespace
/// @param name its name
/// @param figures values by metric; a metric that is not there counts as 0
record JobSetRow(String namespace, String name, Map<String, Double> figures) {
    private static final String GKE = "kubernetes_io:jobset_";
    private static final int SECONDS_A_MINUTE = 60;
    private static final int SECONDS_AN_HOUR = 3600;

    /// @param samples all figures of a cluster
    /// @return one row a JobSet, by namespace and name
    static List<JobSetRow> of(List<Sample> samples) {
        var rows = new TreeMap<String, JobSetRow>();
        for (var sample : samples) {
            var labels = sample.labels();
            var name = labels.getOrDefault("jobset_name", labels.getOrDefault("entity_name", ""));
            // A bucket and a replicated job are parts of a figure.
            if (!name.isEmpty()
                    && !labels.containsKey("le")
                    && !labels.containsKey("replicatedjob_name")) {
                var space =
                        labels.getOrDefault("namespace", labels.getOrDefault("namespace_name", ""));
                rows.computeIfAbsent(
                                space + "/" + name,
                                _ -> new JobSetRow(space, name, new TreeMap<>()))
                        .figures
                        .put(key(sample), sample.value());
            }
        }
        return List.copyOf(rows.values());
    }

    private static String key(Sample sample) {
        var condition = sample.labels().getOrDefault("condition", "");
        return condition.isEmpty() ? sample.name() : condition;
    }

    /// @param rows JobSets
    /// @return a line for each
    static Table table(List<JobSetRow> rows) {
        var table =
                Table.of("jobset", "state", "uptime", "interruptions", "MTTR", "MTBI", "restarts");
        for (var row : rows) {
            table =
                    table.row(
                            row.namespace.equals("default")
                                    ? row.name
                                    : row.namespace + "/" + row.name,
                            row.state(),
                            spelled(row.figure(GKE + "uptime")),
                            count(row.figure("meshbook_jobset_interruptions_total")),
                            row.mean("times_to_recover"),
                            row.mean("times_between_interruptions"),
                            count(row.figure("kube_jobset_restarts")));
        }
        return table;
    }

    private String state() {
        if (figure("jobset_completed_total") > 0) {
            return "completed";
        }
        if (figure("jobset_failed_total") > 0) {
            return "failed";
        }
        if (figure("meshbook_jobset_up") > 0) {
            return "up";
        }
        return figure("Suspended") > 0 ? "queued" : "down";
    }

    private double figure(String metric) {
        return figures.getOrDefault(metric, 0.0);
    }

    private String mean(String histogram) {
        double count = figure(GKE + histogram + "_count");
        return count == 0 ? "-" : spelled(figure(GKE + histogram + "_sum") / count);
    }

    private static String count(double number) {
        return Long.toString(Math.round(number));
    }

    /// As `2.5s`, `3m07s`, `2h05m`.
    static String spelled(double seconds) {
        long whole = Math.round(seconds);
        if (whole < SECONDS_A_MINUTE) {
            return String.format(Locale.ROOT, "%.1fs", seconds);
        }
        return whole < SECONDS_AN_HOUR
                ? "%dm%02ds".formatted(whole / SECONDS_A_MINUTE, whole % SECONDS_A_MINUTE)
                : "%dh%02dm"
                        .formatted(
                                whole / SECONDS_AN_HOUR,
                                whole % SECONDS_AN_HOUR / SECONDS_A_MINUTE);
    }
}
