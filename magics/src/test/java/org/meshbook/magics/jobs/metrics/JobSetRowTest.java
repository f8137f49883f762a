package org.meshbook.magics.jobs.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.cluster.metrics.Sample;

/// The table of JobSets, made of the figures that a server tells.
class JobSetRowTest {
    private static final String FIGURES =
            """
            kube_jobset_restarts{namespace="default",jobset_name="train"} 3
            kube_jobset_ready_replicas{namespace="default",jobset_name="train",replicatedjob_name="slice"} 2
            meshbook_jobset_up{namespace="default",jobset_name="train"} 1
            meshbook_jobset_interruptions_total{namespace="default",jobset_name="train"} 4
            kubernetes_io:jobset_uptime{namespace_name="default",entity_name="train"} 7512.25
            kubernetes_io:jobset_times_to_recover_bucket{namespace_name="default",entity_name="train",le="+Inf"} 4
            kubernetes_io:jobset_times_to_recover_sum{namespace_name="default",entity_name="train"} 10
            kubernetes_io:jobset_times_to_recover_count{namespace_name="default",entity_name="train"} 4
            kubernetes_io:jobset_times_between_interruptions_sum{namespace_name="default",entity_name="train"} 561
            kubernetes_io:jobset_times_between_interruptions_count{namespace_name="default",entity_name="train"} 3
            jobset_completed_total{namespace="team",jobset_name="done"} 1
            kube_jobset_status_condition{namespace="team",jobset_name="waits",condition="Suspended",status="true"} 1
            kueue_pending_workloads{cluster_queue="main",status="active"} 1
            """;

    @Test
    void eachJobSetIsALineWithItsMeans() {
        var text = JobSetRow.table(JobSetRow.of(Sample.read(FIGURES))).text();

        assertThat(text.lines().skip(2).map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "train up 2h05m 4 2.5s 3m07s 3",
                        "team/done completed 0.0s 0 - - 0",
                        "team/waits queued 0.0s 0 - - 0");
    }

    @ParameterizedTest
    @CsvSource({"0,0.0s", "2.46,2.5s", "59.4,59.4s", "59.96,1m00s", "187,3m07s", "7512,2h05m"})
    void timesAreSpelledAsPeopleReadThem(double seconds, String spelled) {
        assertThat(JobSetRow.spelled(seconds)).isEqualTo(spelled);
    }
}
