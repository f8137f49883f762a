package org.meshbook.cluster.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What pods with chips are told about their slice, and about the others.
class TpuEnvironmentTest {
    private final Machine machine = Machine.open().slices(2, "tpu-v5-lite-podslice", "2x4");

    @AfterEach
    void close() {
        machine.close();
    }

    private Map<String, String> environment(String pod) {
        var env = new HashMap<String, String>();
        machine.pods(pod)
                .getFirst()
                .list("spec", "containers")
                .getFirst()
                .path("env")
                .forEach(
                        e ->
                                env.put(
                                        e.path("name").asString(""),
                                        e.path("value").asString(e.path("valueFrom").toString())));
        return env;
    }

    @Test
    @DisplayName("section 14: place in the slice, and among the slices")
    void podsKnowTheirPlace() {
        machine.apply(JobSetTest.set("two", 2, "suspend: false")).run(5);

        assertThat(environment("two-slice-1-1-"))
                .containsEntry("TPU_WORKER_ID", "1")
                .containsEntry("TPU_WORKER_HOSTNAMES", "two-slice-1-0.two,two-slice-1-1.two")
                .containsEntry("TPU_TOPOLOGY", "2x4")
                .containsEntry("TPU_ACCELERATOR_TYPE", "v5litepod-8")
                .containsEntry("MEGASCALE_NUM_SLICES", "2")
                .containsEntry("MEGASCALE_SLICE_ID", "1")
                .containsEntry("MEGASCALE_COORDINATOR_ADDRESS", "two-slice-0-0.two:8080")
                .containsKey("JOB_COMPLETION_INDEX");
    }

    @Test
    void oneSliceHasNoOthers() {
        machine.apply(JobSetTest.set("one", 1, "suspend: false")).run(5);

        assertThat(environment("one-slice-0-0-"))
                .containsEntry("TPU_WORKER_ID", "0")
                .doesNotContainKey("MEGASCALE_NUM_SLICES");
    }
}
