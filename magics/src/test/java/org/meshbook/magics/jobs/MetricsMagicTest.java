package org.meshbook.magics.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `%metrics` of a cluster that is watched from the kernel, and what it refuses in one line.
@Timeout(240)
class MetricsMagicTest {
    @TempDir private Path folder;
    private ClusterCells cells;

    @BeforeEach
    void open() throws Exception {
        cells = new ClusterCells(folder);
    }

    @AfterEach
    void close() {
        cells.close();
    }

    @Test
    void jobSetsAreShownAsTheyFare() {
        assertThat(cells.out("%metrics")).startsWith("no JobSets yet");
        cells.create(
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: train, namespace: default}
                spec:
                  replicatedJobs:
                  - name: slice
                    template:
                      spec:
                        template:
                          spec:
                            restartPolicy: Never
                            containers:
                            - {name: main, image: busybox, command: [sh, -c, 'sleep 600']}
                """);
        Awaitility.await()
                .atMost(ClusterCells.PATIENCE)
                .until(() -> cells.shown("%metrics").matches("(?s).*train +up .*"));
        assertThat(cells.shown("%metrics train"))
                .containsPattern("train +up +[0-9.]+s +0 +- +- +0");
        assertThat(cells.out("%metrics --raw"))
                .contains("# TYPE kubernetes_io:jobset_uptime gauge")
                .contains("meshbook_jobset_up{namespace=\"default\",jobset_name=\"train\"} 1");
        assertThat(cells.run("%metrics trian").error())
                .contains("no JobSet is called 'trian'; did you mean train?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "%metrics --url       | is for the embedded cluster",
                "%pool lose v5e-1     | breaks pools of the embedded cluster only",
                "%pool loose v5e-1    | did you mean lose?",
                "%pool lose           | needs the name of a node pool",
                "%pool                | write %pool lose NAME or %pool repair NAME",
            })
    void whatCannotBeDoneIsSaidInOneLine(String line, String said) {
        assertThat(cells.run(line).error()).contains(said).doesNotContain("\n");
    }
}
