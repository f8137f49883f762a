package org.meshbook.magics.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.meshbook.cluster.Kinds;

/// `%queue`, `%forecast` and `%why` in cells, over the API of a cluster.
@Timeout(300)
class QueueViewsTest {
    @TempDir Path folder;
    private ClusterCells cells;

    @BeforeEach
    void open() throws IOException {
        cells = new ClusterCells(folder);
        cells.queue();
    }

    @AfterEach
    void close() {
        cells.close();
    }

    /// One job that holds all there is, and one that waits.
    private void full() {
        cells.create(ClusterCells.queued("first", "sleep 300"));
        cells.await(Kinds.JOB.key("default", "first"), j -> !j.at("spec", "suspend").asBoolean());
        cells.create(ClusterCells.queued("second", "true"));
        cells.await(
                Kinds.CLUSTER_QUEUE.key("", "main"),
                q -> q.at("status", "pendingWorkloads").asInt(0) == 1);
    }

    @Test
    void queueShowsQuotaHoldersAndPlaces() {
        full();
        assertThat(cells.shown("%queue"))
                .contains("cluster queue 'main': 1 waiting, 1 holding quota")
                .contains("plain cpu  [████████████████████]  2 of 2 used, 0 free")
                .contains("held by first (2 cpu of plain, priority 0, for ")
                .containsPattern("NAME +JOB TYPE +JOB NAME +LOCALQUEUE +CLUSTERQUEUE +STATUS")
                .containsPattern("job-first-\\w+ +job +first +user +main +ADMITTED")
                .containsPattern("job-second-\\w+ +job +second +user +main +PENDING +0 ");
    }

    @Test
    void aQueueThatIsNotThereIsRefusedWithTheNearest() {
        assertThat(cells.run("%queue usr").error())
                .contains("no local queue and no cluster queue is called 'usr'")
                .contains("user");
    }

    @Test
    void forecastSaysWhatWouldHappenAndChangesNothing() {
        var jobs = ClusterCells.queued("a", "true") + "---\n" + ClusterCells.queued("b", "true");
        assertThat(cells.shown("%%forecast\n" + jobs))
                .contains("would be admitted on plain now")
                .contains("would wait: couldn't assign flavors to pod set main: insufficient");
        assertThat(cells.cluster().list(Kinds.JOB, "")).isEmpty();
        assertThat(cells.cluster().list(Kinds.WORKLOAD, "")).isEmpty();
    }

    @Test
    void whyBeginsEachLineWithItsCause() {
        full();
        assertThat(cells.out("%why second"))
                .startsWith("quota-in-use: second waits in queue 'user':")
                .contains("quota-in-use: held by first (2 cpu of plain");
        assertThat(cells.out("%why first")).startsWith("running: first does not wait");
    }
}
