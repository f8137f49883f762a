package org.meshbook.cluster.nodes.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.embedded.EmbeddedCluster;
import org.meshbook.cluster.embedded.Settings;

/// Pools that are lost as a whole and come back as they were.
class NodePoolsTest {
    private final EmbeddedCluster cluster = EmbeddedCluster.open(Settings.defaults());
    private final NodePools pools = new NodePools(cluster);

    @Test
    void repairedPoolHasTheNodesThatWereLost() {
        pools.add(NodePool.of("v6e-1", TpuSlice.of("tpu-v6e-slice", "4x4")));
        pools.add(NodePool.plain("plain", 1, "8", "32Gi"));
        var before = cluster.list(Kinds.NODE, "");

        assertThat(pools.lose("v6e-1")).hasSize(4);
        assertThat(pools.names()).containsExactly("plain");
        assertThat(pools.lost()).containsExactly("v6e-1");

        assertThat(pools.repair("v6e-1")).hasSize(4);
        assertThat(pools.lost()).isEmpty();
        assertThat(cluster.list(Kinds.NODE, ""))
                .extracting(Resource::name, Resource::labels, node -> node.at("status"))
                .containsExactlyElementsOf(
                        before.stream()
                                .map(n -> tuple(n.name(), n.labels(), n.at("status")))
                                .toList());
    }

    @Test
    void whatIsNotThereCannotBeLostAndWhatIsNotLostNotRepaired() {
        assertThat(pools.lose("v6e-1")).isEmpty();
        assertThat(pools.lost()).isEmpty();
        assertThat(pools.repair("v6e-1")).isEmpty();
    }
}
