package org.meshbook.magics.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.magics.daily.Session;

/// `%slices N --queue Q` in cells: waiting, stopping, coming back, cancelling.
@Timeout(300)
class QueueWaitTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String FOLDER = "meshbook.runtime.dir";
    private static final String QUEUE =
            """
            %%manifest
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

    /// Takes half of the quota, so that of two slices one waits.
    private static final String HOLDER =
            """
            %%manifest
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: holder
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: user}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: busybox
                    command: [sleep, "600"]
                    resources: {requests: {cpu: "1"}}
            """;

    private static final String ASK = "%slices 2 --queue user --name waits";

    private static Path folder = Path.of("");
    private static Session cells;

    @BeforeAll
    static void open() throws IOException {
        folder = Files.createTempDirectory("meshbook-wait-");
        System.setProperty(FOLDER, folder.toString());
        cells =
                new Session(
                        ServiceLoader.load(Extension.class).stream().map(p -> p.get()).toList());
        assertThat(cells.run(QUEUE).error()).isEmpty();
    }

    @AfterAll
    static void close() throws IOException {
        cells.close();
        LocalHead.at(folder).stop();
        System.clearProperty(FOLDER);
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }

    @AfterEach
    void release() {
        cells.run("%slices 0");
        cells.run("%delete job holder");
    }

    private static Session.Begun waiting() {
        assertThat(cells.run(HOLDER).error()).isEmpty();
        assertThat(cells.run("%wait job holder --for status.ready=1 --within 90s").error())
                .isEmpty();
        return begin();
    }

    private static Session.Begun begin() {
        var cell = cells.begin(ASK);
        await().atMost(PATIENCE)
                .until(
                        () ->
                                cell.out().contains("waits in user (position 1)")
                                        || cell.ran().isDone());
        assertThat(cell.out()).contains("1 more needed");
        return cell;
    }

    private static Session.Ran end(Session.Begun cell) throws Exception {
        return cell.ran().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static String jobs() {
        return all(cells.run("%get jobsets"));
    }

    private static String all(Session.Ran ran) {
        return ran.shown() + ran.out() + ran.result();
    }

    @Test
    @DisplayName(
            "scenarios 74 and 77: one stop detaches and says how to come back, another cancels")
    void stopLeavesTheRequestInTheQueueAndASecondOneCancelsIt() throws Exception {
        var cell = waiting();
        cell.interrupt();
        var detached = end(cell);
        assertThat(detached.error()).contains("interrupted");
        assertThat(detached.out())
                .contains("detached: the request stays in user")
                .contains("Run the cell again")
                .contains("%slices --release");
        assertThat(jobs()).contains("waits-slice-0", "waits-slice-1");

        var again = begin();
        again.interrupt();
        await().atMost(PATIENCE).until(() -> again.out().contains("detached"));
        again.interrupt();
        assertThat(end(again).out()).contains("cancelled");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(jobs()).doesNotContain("waits"));
        assertThat(cells.run("%slices").out()).contains("no slices are provisioned");
    }

    @Test
    void waitingEndsWhenTheSlicesAreThereAndTheTableShowsThem() throws Exception {
        var cell = waiting();
        assertThat(cells.run("%why waits-slice-1").out() + cells.run("%why waits-slice-0").out())
                .contains("waits in queue 'user'")
                .contains("held by");
        assertThat(cells.run("%delete job holder").error()).isEmpty();
        var ended = end(cell);
        assertThat(ended.error()).isEmpty();
        assertThat(ended.shown()).contains("position", "waits-slice-0", "waits-slice-1", "healthy");
        assertThat(cells.run("%events").shown()).contains("queued", "admitted", "joined");
        assertThat(cells.run("Manager.current().activeSliceCount()").result()).isEqualTo("2");
    }

    @Test
    void requestIsCheckedBeforeAnythingIsMade() {
        assertThat(cells.run("%slices 2 --queue usr").error())
                .contains("no queue 'usr' in namespace 'default'; there is user");
        assertThat(cells.run("%slices 3 --queue user").error())
                .contains("3 slices at once never fit")
                .contains("--at-least 2");
        assertThat(cells.run("%slices 2 --flavor plain").error())
                .contains("--flavor is about a queue; name one, as in --queue user-queue");
        assertThat(cells.run("%slices 2 --queue user --spares 1").error()).contains("--spares");
        assertThat(jobs()).contains("No resources found").doesNotContain("slice");
    }
}
