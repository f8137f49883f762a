package org.meshbook.cluster.nodes.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Cluster.Propagation;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.embedded.Rig;
import org.meshbook.cluster.nodes.process.Images;
import org.meshbook.cluster.nodes.process.LogLine;
import org.meshbook.cluster.nodes.process.ProcessRuntime;

/// Pods as real processes, their times on a clock that the test turns.
@Timeout(60)
class PodsTest {
    @TempDir Path folder;
    private final List<ProcessRuntime> runtimes = new ArrayList<>();
    private Rig rig;

    @BeforeEach
    void open() {
        rig =
                Rig.with(
                        parts -> {
                            var runtime = new ProcessRuntime(parts.clock(), folder);
                            runtimes.add(runtime);
                            return List.of(
                                    new Kubelet(
                                            parts.cluster(),
                                            parts.clock(),
                                            runtime,
                                            new Images(folder.resolve("images.conf")),
                                            folder));
                        });
    }

    @AfterEach
    void close() {
        runtimes.forEach(ProcessRuntime::close);
        rig.close();
    }

    private void pod(String spec) {
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: one, namespace: default, labels: {team: blue}}
                spec:
                  nodeName: node-1
                %s
                """
                        .formatted(spec.indent(2)));
        rig.settle();
    }

    private Resource await(Predicate<Resource> until) {
        long limit = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            rig.settle();
            var pod = rig.at(Kinds.POD, "one");
            if (until.test(pod)) {
                return pod;
            }
            assertThat(System.nanoTime()).as("time, while the pod is %s", pod).isLessThan(limit);
            Thread.onSpinWait();
        }
    }

    private static Predicate<Resource> phase(String phase) {
        return pod -> pod.text("status", "phase").equals(phase);
    }

    private String log(int attempt) throws IOException {
        var pod = rig.at(Kinds.POD, "one");
        return Files.readAllLines(PodFolder.of(folder, pod).log("main", attempt)).stream()
                .map(line -> LogLine.parse(line).text() + "\n")
                .collect(Collectors.joining());
    }

    private static String waiting(Resource pod) {
        var waiting =
                pod.list("status", "containerStatuses").getFirst().path("state").path("waiting");
        return waiting.path("reason").asString("") + " " + waiting.path("message").asString("");
    }

    @Test
    void containerSeesItsVariablesItsFieldsAndItsFiles() throws IOException {
        rig.create(
                """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: script, namespace: default}
                data: {train.sh: 'echo trained $1'}
                """);
        pod(
                """
                restartPolicy: Never
                volumes: [{name: code, configMap: {name: script}}]
                containers:
                - name: main
                  image: busybox
                  command: [sh, -c, 'echo $(GREETING) $TEAM $(MISSING) $$(GREETING); sh /app/train.sh $(COUNT)']
                  env:
                  - {name: COUNT, value: '3'}
                  - {name: GREETING, value: 'hello-$(COUNT)'}
                  - {name: TEAM, valueFrom: {fieldRef: {fieldPath: "metadata.labels['team']"}}}
                  volumeMounts: [{name: code, mountPath: /app}]
                """);

        var pod = await(phase("Succeeded"));

        assertThat(log(0)).contains("hello-3 blue").contains("trained 3");
        assertThat(pod.text("status", "podIP")).startsWith("127.");
        assertThat(
                        pod.list("status", "containerStatuses")
                                .getFirst()
                                .path("state")
                                .path("terminated")
                                .path("reason")
                                .asString(""))
                .isEqualTo("Completed");
    }

    @Test
    void imageThatNobodyMappedCannotBePulledAndOneThatIsNoneIsNamed() {
        pod("containers: [{name: main, image: 'gcr.io/me/trainer:1', command: [sh]}]");
        assertThat(waiting(rig.at(Kinds.POD, "one")))
                .startsWith("ErrImagePull no program of this machine stands for image")
                .contains("add a line such as \"gcr.io/me/trainer* = sh\"");
        rig.advance(Duration.ofSeconds(10));
        assertThat(waiting(rig.at(Kinds.POD, "one"))).startsWith("ImagePullBackOff");

        rig.cluster().remove(Kinds.POD.key("default", "one"));
        pod("containers: [{name: main, image: '<IMAGE LOCATION>', command: [sh]}]");
        assertThat(waiting(rig.at(Kinds.POD, "one")))
                .isEqualTo(
                        "InvalidImageName Failed to apply default image tag \"<IMAGE LOCATION>\":"
                                + " couldn't parse image name \"<IMAGE LOCATION>\": invalid"
                                + " reference format");
    }

    @Test
    void missingCommandIsNamedAndTriedAgainWithPauses() {
        pod("containers: [{name: main, image: busybox, command: [no-such-program]}]");

        var pod = rig.at(Kinds.POD, "one");
        assertThat(waiting(pod)).startsWith("CrashLoopBackOff back-off 10s restarting failed");
        assertThat(pod.json().toString())
                .contains("exec: \\\"no-such-program\\\": executable file not found in $PATH");
        rig.advance(Duration.ofSeconds(10));
        assertThat(waiting(rig.at(Kinds.POD, "one"))).startsWith("CrashLoopBackOff back-off 20s");
    }

    @Test
    void failureIsStartedAgainInPlaceAndTheLogsOfBothAreKept() throws IOException {
        pod(
                """
                restartPolicy: OnFailure
                containers:
                - {name: main, image: busybox, command: [sh, -c, 'if [ -f seen ]; then echo second; else touch seen; echo first; exit 1; fi']}
                """);

        var pod = await(phase("Succeeded"));

        var status = pod.list("status", "containerStatuses").getFirst();
        assertThat(status.path("restartCount").asInt()).isEqualTo(1);
        assertThat(log(0)).isEqualTo("first\n");
        assertThat(log(1)).isEqualTo("second\n");
    }

    @Test
    void deletedPodThatIgnoresTermIsKilledWhenItsGraceIsOver() throws IOException {
        pod(
                """
                restartPolicy: Never
                terminationGracePeriodSeconds: 5
                containers: [{name: main, image: busybox, command: [sh, -c, "trap '' TERM; echo up; while :; do sleep 0.1; done"]}]
                """);
        await(_ -> Files.exists(folder) && logHas("up"));

        rig.cluster().delete(Kinds.POD.key("default", "one"), Propagation.BACKGROUND);
        rig.settle();
        assertThat(rig.at(Kinds.POD, "one").deleting()).isTrue();
        rig.advance(Duration.ofSeconds(5));

        long limit = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (rig.cluster().find(Kinds.POD.key("default", "one")).isPresent()) {
            rig.settle();
            assertThat(System.nanoTime()).isLessThan(limit);
        }
    }

    private boolean logHas(String text) {
        try {
            return log(0).contains(text);
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    void podsOfAJobKnowEachOthersAddresses() throws IOException {
        rig.create(
                """
                apiVersion: v1
                kind: Service
                metadata: {name: js, namespace: default}
                spec: {clusterIP: None}
                """);
        pod(
                """
                restartPolicy: Never
                hostname: js-slice-0-0
                subdomain: js
                containers:
                - name: main
                  image: busybox
                  command: [sh, -c, 'echo $PEERS $MY_IP']
                  env:
                  - {name: PEERS, value: 'js-slice-0-0.js,js-slice-0-1.js:8080'}
                  - {name: MY_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
                """);

        var pod = await(phase("Succeeded"));

        var address = pod.text("status", "podIP");
        assertThat(log(0)).startsWith(address + ",127.").endsWith(":8080 " + address + "\n");
    }

    @Test
    void initContainersComeFirst() throws IOException {
        pod(
                """
                restartPolicy: Never
                initContainers: [{name: before, image: busybox, command: [sh, -c, 'echo ready > state']}]
                containers: [{name: main, image: busybox, command: [sh, -c, 'cat state']}]
                """);

        await(phase("Succeeded"));

        assertThat(log(0)).isEqualTo("ready\n");
    }
}
