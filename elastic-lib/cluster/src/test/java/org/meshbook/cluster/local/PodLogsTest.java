package org.meshbook.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Cluster.WriteOptions;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Logs.Options;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.kubernetes.Clusters;
import org.meshbook.cluster.kubernetes.KubernetesCluster;
import org.meshbook.cluster.manifest.Manifest;

/// What real processes print, read by a client over the API.
@Timeout(180)
class PodLogsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir private static Path folder;
    private static LocalCluster local;
    private static KubernetesCluster client;

    @BeforeAll
    static void open() throws Exception {
        local = LocalCluster.open(folder, Profile.V0_17, List.of(Machines.plain()));
        client = Clusters.open(Optional.of(local.kubeconfig()), Optional.empty());
    }

    @AfterAll
    static void close() {
        client.close();
        local.close();
    }

    private static ResourceKey pod(String name, String restart, String containers) {
        var yaml =
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  restartPolicy: %s
                  terminationGracePeriodSeconds: 1
                  containers: [%s]
                """
                        .formatted(name, restart, containers);
        var object = Manifest.read("test", yaml).complete().getFirst().resource();
        return client.create(object, WriteOptions.PLAIN).key();
    }

    private static String container(String name, String script) {
        return "{name: %s, image: busybox, command: [sh, -c, '%s']}".formatted(name, script);
    }

    private static void awaitPod(ResourceKey pod, java.util.function.Predicate<Resource> so) {
        await().atMost(PATIENCE).until(() -> client.find(pod).filter(so).isPresent());
    }

    private static boolean ended(Resource pod) {
        return List.of("Succeeded", "Failed").contains(pod.text("status", "phase"));
    }

    private static List<String> read(ResourceKey pod, Options options) throws Exception {
        var lines = new ArrayList<String>();
        client.logs(pod, options, lines::add);
        return lines;
    }

    @Test
    void tenThousandLinesOfAShortJobAllCome() throws Exception {
        var pod = pod("short", "Never", container("main", "seq 10000"));
        assertThat(read(pod, Options.FOLLOW))
                .isEqualTo(IntStream.rangeClosed(1, 10_000).mapToObj(String::valueOf).toList());
    }

    @Test
    void aLineComesWhileTheContainerRuns() throws Exception {
        var pod = pod("slow", "Never", container("main", "echo begun; sleep 600"));
        var lines = new CopyOnWriteArrayList<String>();
        var reader =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        client.logs(pod, Options.FOLLOW, lines::add);
                                    } catch (InterruptedException stopped) {
                                        lines.add("stopped");
                                    }
                                });
        await().atMost(PATIENCE).until(() -> lines.equals(List.of("begun")));
        reader.interrupt();
        await().atMost(PATIENCE).until(() -> lines.equals(List.of("begun", "stopped")));
        client.remove(pod);
    }

    @Test
    void thatThePodWasDeletedIsTheLastLine() throws Exception {
        var pod = pod("gone", "Never", container("main", "echo begun; sleep 600"));
        var lines = new CopyOnWriteArrayList<String>();
        client.logs(
                pod,
                Options.FOLLOW,
                line -> {
                    lines.add(line);
                    if (line.equals("begun")) {
                        client.delete(pod, Propagation.BACKGROUND);
                    }
                });
        assertThat(lines).containsExactly("begun", "pod \"gone\" was deleted");
    }

    @Test
    void theLastLinesAndTheirTimesAreGivenWhenAskedFor() throws Exception {
        var pod = pod("tail", "Never", container("main", "seq 5; printf end"));
        awaitPod(pod, PodLogsTest::ended);
        assertThat(read(pod, Options.ALL.withTail(2))).containsExactly("5", "end");
        assertThat(read(pod, Options.ALL.withTail(0))).isEmpty();
        assertThat(read(pod, Options.ALL.withTail(1).withTimestamps()).getFirst())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z end");
    }

    @Test
    void theStartBeforeTheLastOneIsKept() throws Exception {
        var script = "if [ -e again ]; then echo second; sleep 600; fi; touch again; echo first";
        var pod = pod("twice", "Always", container("main", script));
        awaitPod(
                pod,
                p ->
                        p.list("status", "containerStatuses").stream()
                                .anyMatch(
                                        s ->
                                                s.path("restartCount").asInt() == 1
                                                        && s.path("state").has("running")));
        assertThat(read(pod, Options.ALL.withPrevious())).containsExactly("first");
        await().atMost(PATIENCE).until(() -> read(pod, Options.ALL).equals(List.of("second")));
        client.remove(pod);
    }

    @Test
    void whatCannotBeReadIsRefusedInTheRealServersWords() throws Exception {
        var two = pod("two", "Never", container("a", "true") + ", " + container("b", "true"));
        refused(
                two,
                Options.ALL,
                400,
                "a container name must be specified for pod two, choose one of: [a b]");
        refused(two, Options.ALL.withContainer("c"), 400, "container c is not valid for pod two");
        awaitPod(two, PodLogsTest::ended);
        refused(
                two,
                Options.ALL.withContainer("a").withPrevious(),
                400,
                "previous terminated container \"a\" in pod \"two\" not found");
        refused(Kinds.POD.key("default", "none"), Options.ALL, 404, "pods \"none\" not found");
        var unknown = pod("unknown", "Never", "{name: main, image: 'nobody.io/knows:1'}");
        awaitPod(unknown, p -> !p.list("status", "containerStatuses").isEmpty());
        refused(
                unknown,
                Options.ALL,
                400,
                "container \"main\" in pod \"unknown\" is waiting to start: image can't be pulled");
        client.remove(unknown);
    }

    private static void refused(ResourceKey pod, Options options, int code, String text) {
        assertThatThrownBy(() -> read(pod, options))
                .isInstanceOfSatisfying(
                        ApiException.class, no -> assertThat(no.code()).isEqualTo(code))
                .hasMessage(text);
    }
}
