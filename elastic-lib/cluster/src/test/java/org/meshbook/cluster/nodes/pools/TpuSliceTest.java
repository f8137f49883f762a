package org.meshbook.cluster.nodes.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpuSliceTest {
    @DisplayName("xpk#751, xpk#822 hosts follow from the topology")
    @ParameterizedTest(name = "{0} {1}: {2} chips on {3} hosts of {4}, {5}")
    @CsvSource({
        "tpu-v5-lite-podslice, 2x4, 8, 2, ct5lp-hightpu-4t, v5litepod-8",
        "tpu-v5-lite-podslice, 1x1, 1, 1, ct5lp-hightpu-1t, v5litepod-1",
        "tpu-v5-lite-podslice, 16x16, 256, 64, ct5lp-hightpu-4t, v5litepod-256",
        "tpu-v6e-slice, 4x4, 16, 4, ct6e-standard-4t, v6e-16",
        "tpu-v6e-slice, 2x2, 4, 1, ct6e-standard-4t, v6e-4",
        "tpu-v5p-slice, 2x2x2, 8, 2, ct5p-hightpu-4t, v5p-16",
        "tpu-v4-podslice, 2x2x4, 16, 4, ct4p-hightpu-4t, v4-32",
        "tpu7x, 2x2x1, 4, 1, tpu7x-standard-4t, tpu7x-8",
        "tpu7x, 4x4x4, 64, 16, tpu7x-standard-4t, tpu7x-128"
    })
    void hostsFollowFromTheTopology(
            String accelerator,
            String topology,
            int chips,
            int hosts,
            String machine,
            String type) {
        var slice = TpuSlice.of(accelerator, topology);

        assertThat(slice.chips()).isEqualTo(chips);
        assertThat(slice.hosts()).isEqualTo(hosts);
        assertThat(slice.machineType()).isEqualTo(machine);
        assertThat(slice.acceleratorType()).isEqualTo(type);
    }

    @Test
    @DisplayName(
            "vllm ci-infra#545, cluster-toolkit#3817 a pool has as many nodes as its slice has"
                    + " hosts")
    void poolHasAsManyNodesAsItsSliceHasHosts() {
        var slice = TpuSlice.of("tpu-v5p-slice", "2x2x2");

        assertThat(NodePool.of("a", slice).objects()).hasSize(2);
        assertThatThrownBy(() -> new NodePool("a", 3, Optional.of(slice), false, Map.of()))
                .hasMessage("node pool \"a\" of topology 2x2x2 has 8 chips on 2 nodes, not on 3");
    }

    @Test
    void unknownFormsAreRefused() {
        assertThatThrownBy(() -> TpuSlice.of("tpu-v9", "2x2")).hasMessageContaining("no TPU");
        assertThatThrownBy(() -> TpuSlice.of("tpu-v6e-slice", "2x2x2"))
                .hasMessage("topology \"2x2x2\" of \"tpu-v6e-slice\" is not written as 4x4");
    }
}
