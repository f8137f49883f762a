package org.meshbook.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.kubernetes.Clusters;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.metrics.Sample;
import org.meshbook.cluster.nodes.pools.FlexStart.Terms;
import org.meshbook.elastic.UsageError;

/// A cluster on this machine: its pods are real processes.
@Timeout(120)
class LocalClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SET =
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
                    completions: 1
                    parallelism: 1
                    backoffLimit: 0
                    template:
                      spec:
                        restartPolicy: Never
                        containers:
                        - name: main
                          image: busybox
                          command: [sh, -c, %s]
            """;

    /// Room for one pair at a time.
    private static final String QUEUE =
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ResourceFlavor
            metadata: {name: plain}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: main}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - name: plain
                  resources: [{name: cpu, nominalQuota: 2}]
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: user, namespace: default}
            spec: {clusterQueue: main}
            """;

    @TempDir private Path folder;

    private LocalCluster open(Machines... machines) throws Exception {
        return LocalCluster.open(folder, Profile.V0_17, List.of(machines));
    }

    private static void create(LocalCluster local, String yaml) {
        for (var document : Manifest.read("test", yaml).complete()) {
            var unused = local.cluster().create(document.resource(), WriteOptions.PLAIN);
        }
    }

    private static Optional<Resource> set(LocalCluster local) {
        return local.cluster().find(Kinds.JOB_SET.key("default", "pair"));
    }

    @Test
    void jobSetRunsAsProcessesAndCompletes() throws Exception {
        try (var local = open(Machines.plain())) {
            create(local, SET.formatted("'test -n \"$JOB_COMPLETION_INDEX\"'"));
            await().atMost(PATIENCE)
                    .until(() -> set(local).filter(set -> set.is("Completed")).isPresent());
        }
    }

    @Test
    void queuedJobSetsRunOneAfterTheOther() throws Exception {
        try (var local = open(Machines.plain())) {
            create(local, QUEUE);
            create(local, queued("first", "'exit 0'"));
            create(local, queued("second", "'exit 0'"));
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    all(local, Kinds.JOB_SET, "Completed")
                                            && all(local, Kinds.WORKLOAD, "Finished"));
            assertThat(local.cluster().list(Kinds.WORKLOAD, "default")).hasSize(2);
        }
    }

    private static boolean all(LocalCluster local, ResourceKind kind, String condition) {
        return local.cluster().list(kind, "default").stream().allMatch(o -> o.is(condition));
    }

    private static String queued(String name, String command) {
        return SET.formatted(command)
                .replace(
                        "name: pair,",
                        "name: " + name + ", labels: {kueue.x-k8s.io/queue-name: user},")
                .replace("command: ", "resources: {requests: {cpu: 1}}\n          command: ");
    }

    @Test
    void whatFailsIsSaid() throws Exception {
        try (var local = open(Machines.plain())) {
            create(local, SET.formatted("'exit 3'"));
            await().atMost(PATIENCE)
                    .until(() -> set(local).filter(set -> set.is("Failed")).isPresent());
        }
    }

    @Test
    void objectsAreThereAgainAfterARestartAndPodsEnd() throws Exception {
        try (var local = open(Machines.plain())) {
            create(local, SET.formatted("'sleep 600'"));
            await().atMost(PATIENCE).until(() -> running(local) == 2);
        }
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
        try (var local = open()) {
            assertThat(set(local)).isPresent();
            assertThat(local.cluster().list(Kinds.NODE, "")).hasSize(2);
        }
    }

    private static long running(LocalCluster local) {
        return local.cluster().list(Kinds.POD, "default").stream()
                .filter(pod -> pod.text("status", "phase").equals("Running"))
                .count();
    }

    @Test
    void poolsOfSlicesAreTheNodesThatTheirTopologyNeeds() throws Exception {
        try (var local = open(Machines.of("v5e=tpu-v5-lite-podslice:2x4:2"))) {
            var nodes = local.cluster().list(Kinds.NODE, "");
            assertThat(nodes)
                    .hasSize(4)
                    .extracting(node -> node.labels().get("cloud.google.com/gke-nodepool"))
                    .containsOnly("v5e-1", "v5e-2");
        }
    }

    @Test
    void whoReachedTheClusterBeforeReachesItAfterARestart() throws Exception {
        String before;
        try (var local = open()) {
            before = Files.readString(local.kubeconfig());
        }
        try (var local = open()) {
            assertThat(local.kubeconfig()).hasContent(before);
            assertThat(folder.resolve("ca.crt")).isRegularFile();
        }
        for (var secret : List.of("token", "key.p12", "kubeconfig")) {
            assertThat(PosixFilePermissions.toString(mode(secret))).isEqualTo("rw-------");
        }
    }

    private Set<PosixFilePermission> mode(String file) throws IOException {
        return Files.getPosixFilePermissions(folder.resolve(file));
    }

    @Test
    void brokenKeyIsReplacedAndTakenPortIsLeft() throws Exception {
        int port;
        try (var local = open()) {
            port = local.address().getPort();
        }
        Files.writeString(folder.resolve("key.p12"), "nonsense");
        try (var taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                var local = open()) {
            assertThat(local.address().getPort()).isNotEqualTo(taken.getLocalPort());
        }
    }

    @Test
    void figuresAreServedToWhoShowsTheToken() throws Exception {
        try (var local = open(Machines.plain());
                var client = Clusters.open(Optional.of(local.kubeconfig()), Optional.empty())) {
            create(local, SET.formatted("'sleep 600'"));
            await().atMost(PATIENCE)
                    .until(() -> client.text("metrics").contains("meshbook_jobset_up{"));
            assertThat(Sample.read(client.text("metrics")))
                    .anyMatch(
                            sample ->
                                    sample.name().equals("kube_jobset_specified_replicas")
                                            && sample.value() == 2);
        }
    }

    @Test
    void poolIsLostAndRepairedWhenAPersonAsks() throws Exception {
        try (var guest = new ClusterGuest().start(folder, Map.of("pools", "small=2"))) {
            var kubeconfig = Path.of(guest.facts(Map.of()).get("kubeconfig"));
            try (var client = Clusters.open(Optional.of(kubeconfig), Optional.empty())) {
                guest.facts(Map.of("lose", "small"));
                assertThat(client.list(Kinds.NODE, "")).hasSize(2);
                assertThatThrownBy(() -> guest.facts(Map.of("lose", "small")))
                        .isInstanceOf(UsageError.class)
                        .hasMessage("no node pool 'small' has nodes; there are default-pool");
                guest.facts(Map.of("repair", "small"));
                assertThat(client.list(Kinds.NODE, "")).hasSize(4);
                assertThatThrownBy(() -> guest.facts(Map.of("repair", "small")))
                        .hasMessage("node pool 'small' is not lost; lost are none");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a=",
                "=3",
                "a=0",
                "a=v5e",
                "a=tpu-v5-lite-podslice:2x4:x",
                "a=tpu-v6e-slice:4x4:flex(delay=5s"
            })
    void poolsThatCannotBeReadAreRefusedInOneLine(String text) {
        assertThatThrownBy(() -> Machines.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(text)
                .doesNotContain("\n");
    }

    @Test
    void headsGuestSaysHowToReachTheCluster() throws Exception {
        try (var guest = new ClusterGuest().start(folder, Map.of("pools", "small=1"))) {
            var facts = guest.facts(Map.of());
            assertThat(Path.of(facts.get("kubeconfig"))).exists();
            assertThat(facts).containsEntry("kueue", "0.17");
            assertThat(facts.toString()).doesNotContain("token");
            assertThatThrownBy(() -> guest.facts(Map.of("kueue", "0.19")))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("runs with Kueue 0.17");
        }
        assertThatThrownBy(() -> new ClusterGuest().start(folder, Map.of("kueue", "1.0")))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("use one of 0.14, 0.17, 0.19");
    }

    @Test
    void poolsOnRequestAreReadWithTheirTerms() {
        var pools =
                Machines.all(
                        "small=1, dws=tpu-v6e-slice:4x4:flex(delay=2m,lease=7d,speed=60,fail=no capacity|)");
        assertThat(pools).hasSize(2);
        assertThat(pools.getLast().terms().orElseThrow())
                .isEqualTo(
                        new Terms(
                                Duration.ofMinutes(2),
                                Duration.ofDays(7),
                                60,
                                List.of("no capacity", "")));
        assertThat(Machines.of(pools.getLast().text())).isEqualTo(pools.getLast());
        assertThat(Machines.of("dws=tpu-v6e-slice:4x4:flex").terms()).contains(Terms.usual());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "dws=tpu-v6e-slice:4x4:flex(wait=5s);flex does not know \"wait=5s\"",
                "dws=tpu-v6e-slice:4x4:flex(delay=soon);\"soon\" is no duration",
                "dws=tpu-v6e-slice:4x4:flex(speed=0);speed \"0\" of flex is no whole number"
            })
    void termsThatCannotBeReadAreNamed(String text, String told) {
        assertThatThrownBy(() -> Machines.of(text)).hasMessageContaining(told);
    }

    /// A request for the four hosts of a slice.
    private static final String REQUEST =
            """
            apiVersion: v1
            kind: PodTemplate
            metadata: {name: hosts, namespace: default}
            template:
              spec:
                nodeSelector: {cloud.google.com/gke-nodepool: dws}
                containers: [{name: c, image: busybox}]
            ---
            apiVersion: autoscaling.x-k8s.io/v1
            kind: ProvisioningRequest
            metadata: {name: hosts, namespace: default}
            spec:
              provisioningClassName: queued-provisioning.gke.io
              podSets: [{count: 4, podTemplateRef: {name: hosts}}]
            """;

    @Test
    void nodesComeOnRequestAndGoWithTheirLease() throws Exception {
        var flex = "dws=tpu-v6e-slice:4x4:flex(delay=1h,lease=7d,speed=86400)";
        try (var local = open(Machines.of(flex))) {
            assertThat(local.cluster().list(Kinds.NODE, "")).isEmpty();
            create(local, REQUEST);
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    local
                                            .cluster()
                                            .list(Kinds.PROVISIONING_REQUEST, "default")
                                            .stream()
                                            .anyMatch(request -> request.is("Provisioned")));
        }
        // what is offered is known again
        try (var local = LocalCluster.open(folder, Setup.read(folder))) {
            await().atMost(PATIENCE).until(() -> local.cluster().list(Kinds.NODE, "").size() == 2);
            assertThat(local.cluster().list(Kinds.PROVISIONING_REQUEST, "default"))
                    .allMatch(request -> request.is("CapacityRevoked"));
        }
    }

    private static final String CONFIG =
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            clientConnection: {qps: 50}
            integrations: {frameworks: [batch/job]}
            """;

    @Test
    void freshClusterIsEmptyAndMadeAsAsked() throws Exception {
        try (var guest = new ClusterGuest().start(folder, Map.of("pools", "small=3"))) {
            var facts = guest.facts(Map.of("pools", "small=3"));
            assertThat(facts).containsEntry("gates", "").containsEntry("ignored", "");
            assertThatThrownBy(
                            () -> guest.facts(Map.of("gates", "ElasticJobsViaWorkloadSlices=true")))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("--fresh");
            var anew =
                    guest.facts(
                            Map.of(
                                    "fresh",
                                    "true",
                                    "kueue",
                                    "0.19",
                                    "gates",
                                    "ElasticJobsViaWorkloadSlices=false",
                                    "config",
                                    CONFIG));
            assertThat(anew)
                    .containsEntry("kueue", "0.19")
                    .containsEntry("gates", "ElasticJobsViaWorkloadSlices=false")
                    .containsEntry("ignored", "clientConnection");
            assertThat(guest.facts(Map.of())).isEqualTo(anew);
        }
        assertThat(Setup.read(folder).profile()).isEqualTo(Profile.V0_19);
        assertThat(Setup.read(folder).config()).isEqualTo(CONFIG);
    }

    @Test
    void optionsThatCannotBeReadAreRefusedBeforeAnythingIsThrownAway() throws Exception {
        try (var guest = new ClusterGuest().start(folder, Map.of())) {
            var before = guest.facts(Map.of());
            assertThatThrownBy(() -> guest.facts(Map.of("fresh", "true", "gates", "Elastic=true")))
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("gate \"Elastic\" is not emulated; known: ");
            assertThat(guest.facts(Map.of())).isEqualTo(before);
        }
    }
}
