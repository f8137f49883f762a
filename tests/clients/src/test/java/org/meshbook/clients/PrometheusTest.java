package org.meshbook.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.local.LocalCluster;
import org.meshbook.cluster.local.Machines;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.metrics.Scrape;
import org.meshbook.cluster.nodes.pools.NodePools;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The embedded cluster's figures as a real Prometheus sees them: the queries of the multislice
/// documents, and those of our dashboard.
@Timeout(300)
class PrometheusTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Offset<Double> EXACTLY = Offset.offset(1e-6);
    private static final Path DASHBOARD = Path.of("../../docs/grafana/meshbook.json");
    private static final String QUEUE =
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ResourceFlavor
            metadata: {name: vlp-16}
            spec: {nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: cluster-queue}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [google.com/tpu]
                flavors:
                - name: vlp-16
                  resources: [{name: google.com/tpu, nominalQuota: 16}]
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: multislice-queue, namespace: default}
            spec: {clusterQueue: cluster-queue}
            """;
    private static final String SET =
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: multislice-%1$dslice
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: multislice-queue}
              annotations:
                alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
            spec:
              failurePolicy: {maxRestarts: 4}
              replicatedJobs:
              - name: slice
                replicas: %1$d
                template:
                  spec:
                    parallelism: 2
                    completions: 2
                    backoffLimit: 0
                    template:
                      spec:
                        restartPolicy: Never
                        nodeSelector:
                          cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
                        containers:
                        - name: trainer
                          image: busybox
                          command: [sh, -c, '%2$s']
                          resources: {limits: {google.com/tpu: 4}}
            """;

    @TempDir private Path folder;

    @Test
    @DisplayName("A30, PQ001: the documents' PromQL and the dashboard's, over a live cluster")
    void queriesOfTheDocumentsAndTheDashboardTellWhatHappened() throws Exception {
        var home = Files.createDirectories(folder.resolve("cluster"));
        var slices = Machines.of("v5e=tpu-v5-lite-podslice:2x4:2");
        try (var local = LocalCluster.open(home, Profile.V0_17, List.of(Machines.plain(), slices));
                var prometheus =
                        Prometheus.start(
                                folder.resolve("prometheus"),
                                new Scrape(local.address(), home),
                                "multislice-cluster")) {
            var play = new Play(local, prometheus);
            // 1. two interruptions of a JobSet while another waits
            play.create(QUEUE);
            play.create(SET.formatted(2, "sleep 600"));
            play.until("kubernetes_io:jobset_uptime{entity_name=\"multislice-2slice\"} > 0");
            play.create(SET.formatted(1, "exit 0"));
            play.until("kueue_pending_workloads{status=\"inadmissible\"} == 1");
            long first = play.interrupt("v5e-1", 1);
            long second = play.interrupt("v5e-2", 2);
            // 2. the documents' queries
            documents(prometheus, (first + second) / 2e9);
            dashboard(prometheus);
            // 3. the JobSet goes, and the one that waited runs and completes
            local.cluster()
                    .delete(
                            Kinds.JOB_SET.key("default", "multislice-2slice"),
                            Propagation.BACKGROUND);
            completion(play);
        }
    }

    /// What is done to the cluster, and what Prometheus is waited for to tell.
    private record Play(LocalCluster local, Prometheus prometheus) {
        void create(String yaml) {
            for (var document : Manifest.read("test", yaml).complete()) {
                var unused = local.cluster().create(document.resource(), WriteOptions.PLAIN);
            }
        }

        void until(String query) {
            await().atMost(PATIENCE).until(() -> !prometheus.ask(query).isEmpty());
        }

        /// Loses and repairs a pool.
        ///
        /// @return how long the pool was away at least, in nanoseconds
        long interrupt(String pool, int number) {
            var pools = new NodePools(local.cluster());
            until("meshbook_jobset_up{jobset_name=\"multislice-2slice\"} == 1");
            pools.lose(pool);
            long lost = System.nanoTime();
            until("meshbook_jobset_up{jobset_name=\"multislice-2slice\"} == 0");
            long away = System.nanoTime() - lost;
            pools.repair(pool);
            until("kubernetes_io:jobset_times_to_recover_count == " + number);
            return away;
        }
    }

    private static void documents(Prometheus prometheus, double awaySeconds) throws Exception {
        var where = where("multislice-.*");
        var one = where("multislice-2slice");
        var between = "kubernetes_io:jobset_times_between_interruptions";
        var recover = "kubernetes_io:jobset_times_to_recover";
        // MTTR and MTBI: the samples of the range are all of after the last interruption.
        double mttr = exact(prometheus, recover) / 2;
        double mtbi = exact(prometheus, between);
        assertThat(mttr).isBetween(awaySeconds, awaySeconds + PATIENCE.toSeconds());
        eventually(() -> prometheus.value(mean(recover, where)), mttr);
        eventually(() -> prometheus.value(mean(between, where)), mtbi);
        // the distributions: the median is in the bucket where it belongs
        assertThat(prometheus.value(median(recover, one))).isPositive().isLessThan(604_800);
        double tbi = prometheus.value(median(between, one));
        assertThat(tbi).isBetween(mtbi / 2.5, mtbi * 2.5 + 1);
        // uptime
        double uptime =
                prometheus.value("kubernetes_io:jobset_uptime{entity_name=\"multislice-2slice\"}");
        assertThat(prometheus.value("avg_over_time(kubernetes_io:jobset_uptime" + one + ")"))
                .isBetween(mtbi, uptime + 5);
    }

    /// As the documents write it, over a range so short that nothing happened in it.
    private static String where(String names) {
        return """
        {monitored_resource="k8s_entity",entity_type="jobset",
         entity_name=~"%s",cluster_name="multislice-cluster"}[5s]"""
                .formatted(names);
    }

    private static double exact(Prometheus prometheus, String histogram) throws Exception {
        return prometheus.value(histogram + "_sum{entity_name=\"multislice-2slice\"}");
    }

    private static String mean(String histogram, String where) {
        return "sum(sum_over_time(%1$s_sum%2$s)) / sum(sum_over_time(%1$s_count%2$s))"
                .formatted(histogram, where);
    }

    private static String median(String histogram, String where) {
        return "histogram_quantile(0.50, sum_over_time(%s_bucket%s))".formatted(histogram, where);
    }

    private static void eventually(Callable<Double> value, double wanted) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(value.call()).isCloseTo(wanted, EXACTLY));
    }

    private static void completion(Play play) throws Exception {
        var complete =
                "kube_jobset_succeeded_replicas{cluster=\"multislice-cluster\", jobset_name=~\"%s\"}";
        eventually(() -> play.prometheus.value(complete.formatted("multislice-1.*")), 1);
        assertThat(play.prometheus.ask(complete.formatted("mulitslice-.*")))
                .as("PQ001: the name in the documents has a slip of the pen")
                .isEmpty();
        eventually(
                () -> play.prometheus.value("jobset_completed_total{jobset_name=~\".*1slice\"}"),
                1);
        assertThat(play.prometheus.value("kueue_admitted_workloads_total")).isEqualTo(2);
        eventually(
                () -> play.prometheus.value("kueue_pending_workloads{status=\"inadmissible\"}"), 0);
    }

    /// Each query of the dashboard is one, and has an answer here.
    private static void dashboard(Prometheus prometheus) throws Exception {
        var softly = new SoftAssertions();
        for (var query : queries()) {
            var here =
                    query.replace("$jobset", ".*")
                            .replace("$queue", ".*")
                            .replace("$cluster", "multislice-cluster")
                            .replace("$__range", "10m");
            softly.assertThat(prometheus.ask(here)).as(query).isNotEmpty();
        }
        softly.assertAll();
        var mttr = queries().stream().filter(q -> q.contains("recover_sum")).findFirst();
        assertThat(
                        prometheus.value(
                                mttr.orElseThrow()
                                        .replace("$jobset", "multislice-2slice")
                                        .replace("$cluster", "multislice-cluster")
                                        .replace("$__range", "10m")))
                .isCloseTo(exact(prometheus, "kubernetes_io:jobset_times_to_recover") / 2, EXACTLY);
    }

    private static JsonNode read() throws IOException {
        return new JsonMapper().readTree(Files.readString(DASHBOARD));
    }

    private static List<String> queries() throws IOException {
        var all = new ArrayList<String>();
        for (var panel : read().path("panels")) {
            panel.path("targets").forEach(target -> all.add(target.path("expr").asString("")));
        }
        return all;
    }

    @Test
    void dashboardIsOneThatGrafanaTakes() throws IOException {
        var dashboard = read();
        assertThat(dashboard.path("schemaVersion").asInt()).isEqualTo(39);
        assertThat(dashboard.path("uid").asString("")).isEqualTo("meshbook");
        var ids = new HashSet<Integer>();
        var cells = new HashSet<String>();
        var titles = new ArrayList<String>();
        for (var panel : dashboard.path("panels")) {
            titles.add(panel.path("title").asString(""));
            assertThat(ids.add(panel.path("id").asInt())).as("ids are unique").isTrue();
            place(panel.path("gridPos"), cells);
            boolean row = panel.path("type").asString("").equals("row");
            assertThat(panel.path("targets").isEmpty()).as(panel.toString()).isEqualTo(row);
            var refs = new HashSet<String>();
            panel.path("targets")
                    .forEach(t -> assertThat(refs.add(t.path("refId").asString(""))).isTrue());
        }
        assertThat(titles)
                .contains("Uptime", "MTTR", "MTBI", "TTR, median", "TBI, median", "Queue", "Quota");
    }

    /// No two panels lie on each other.
    private static void place(JsonNode place, Set<String> cells) {
        int left = place.path("x").asInt();
        int top = place.path("y").asInt();
        assertThat(left + place.path("w").asInt()).isLessThanOrEqualTo(24);
        for (int x = left; x < left + place.path("w").asInt(); x++) {
            for (int y = top; y < top + place.path("h").asInt(); y++) {
                assertThat(cells.add(x + " " + y)).as("a panel of its own at %d %d", x, y).isTrue();
            }
        }
    }
}
