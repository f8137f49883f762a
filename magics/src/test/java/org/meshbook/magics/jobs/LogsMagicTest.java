package org.meshbook.magics.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;

/// `%logs` of real pods.
@Timeout(300)
class LogsMagicTest {
    @TempDir private static Path folder;
    private static ClusterCells cells;

    @BeforeAll
    static void open() throws Exception {
        cells = new ClusterCells(folder);
    }

    @AfterAll
    static void close() {
        cells.close();
    }

    private static boolean over(Resource job) {
        return job.is("Complete") || job.is("Failed");
    }

    @Test
    @DisplayName("fabric8#3636: a job of a second that prints 10,000 lines is read whole")
    void everyLineOfAShortJobIsShown() {
        cells.create(ClusterCells.job("count", "{}", "seq 10000"));
        var lines = IntStream.rangeClosed(1, 10_000).mapToObj(String::valueOf);
        assertThat(cells.out("%logs job/count -f"))
                .isEqualTo(lines.collect(Collectors.joining("\n")) + "\n");
        assertThat(cells.out("%logs count --tail 2")).isEqualTo("9999\n10000\n");
    }

    @Test
    void linesOfSeveralPodsNameTheirs() {
        cells.create(
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: pair, namespace: default}
                spec:
                  replicatedJobs:
                  - name: slice
                    replicas: 2
                    template:
                      spec:
                        backoffLimit: 0
                        template:
                          spec:
                            restartPolicy: Never
                            containers:
                            - {name: main, image: busybox, command: [sh, -c, 'echo hello']}
                """);
        assertThat(cells.out("%logs jobset/pair -f").lines())
                .hasSize(2)
                .allMatch(line -> line.matches("\\[pod/pair-slice-[01]-0-\\w{5}/main] hello"));
    }

    @Test
    void aJobThatFailsIsFollowedToItsEndAndSaidToHaveFailed() {
        cells.create(ClusterCells.job("bad", "{}", "echo before; exit 3"));
        var ran = cells.run("%logs bad -f");
        assertThat(ran.out()).isEqualTo("before\n");
        assertThat(ran.err()).startsWith("bad failed: ");
    }

    @Test
    @DisplayName("intellij-kubernetes#541: that a pod was deleted is said last")
    void whatIsDeletedMeanwhileIsSaid() {
        cells.create(ClusterCells.job("doomed", "{}", "echo up; sleep 600"));
        var reader = cells.start("%logs doomed -f");
        reader.awaitOut("up\n");
        assertThat(cells.out("%cancel doomed")).contains("with it 1 pod");
        var ran = reader.end();
        assertThat(ran.out()).matches("up\npod \"doomed-\\w{5}\" was deleted\n");
        assertThat(ran.err()).contains("jobs.batch \"doomed\" was deleted");
    }

    @Test
    void anInterruptLeavesTheJob() {
        cells.create(ClusterCells.job("long", "{}", "echo up; sleep 600"));
        var reader = cells.start("%logs long -f");
        reader.awaitOut("up\n");
        reader.interrupt();
        assertThat(reader.end().error()).contains("KeyboardInterrupt");
        assertThat(cells.cluster().find(Kinds.JOB.key("default", "long"))).isPresent();
        cells.out("%cancel long");
    }

    @Test
    void whatCannotBeReadIsOneLine() {
        assertThat(cells.run("%logs").error()).contains("%logs needs a job's or a pod's name");
        cells.create(ClusterCells.job("trainer", "{}", "true"));
        assertThat(cells.run("%logs trianer").error())
                .contains("is called 'trianer'", "did you mean trainer?");
        assertThat(cells.run("%logs node/x").error()).contains("%logs takes no 'node'");
        assertThat(cells.run("%logs trainer -f --previous").error()).contains("cannot be followed");
        cells.await(Kinds.JOB.key("default", "trainer"), LogsMagicTest::over);
        assertThat(cells.run("%logs trainer -c none").error())
                .contains("container none is not valid for pod trainer-");
        assertThat(cells.session().complete("%logs trai")).contains("trainer");
    }
}
