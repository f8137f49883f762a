package org.meshbook.bench.queue;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.meshbook.magics.render.Table;

/// What was measured over the API of a cluster.
///
/// @param rows one a way of admitting
/// @param before memory of the head before, in MiB; 0 if it is not ours
/// @param after memory of the head afterwards
/// @param most the most memory that the head ever had
record AdmissionResult(List<Row> rows, double before, double after, double most) {
    AdmissionResult {
        rows = List.copyOf(rows);
    }

    /// One way of admitting.
    ///
    /// @param jobs how many Jobs
    /// @param atATime how many have quota at the same time
    /// @param submitted until the API had taken all
    /// @param queued until all had workloads
    /// @param first from the lifted hold to the first admission
    /// @param last from the lifted hold to the last admission
    /// @param finished from the lifted hold until all were finished; zero if pods run on
    /// @param cpu processor time of the head from the lifted hold to the last admission; zero if it
    ///   is not ours
    record Row(
            int jobs,
            int atATime,
            Duration submitted,
            Duration queued,
            Duration first,
            Duration last,
            Duration finished,
            Duration cpu) {
        double rate() {
            return jobs / Numbers.of(last);
        }

        private String name() {
            return atATime < jobs
                    ? "%d jobs, %d at a time".formatted(jobs, atATime)
                    : "%d jobs at once".formatted(jobs);
        }
    }

    Table table() {
        var table =
                Table.of(
                        "over the API",
                        "admissions/s",
                        "first",
                        "last",
                        "head CPU",
                        "submitted",
                        "as workloads");
        for (var row : rows) {
            table =
                    table.row(
                            row.name(),
                            Numbers.rounded(row.rate()),
                            Numbers.seconds(row.first),
                            Numbers.seconds(row.last),
                            Numbers.seconds(row.cpu),
                            Numbers.seconds(row.submitted),
                            Numbers.seconds(row.queued));
        }
        return table;
    }

    String memory() {
        return most == 0
                ? ""
                : "head, cluster included: %s MiB before, %s after, %s at most"
                        .formatted(
                                Numbers.rounded(before),
                                Numbers.rounded(after),
                                Numbers.rounded(most));
    }

    String json() {
        return rows.stream()
                .map(
                        row ->
                                ("{\"jobs\":%d,\"at_a_time\":%d,\"admissions_per_s\":%s,"
                                                + "\"first_s\":%s,\"last_s\":%s,\"cpu_s\":%s,\"submitted_s\":%s,"
                                                + "\"queued_s\":%s}")
                                        .formatted(
                                                row.jobs,
                                                row.atATime,
                                                Numbers.json(row.rate()),
                                                Numbers.json(Numbers.of(row.first)),
                                                Numbers.json(Numbers.of(row.last)),
                                                Numbers.json(Numbers.of(row.cpu)),
                                                Numbers.json(Numbers.of(row.submitted)),
                                                Numbers.json(Numbers.of(row.queued))))
                .collect(
                        Collectors.joining(
                                ",",
                                "{\"api\":[",
                                "],\"head_mib\":{\"before\":%s,\"after\":%s,\"most\":%s}}"
                                        .formatted(
                                                Numbers.json(before),
                                                Numbers.json(after),
                                                Numbers.json(most))));
    }
}
