package org.meshbook.magics.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;

/// Jobs and queues, by name, from cells.
@Timeout(300)
class JobMagicsTest {
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

    private static ResourceKey job(String name) {
        return Kinds.JOB.key("default", name);
    }

    private static boolean runs(Resource job) {
        return job.at("status", "ready").asInt(0) > 0;
    }

    private static boolean isSuspended(Resource job) {
        return job.at("spec", "suspend").asBoolean(false);
    }

    /// One that holds the whole quota.
    private void holder() {
        cells.queue();
        cells.create(ClusterCells.queued("holder", "sleep 600"));
        cells.await(job("holder"), JobMagicsTest::runs);
    }

    private void awaitWorkload(String of) {
        cells.await(
                job(of),
                job ->
                        cells.cluster().list(Kinds.WORKLOAD, "default").stream()
                                .filter(w -> w.owners().contains(job.uid()))
                                .anyMatch(w -> w.condition("QuotaReserved").isPresent()));
    }

    @Test
    @DisplayName("xpk#1161, kueue#2096: one table of all kinds, by their own conditions")
    void jobsOfAllKindsStandInOneTable() {
        holder();
        cells.create(ClusterCells.queued("second", "true"));
        awaitWorkload("second");
        cells.create(ClusterCells.job("free", "{}", "exit 3"));
        cells.await(job("free"), job -> job.is("Failed"));
        var lines = cells.shown("%jobs").lines().map(l -> l.replaceAll(" +", " ")).toList();
        assertThat(lines.getFirst()).isEqualTo("KIND NAME QUEUE STATUS POSITION AGE");
        assertThat(lines).anyMatch(l -> l.startsWith("Job holder user Running - "));
        assertThat(lines).anyMatch(l -> l.startsWith("Job second user Pending 1 of 1 "));
        assertThat(lines).anyMatch(l -> l.startsWith("Job free - Failed - "));
        assertThat(cells.out("%jobs -n kube-public")).contains("no jobs in namespace kube-public");
    }

    @Test
    @DisplayName("kueue#14431: queues of one name in two namespaces have places of their own")
    void placesAreCountedInTheQueueOfTheNamespace() {
        holder();
        cells.out("%create namespace team-a");
        cells.create(
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: LocalQueue
                metadata: {name: user, namespace: team-a}
                spec: {clusterQueue: main}
                """);
        cells.create(ClusterCells.queued("second", "true"));
        cells.create(
                ClusterCells.queued("other", "true")
                        .replace("namespace: default", "namespace: team-a"));
        awaitWorkload("second");
        cells.await(
                Kinds.JOB.key("team-a", "other"),
                job ->
                        cells.cluster().list(Kinds.WORKLOAD, "team-a").stream()
                                .anyMatch(w -> w.condition("QuotaReserved").isPresent()));
        var table = cells.shown("%jobs -A").lines().map(l -> l.replaceAll(" +", " ")).toList();
        assertThat(table).anyMatch(l -> l.startsWith("default Job second user Pending 1 of 1"));
        assertThat(table).anyMatch(l -> l.startsWith("team-a Job other user Pending 1 of 1"));
    }

    @Test
    @DisplayName("kueue#5048: a job that names no queue runs, and that is noted")
    void aJobWithoutAQueueIsNoted() throws Exception {
        cells.queue();
        var file = cells.file("free.yaml", ClusterCells.job("free", "{}", "true"));
        assertThat(cells.out("%apply " + file))
                .contains("job.batch/free created", "free is unmanaged: no queue-name label");
        cells.await(job("free"), job -> job.is("Complete"));
        file = cells.file("held.yaml", ClusterCells.queued("held", "true"));
        assertThat(cells.out("%apply " + file)).doesNotContain("unmanaged");
    }

    @Test
    void aHeldJobGivesItsQuotaAndGoesOnWhenItIsResumed() {
        holder();
        assertThat(cells.out("%hold holder")).contains("job/holder is held (workload job-holder-");
        cells.await(job("holder"), JobMagicsTest::isSuspended);
        assertThat(cells.shown("%jobs")).contains("Held");
        assertThat(cells.out("%resume holder")).contains("job/holder goes on");
        cells.await(job("holder"), JobMagicsTest::runs);
    }

    @Test
    void aJobThatNoQueueHoldsIsSuspendedItself() {
        cells.create(ClusterCells.job("free", "{}", "sleep 600"));
        cells.await(job("free"), JobMagicsTest::runs);
        cells.out("%hold job/free");
        cells.await(job("free"), job -> job.is("Suspended"));
        cells.out("%resume free");
        cells.await(job("free"), JobMagicsTest::runs);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "clusterqueue/main, '', Hold",
        "cq/main, --drain, HoldAndDrain",
        "main, '', Hold",
        "lq/user, '', Hold",
        "user, --drain, HoldAndDrain"
    })
    void aQueueIsStoppedAndOpened(String name, String flag, String policy) {
        cells.queue();
        assertThat(cells.out("%hold " + name + " " + flag)).contains("admits nobody");
        assertThat(policies()).contains(policy);
        assertThat(cells.out("%resume " + name)).contains("is open");
        assertThat(policies()).doesNotContain(policy);
    }

    private List<String> policies() {
        return List.of(
                        cells.cluster().find(Kinds.CLUSTER_QUEUE.key("", "main")),
                        cells.cluster().find(Kinds.LOCAL_QUEUE.key("default", "user")))
                .stream()
                .map(Optional::orElseThrow)
                .map(queue -> queue.text("spec", "stopPolicy"))
                .toList();
    }

    @Test
    void whatGoesWithACancelledJobIsSaid() {
        holder();
        assertThat(cells.out("%cancel holder"))
                .isEqualTo("jobs.batch \"holder\" deleted; with it 1 workload, 1 pod\n");
        cells.awaitGone(job("holder"));
    }

    @Test
    @DisplayName("enterprise_gateway#784, nci_scripts#17: one interrupt detaches, the job stays")
    void oneInterruptDetachesAndSaysHowToComeBack() {
        holder();
        cells.create(ClusterCells.queued("second", "true"));
        var waiting = cells.start("%wait second");
        waiting.awaitOut("second: Pending (1 of 1 in queue 'user')");
        waiting.interrupt();
        var ran = waiting.end();
        assertThat(ran.err())
                .contains("detached: second stays in the cluster; %wait second or %logs second -f");
        assertThat(ran.error()).contains("KeyboardInterrupt");
        assertThat(cells.cluster().find(job("second"))).isPresent();
        cells.out("%cancel holder");
        assertThat(cells.out("%wait second")).endsWith("second: Completed\n");
    }

    @Test
    @DisplayName("enterprise_gateway#784: a second interrupt deletes the job and all that it owns")
    void aSecondInterruptCancels() throws Exception {
        holder();
        var file = cells.file("second.yaml", ClusterCells.queued("second", "true"));
        var waiting = cells.start("%apply " + file + " --wait");
        waiting.awaitOut("second: Pending");
        waiting.interrupt();
        waiting.awaitErr("detached");
        waiting.interrupt();
        assertThat(waiting.end().err()).contains("jobs.batch \"second\" deleted");
        cells.awaitGone(job("second"));
        cells.await(
                job("holder"), _ -> cells.cluster().list(Kinds.WORKLOAD, "default").size() == 1);
    }

    @Test
    void aJobThatFailsWhileItIsWaitedForIsAnError() {
        cells.create(ClusterCells.job("bad", "{}", "exit 3"));
        assertThat(cells.run("%wait bad").error()).contains("bad failed: ", "%logs bad");
        assertThat(cells.run("%wait none").error()).contains("is called 'none'");
        cells.create(ClusterCells.job("slow", "{}", "sleep 600"));
        assertThat(cells.run("%wait slow --within 200ms").error()).contains("slow is");
    }

    @Test
    void poolsShowTheirChipsAndWhoHoldsThem() {
        cells.create(
                ClusterCells.job("chips", "{}", "sleep 600")
                        .replace("{requests: {cpu: 2}}", "{limits: {google.com/tpu: 4}}")
                        .replace(
                                "containers:",
                                "nodeSelector: {cloud.google.com/gke-nodepool: v5e-1}\n"
                                        + "      containers:"));
        cells.await(job("chips"), JobMagicsTest::runs);
        var lines = cells.shown("%pools").lines().map(l -> l.replaceAll(" +", " ")).toList();
        assertThat(lines)
                .contains(
                        "v5e-1 tpu-v5-lite-podslice 2x4 2 8 4 4 job/chips (1 pod)",
                        "v5e-2 tpu-v5-lite-podslice 2x4 2 8 0 8 -");
        assertThat(lines).anyMatch(l -> l.startsWith("default-pool cpu - 2 - - - -"));
    }

    @Test
    void eventsOfAJobAreThoseOfAllThatItOwns() {
        cells.create(ClusterCells.job("one", "{}", "true"));
        cells.create(ClusterCells.job("two", "{}", "true"));
        cells.await(job("one"), job -> job.is("Complete"));
        cells.await(job("two"), job -> job.is("Complete"));
        assertThat(cells.shown("%events job/one"))
                .contains("SuccessfulCreate", "Started container main")
                .doesNotContain("two");
        assertThat(cells.shown("%events --cluster")).contains("one", "two");
        assertThat(
                        cells.out(
                                "%events node/"
                                        + cells.cluster().list(Kinds.NODE, "").getFirst().name()))
                .contains("no events of node/");
    }

    @Test
    void configMapsComeFromFilesAndValues() throws Exception {
        var text = cells.file("train.py", "print(1)\n");
        var binary = Files.write(folder.resolve("weights"), new byte[] {(byte) 0xFF, 0});
        assertThat(
                        cells.out(
                                "%create configmap code --from-file=\""
                                        + text
                                        + "\" --from-file=w="
                                        + binary
                                        + " --from-literal=STEPS=100"))
                .isEqualTo("configmap/code created\n");
        var map = cells.cluster().find(Kinds.CONFIG_MAP.key("default", "code")).orElseThrow();
        assertThat(map.texts("data"))
                .containsEntry("train.py", "print(1)\n")
                .containsEntry("STEPS", "100");
        assertThat(map.texts("binaryData")).containsEntry("w", "/wA=");
        assertThat(cells.run("%create configmap code").error()).contains("already exists");
        assertThat(cells.run("%create configmap b --from-file=none.py").error())
                .contains("cannot read 'none.py': no such file");
        assertThat(cells.run("%create pod x").error()).contains("not 'pod'", "%apply");
    }

    @ParameterizedTest
    @CsvSource({
        "%hold, %hold needs a job's or a queue's name",
        "%resume, %resume needs",
        "%hold nobody, is called 'nobody'",
        "%hold pod/x, %hold takes no 'pod'",
        "%cancel, %cancel needs a job's name",
        "%cancel nobody, is called 'nobody'",
        "%events nobody, is called 'nobody'",
        "%create, %create makes a configmap or a namespace",
        "%create namespace, needs a name",
    })
    void whatCannotBeDoneIsOneLine(String typed, String said) {
        var ran = cells.run(typed);
        assertThat(ran.error()).contains(said).doesNotContain("\n");
        assertThat(ran.trace()).hasSize(1);
    }

    @Test
    void namesAreCompleted() {
        cells.create(ClusterCells.job("trainer", "{}", "true"));
        cells.queue();
        assertThat(cells.session().complete("%cancel tr")).contains("trainer");
        assertThat(cells.session().complete("%wait tr")).contains("trainer");
        assertThat(cells.session().complete("%hold ma")).contains("main");
        assertThat(cells.session().complete("%create c")).contains("configmap");
    }
}
